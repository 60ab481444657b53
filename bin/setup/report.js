/** Ends the set-up: `message` is one sentence, `remedy` the command or list that helps. */
export class SetupError extends Error {
  /**
   * @param {string} message
   * @param {{ remedy?: string, exitCode?: number }} [options]
   */
  constructor(message, { remedy, exitCode = 3 } = {}) {
    super(message);
    this.remedy = remedy;
    this.exitCode = exitCode;
  }
}

/** One line of progress; stdout stays free for data. @param {string} line */
export function say(line) {
  process.stderr.write(`setup: ${line}\n`);
}
