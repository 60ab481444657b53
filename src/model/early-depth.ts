/** Whether a draw's depth and stencil tests can come before its fragment shader (OpenGL 4.6, section 14.9). */
import type { StateWords } from './draw-state.ts';
import { preprocess } from './memory/preprocess.ts';

/** What a fragment shader does that matters to it. */
export interface FragmentFacts {
  /** `layout(early_fragment_tests) in`. */
  readonly isForced: boolean;
  readonly discards: boolean;
  /** gl_FragDepth, without a promise to which side (`layout(depth_less)`). */
  readonly writesDepth: boolean;
}

/** `isEs`: whether GL_ES is defined before the first line. */
export function fragmentFacts(sources: readonly string[], isEs: boolean): FragmentFacts {
  const predefined = new Map(isEs ? [['GL_ES', '1']] : []);
  const code = sources.map((source) => preprocess(source, predefined).code).join('\n');
  const isPromised = /\bdepth_(greater|less|unchanged)\b[^;]*\bgl_FragDepth\b/.test(code);
  return {
    isForced: /\blayout\s*\([^)]*\bearly_fragment_tests\b/.test(code),
    discards: /\bdiscard\b/.test(code),
    writesDepth: !isPromised && /\bgl_FragDepth(EXT)?\b\s*[-+*/]?=(?!=)/.test(code),
  };
}

/** Whether no fragment is compared with what is there. */
const isUntested = (test: string | undefined): boolean => test === 'off' || test?.endsWith('buffer') === true;

/** The state with `early depth`: whether it is there, and what prevents it; left out where nothing is tested. */
export function withEarlyDepth(state: StateWords, { isForced, discards, writesDepth }: FragmentFacts): StateWords {
  const isTested = !isUntested(state['depth test']);
  const hasStencil = !isUntested(state['stencil test']);
  if (!isTested && !hasStencil) return state;
  const writes = state['depth write'] === 'on' || hasStencil;
  const preventing = [
    ...(writesDepth && isTested ? ['gl_FragDepth'] : []),
    ...(discards && writes ? ['discard'] : []),
    ...(['alpha test', 'alpha to coverage'] as const).filter((name) => state[name] === 'on' && writes),
  ];
  const value = isForced ? 'forced' : preventing.length === 0 ? 'possible' : `prevented by ${preventing.join(', ')}`;
  return { 'early depth': value, ...state };
}
