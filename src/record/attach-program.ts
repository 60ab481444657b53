import { signatureOf } from '../gl/command-table.ts';
import { constants as c } from '../gl/webgl2/constants.ts';
import { attachRecorder, type CallRecorder, type RecorderOptions } from './call-recorder.ts';
import type { Producer } from './describe-context.ts';

type ProgramRecorderOptions = Omit<RecorderOptions, 'signatureOf' | 'nativeIdOf'>;

/** A handle's GL name where headless-gl keeps it; contexts whose handles have none return handles, and it is not asked. */
const nativeIdOf = (handle: object): unknown => (handle as { readonly _?: number })._;

/** What draws, for headless-gl's contexts: getParameter says "ANGLE" for all. */
function unmaskedNames(gl: object): Producer['unmasked'] {
  const { _getParameterDirect: direct } = gl as { readonly _getParameterDirect?: (name: number) => unknown };
  return direct && (() => ({ vendor: String(direct(c.VENDOR)), renderer: String(direct(c.RENDERER)) }));
}

/** Attaches a recorder with the whole command table to a context in this process, before the program's first call. */
export function attachProgramRecorder(gl: object, options: ProgramRecorderOptions): CallRecorder {
  const unmasked = unmaskedNames(gl);
  const producer = { ...options.producer, ...(unmasked && { unmasked }) };
  return attachRecorder(gl, { ...options, producer, signatureOf, nativeIdOf });
}
