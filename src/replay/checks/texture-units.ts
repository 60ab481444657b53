/**
 * Commands of GL_EXT_direct_state_access that name what they change by a texture unit, and a target of it. Mesa 22.3 does not
 * look whether there is such a unit or target.
 */
import { GpuprofError } from '../../errors.ts';
import type { Call } from '../../model/call.ts';
import { baseName, GL } from '../../model/gl-constants.ts';
import { perSignature } from '../../model/per-signature.ts';
import { glEnums } from '../constants.ts';

/** GL has names for so many. */
const mostUnits = 32;
/** Mesa's drivers and NVIDIA's have so many for texture coordinates. */
const mostCoordinateUnits = 8;

const e = glEnums(
  'GL_TEXTURE_1D',
  'GL_PROXY_TEXTURE_1D',
  'GL_TEXTURE_RECTANGLE',
  'GL_PROXY_TEXTURE_RECTANGLE',
  'GL_TEXTURE_1D_ARRAY',
  'GL_PROXY_TEXTURE_1D_ARRAY',
  'GL_PROXY_TEXTURE_2D',
  'GL_PROXY_TEXTURE_CUBE_MAP',
  'GL_TEXTURE_2D_ARRAY',
  'GL_PROXY_TEXTURE_2D_ARRAY',
  'GL_PROXY_TEXTURE_3D',
  'GL_TEXTURE_CUBE_MAP_ARRAY',
  'GL_PROXY_TEXTURE_CUBE_MAP_ARRAY',
  'GL_TEXTURE_CUBE_MAP_POSITIVE_X',
);
const faces = Array.from({ length: 6 }, (_, face) => e.GL_TEXTURE_CUBE_MAP_POSITIVE_X + face);

interface Targets {
  /** With images. */
  readonly real: readonly number[];
  /** Without: to be asked whether an image could be had. */
  readonly proxies: readonly number[];
}

const byDimensions: Readonly<Record<string, Targets>> = {
  1: { real: [e.GL_TEXTURE_1D], proxies: [e.GL_PROXY_TEXTURE_1D] },
  2: {
    real: [GL.TEXTURE_2D, e.GL_TEXTURE_RECTANGLE, e.GL_TEXTURE_1D_ARRAY, ...faces],
    proxies: [
      e.GL_PROXY_TEXTURE_2D,
      e.GL_PROXY_TEXTURE_RECTANGLE,
      e.GL_PROXY_TEXTURE_1D_ARRAY,
      e.GL_PROXY_TEXTURE_CUBE_MAP,
    ],
  },
  3: {
    real: [GL.TEXTURE_3D, e.GL_TEXTURE_2D_ARRAY, e.GL_TEXTURE_CUBE_MAP_ARRAY],
    proxies: [e.GL_PROXY_TEXTURE_3D, e.GL_PROXY_TEXTURE_2D_ARRAY, e.GL_PROXY_TEXTURE_CUBE_MAP_ARRAY],
  },
};

interface Named {
  readonly unitAt: number;
  readonly units: number;
  /** Of the argument after the unit; null where it is none. */
  readonly targets: ReadonlySet<number> | null;
}

const namedBy = perSignature(({ name, params }): Named | null => {
  const base = baseName(name);
  const unitAt = params.findIndex((param) => param.name === 'texunit');
  if (unitAt < 0) return null;
  if (/^(MultiTexCoordPointer|VertexArrayMultiTexCoordOffset)$/.test(base))
    return { unitAt, units: mostCoordinateUnits, targets: null };
  const image = /^(Compressed|Copy)?MultiTex(Sub)?Image([123])D$/.exec(base);
  if (!image) return { unitAt, units: mostUnits, targets: null };
  const [, kind, sub, dimensions] = image;
  const { real, proxies } = byDimensions[dimensions];
  const takesProxies = kind !== 'Copy' && sub === undefined;
  return { unitAt, units: mostUnits, targets: new Set(takesProxies ? [...real, ...proxies] : real) };
});

/** Throws GpuprofError `bad-capture` for a call that names a unit, or a target of it, that there is not. */
export function checkUnit({ signature, args }: Call): void {
  const named = namedBy(signature);
  if (!named) return;
  const { unitAt, units, targets } = named;
  const unit = Number(args[unitAt]) - GL.TEXTURE0;
  if (unit < 0 || unit >= units)
    throw new GpuprofError('bad-capture', `${signature.name} names texture unit ${unit}; there are ${units}`);
  const target = Number(args[unitAt + 1]);
  if (targets && !targets.has(target))
    throw new GpuprofError('bad-capture', `${signature.name} has 0x${target.toString(16)} as its target`);
}
