/**
 * Textures of formats that a context can neither copy nor draw into change by uploads only: their contents before a frame
 * are put back by making the uploads again that led there.
 */
import { GpuprofError } from '../../errors.ts';
import { addressOf } from '../../gl/native.ts';
import { Bindings } from '../../model/bindings.ts';
import type { Call, DataArgument } from '../../model/call.ts';
import type { Capture } from '../../model/capture.ts';
import { baseName, bindingTarget } from '../../model/gl-constants.ts';
import { writes } from '../../model/writes.ts';
import type { ReplayState } from '../compile/site.ts';
import { clearingOf, isWebGl } from '../handlers/new-storage.ts';
import type { Saved } from './buffers.ts';

const uploads = /^(Compressed)?Tex(Sub)?Image[123]D$/;
const specifiesOnly = /^TexStorage|^TexParameter/;

/** The calls before a frame that fill one texture, in order. */
async function uploadsOf(capture: Capture, frame: number, texture: number): Promise<Call[]> {
  const bindings = new Bindings();
  const found: Call[] = [];
  for (let stream = 0; stream < frame; stream++)
    for (const call of stream === 0 ? await capture.setup() : await capture.frame(stream)) {
      const name = baseName(call.signature.name);
      if (writes(call, bindings).some((ref) => ref.class === 'texture' && ref.id === texture)) {
        if (uploads.test(name)) found.push(call);
        else if (!specifiesOnly.test(name) && !/^Delete/.test(name))
          throw new GpuprofError(
            'missing-feature',
            `what ${call.signature.name} does to texture ${texture} cannot be undone here`,
            {
              hint: 'it needs glCopyImageSubData: use --driver egl',
            },
          );
        if (/^Delete/.test(name)) found.length = 0;
      }
      bindings.apply(call);
    }
  return found;
}

/** Keeps the uploads of one texture in memory. Throws GpuprofError `missing-feature` when it was filled in another way. */
export async function saveUploads(
  state: ReplayState,
  capture: Capture,
  frame: number,
  texture: number,
): Promise<Saved> {
  const { context, objects } = state;
  const kept: Uint8Array[] = [];
  const steps: (() => void)[] = [];
  for (const call of await uploadsOf(capture, frame, texture)) {
    const at = call.signature.params.findIndex(({ type }) => type === 'data');
    const data = call.args[at] as DataArgument;
    if (data?.kind === 'offset')
      throw new GpuprofError('missing-feature', `texture ${texture}, filled from a buffer, cannot be restored here`, {
        hint: 'it needs glCopyImageSubData: use --driver egl',
      });
    let address = 0;
    if (data !== null) {
      const source =
        data.kind === 'inline'
          ? data.bytes
          : (await capture.resource(data.resource)).subarray(data.byteOffset, data.byteOffset + data.byteLength);
      const bytes = new Uint8Array(Math.max(256, source.byteLength));
      bytes.set(source);
      kept.push(bytes);
      address = addressOf(bytes);
    }
    const values = call.args.map((value, index) => (index === at ? address : Number(value)));
    const fn = context.require(call.signature.name);
    steps.push(() => void fn(...values));
    const clear = isWebGl(state) ? clearingOf(context, call) : undefined;
    if (clear) steps.push(clear);
  }
  const target = bindingTarget(state.bindings.textureTargets.get(texture) ?? 0x0de1);
  return {
    restore() {
      context.gl.glBindTexture(target, objects.names.texture[texture]);
      for (const step of steps) step();
    },
    destroy() {
      kept.length = 0;
    },
  };
}
