import { GpuprofError } from '../../errors.ts';
import type { PageStatus } from './page-load.ts';
import type { CanvasLabel, ContextStatus, RealmStatus } from './protocol.ts';

const shownMessages = 3;
const softwareWebGl =
  'without a GPU, pass --browser-arg=--use-angle=swiftshader --browser-arg=--enable-unsafe-swiftshader';

/** What went wrong, and what may help. */
interface Problem {
  readonly sentence: string;
  readonly hint?: string;
}

/** A failure of the page, with what it said itself. */
export function pageProblem({ sentence, hint }: Problem, messages: readonly string[]): GpuprofError {
  const shown = [...new Set(messages)].slice(0, shownMessages).map((text) => `"${text.trim()}"`);
  const said = shown.length > 0 ? `; its own errors: ${shown.join(', ')}` : '';
  return new GpuprofError('bad-input', sentence + said, hint === undefined ? {} : { hint });
}

export const countOf = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** `#view (640x480)`. */
export const nameOf = ({ selector, width, height }: CanvasLabel): string =>
  `${selector ?? 'a canvas outside the document'} (${width}x${height})`;

export const contextsOf = (realms: readonly RealmStatus[]): ContextStatus[] =>
  realms.flatMap(({ contexts }) => contexts);

function whyNoContext({ realms, unreached }: PageStatus): Problem {
  const refused = realms.flatMap((realm) => realm.refused);
  if (refused.length > 0) {
    const why = refused.find((text) => text !== '');
    return {
      sentence: `the page asked for WebGL and the browser gave none${why === undefined ? '' : ` (${why})`}`,
      hint: softwareWebGl,
    };
  }
  const transferred = realms.reduce((sum, realm) => sum + realm.transferred, 0);
  if (transferred > 0 && unreached > 0)
    return {
      sentence: `the page handed ${countOf(transferred, 'canvas', 'canvases')} to a worker that the recorder did not reach`,
      hint: 'let the page start it as a dedicated worker, or draw without one',
    };
  return { sentence: 'the page made no WebGL context' };
}

/** Why no frame came, from what the recorders saw. `wanted` is the frame in words, `selector` what --canvas says. */
export function whyNoFrame(status: PageStatus, wanted: string, selector: string | undefined): Problem {
  const contexts = contextsOf(status.realms);
  if (contexts.length === 0) return whyNoContext(status);
  const matching = contexts.filter(({ matches }) => matches);
  if (matching.length === 0)
    return {
      sentence: `no canvas with a WebGL context matches ${selector}; there is ${contexts.map(nameOf).join(', ')}`,
      hint: 'name one of these with --canvas',
    };
  const frames = Math.max(...matching.map((context) => context.frames));
  if (matching.every(({ lost }) => lost))
    return {
      sentence: `the page lost its WebGL context after ${countOf(frames, 'frame')} and did not get it back`,
    };
  if (matching.every(({ actions }) => actions === 0))
    return { sentence: 'the page made a WebGL context and drew nothing with it' };
  const problem = status.realms.find(({ triggerProblem }) => triggerProblem !== undefined)?.triggerProblem;
  const trigger = problem === undefined ? '' : ` (the trigger's last error: ${problem})`;
  return { sentence: `the page drew ${countOf(frames, 'frame')}, and ${wanted} never came${trigger}` };
}

const netErrors: readonly (readonly [RegExp, string, string?])[] = [
  [/ERR_NAME_NOT_RESOLVED/, 'its host is not known'],
  [/ERR_CONNECTION_REFUSED/, 'nothing listens there'],
  [/ERR_INTERNET_DISCONNECTED|ERR_ADDRESS_UNREACHABLE/, 'it cannot be reached from here'],
  [/ERR_CERT_/, 'its certificate is not trusted', 'if you trust it, pass --browser-arg=--ignore-certificate-errors'],
  [/ERR_ABORTED|Download is starting/, 'it is no page but something to download'],
  [/ERR_UNSAFE_PORT/, 'browsers refuse that port'],
];

/** Why a page did not load, from what the browser driver threw. */
export function loadProblem(page: string, error: unknown): GpuprofError {
  const { message, name } = error as Error;
  if (name === 'TimeoutError') return pageProblem({ sentence: `${page} did not answer in time` }, []);
  const known = netErrors.find(([pattern]) => pattern.test(message));
  const [code] = /net::\w+/.exec(message) ?? [message.split('\n')[0]];
  const why = known ? `${known[1]} (${code})` : code;
  const hint = known?.[2];
  return pageProblem({ sentence: `${page} does not load: ${why}`, ...(hint && { hint }) }, []);
}
