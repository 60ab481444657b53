import { GpuprofError } from '../../errors.ts';
import type { CaptureHead } from '../../model/sink.ts';
import { CaptureBuilder } from '../capture-builder.ts';
import type { Imported, ImportOptions } from '../formats.ts';
import type { ImportTarget } from '../import-target.ts';
import { openTrace } from './open-trace.ts';
import type { Trace } from './trace.ts';
import { Session } from './translate/session.ts';
import { Translator } from './translate/translator.ts';
import { shownBy } from './translate/windows.ts';

const GL_VENDOR = 0x1f00;
const GL_RENDERER = 0x1f01;
const GL_VERSION = 0x1f02;

function headOf(trace: Trace, session: Session): CaptureHead {
  const context = session.main;
  if (!context) throw new GpuprofError('bad-input', `${trace.path} makes no GL context current`);
  const { api, version, isCore } = context.profile;
  const known = (name: number) => session.strings.get(name)?.slice(0, 1000) || 'unknown';
  return {
    api,
    apiVersion: version,
    ...(api === 'gl' && { profile: isCore ? 'core' : 'compatibility' }),
    origin: {
      producer: ['apitrace', trace.properties.get('process.name')].filter(Boolean).join(', ').slice(0, 1000),
      driver: session.platform,
      vendor: known(GL_VENDOR),
      renderer: known(GL_RENDERER),
      version: known(GL_VERSION),
    },
    canvas: session.builder.canvas,
    requires: { extensions: [], limits: {} },
  };
}

/** The window that the trace shows last, or in frame `last`; null when it shows none. */
function shownLast(path: string, last = Number.POSITIVE_INFINITY): number | null {
  let shown: number | null = null;
  let frames = 0;
  for (const call of openTrace(path).calls()) {
    const drawable = shownBy(call);
    if (drawable === undefined) continue;
    shown = drawable ?? shown;
    if (++frames >= last) break;
  }
  return shown;
}

/**
 * Reads an apitrace file into a target. One that stops in the middle gives what it has, and the summary says so. Throws
 * GpuprofError `bad-input` with the offset for a malformed trace, and for one without GL or of OpenGL ES 1.
 */
export async function importTrace(path: string, target: ImportTarget, { frames }: ImportOptions): Promise<Imported> {
  const trace = openTrace(path);
  // glretrace counts a multi-draw once.
  const builder = new CaptureBuilder(target, frames, () => 1);
  const session = new Session(builder, () => shownLast(path, frames?.last));
  const translator = new Translator(session);
  let sourceCalls = 0;
  for (const call of trace.calls()) {
    translator.translate(call);
    sourceCalls++;
    if (builder.isFull) break;
  }
  const { ending } = trace;
  // A trace that was not read to its end has no ending.
  const summary = builder.finish({
    sourceCalls,
    isComplete: ending?.isComplete ?? true,
    ending: ending?.reason ?? null,
  });
  return { head: headOf(trace, session), summary };
}
