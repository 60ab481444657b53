/** Calls that GL refuses, and that later calls rely on. */
import { GpuprofError } from '../../errors.ts';
import type { Call } from '../../model/call.ts';
import { perSignature } from '../../model/per-signature.ts';
import type { ReplayState } from '../compile/site.ts';
import { glEnums } from '../constants.ts';

const e = glEnums('GL_VERTEX_ARRAY_BINDING');

const failing = perSignature(({ name }) =>
  /Buffer(Data|Storage)|VertexA|VertexB|BindBuffer|Pointer|InterleavedArrays|ClientActiveTexture|PushClientAttrib/.test(
    name,
  ),
);
const ofVertexArray = perSignature(({ name }) => /VertexA|VertexB/.test(name));
const outsideOnly = perSignature(({ name }) =>
  /Buffer(Data|Storage)|BindBuffer|VertexArray|VertexB|VertexAttrib\w*(Array|Format|Divisor)|Pointer|InterleavedArrays|Client|PixelStore/.test(
    name,
  ),
);

/**
 * The checks believe what calls say of buffers and vertex arrays. Throws GpuprofError `bad-capture` when GL refused one:
 * then draws have been checked against what is not there (ANGLE crashes over attributes without a buffer). The core profile
 * refuses draws with the default vertex array as it does attributes of it. GL must be as after the call.
 */
export function refuseFailedBufferCall({ signature }: Call, { context, manifest }: ReplayState): void {
  if (!failing(signature)) return;
  const isHarmless =
    manifest.profile === 'core' && ofVertexArray(signature) && context.integer(e.GL_VERTEX_ARRAY_BINDING) === 0;
  if (!isHarmless) throw new GpuprofError('bad-capture', `GL refuses ${signature.name}, which later calls rely on`);
}

/** As {@link refuseFailedBufferCall}: between glBegin and glEnd GL refuses such calls, or may, and cannot be asked. */
export function refuseInsideBegin(call: Call): void {
  if (outsideOnly(call.signature))
    throw new GpuprofError('bad-capture', `${call.signature.name} between glBegin and glEnd, where GL refuses it`);
}
