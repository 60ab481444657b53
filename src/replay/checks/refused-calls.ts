/** Calls that GL refuses, and that later calls rely on. */
import { GpuprofError } from '../../errors.ts';
import type { Call } from '../../model/call.ts';
import { perSignature } from '../../model/per-signature.ts';

const failing = perSignature(({ name }) => /Buffer(Data|Storage)|VertexA|VertexBuffer|BindBuffer\b/.test(name));
const outsideOnly = perSignature(({ name }) =>
  /Buffer(Data|Storage)|BindBuffer|VertexArray|Pointer$|PixelStore/.test(name),
);

/**
 * The checks believe what calls say of buffers and vertex arrays. Throws GpuprofError `bad-capture` when GL refused one:
 * then draws have been checked against what is not there (ANGLE crashes over attributes without a buffer).
 */
export function refuseFailedBufferCall(call: Call): void {
  if (failing(call.signature))
    throw new GpuprofError('bad-capture', `GL refuses ${call.signature.name}, which later calls rely on`);
}

/** As {@link refuseFailedBufferCall}: between glBegin and glEnd GL refuses such calls, or may, and cannot be asked. */
export function refuseInsideBegin(call: Call): void {
  if (outsideOnly(call.signature))
    throw new GpuprofError('bad-capture', `${call.signature.name} between glBegin and glEnd, where GL refuses it`);
}
