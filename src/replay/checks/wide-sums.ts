/**
 * Drivers add a first place and a count, or an offset and a size, in as many bits as these have, before they look whether the
 * sum is within bounds. What does not fit there begins again below, and passes: Mesa 22.3 writes to memory of others then. No
 * program has a use for such values.
 */
import { GpuprofError } from '../../errors.ts';
import type { Call } from '../../model/call.ts';
import { baseName } from '../../model/gl-constants.ts';
import { perSignature } from '../../model/per-signature.ts';

/** Two numbers below it add up to one of 31 bits. */
const narrow = 2 ** 30;
/** More bytes than any buffer has. */
const wide = 2 ** 47;

/** Commands with places and counts of pixels, of binding points, or of parameters. */
const adding =
  /Tex(ture)?SubImage|CopyTexImage|^Readn?Pixels$|^CopyPixels$|^CopyImageSubData$|^Blit(Named)?Framebuffer$|^Bind(Buffers|Textures|Samplers|ImageTextures|VertexBuffers)|^VertexArrayVertexBuffers$|^(Viewport|Scissor|DepthRange)Array|^(Named)?Program(Env|Local)Parameter/;
/** Values of 64 bits that are numbers of the program's own. */
const values = /^(Program)?Uniform|^VertexAttrib|Sync$/;

interface Bound {
  readonly at: number;
  readonly name: string;
  readonly below: number;
}

const boundsOf = perSignature(({ name, params }): readonly Bound[] => {
  const base = baseName(name);
  return params.flatMap(({ name: parameter, type }, at): Bound[] => {
    if (type === 'i64' || type === 'u64') return values.test(base) ? [] : [{ at, name: parameter, below: wide }];
    const isPlace = type === 'i32' || (type === 'u32' && /^(first|index)$/.test(parameter));
    return isPlace && adding.test(base) ? [{ at, name: parameter, below: narrow }] : [];
  });
});

/** Throws GpuprofError `bad-capture` for a call with a place, an offset or a size so large that sums with it may not fit. */
export function checkSums({ signature, args }: Call): void {
  for (const { at, name, below } of boundsOf(signature))
    if (Math.abs(Number(args[at])) >= below)
      throw new GpuprofError('bad-capture', `${signature.name} has ${args[at]} as its ${name}; at most ${below - 1}`);
}
