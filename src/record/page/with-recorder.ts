/** Comments and white space, then a strict-mode directive. */
const strictStart = /^(?:\s|\/\/.*\n|\/\*[\s\S]*?\*\/)*(['"])use strict\1/;

/** A script's text with the recorder's before it; a directive at its beginning stays at the beginning. */
export const withRecorder = (recorder: string, text: string): string =>
  `${strictStart.test(text) ? "'use strict';" : ''}${recorder}${text}`;
