/** Tables of the compatibility profile that no attribute group holds. */
import type { GlContext } from '../../gl/context.ts';
import { Scratch } from '../../gl/native.ts';
import { glEnum, glEnums } from '../constants.ts';
import type { Restore } from './state-readers.ts';

const e = glEnums(
  'GL_MAP1_COLOR_4',
  'GL_MAP2_COLOR_4',
  'GL_COEFF',
  'GL_ORDER',
  'GL_DOMAIN',
  'GL_VERTEX_PROGRAM_ARB',
  'GL_FRAGMENT_PROGRAM_ARB',
  'GL_MAX_PROGRAM_ENV_PARAMETERS_ARB',
);

const maps = 'I_TO_I S_TO_S I_TO_R I_TO_G I_TO_B I_TO_A R_TO_R G_TO_G B_TO_B A_TO_A'
  .split(' ')
  .map((name) => [glEnum(`GL_PIXEL_MAP_${name}`), glEnum(`GL_PIXEL_MAP_${name}_SIZE`)] as const);

/** Keeps all pixel maps. */
export function pixelMaps(context: GlContext): Restore {
  const { gl } = context;
  const restores = maps.map(([map, sizeName]): Restore => {
    const size = context.integer(sizeName);
    const values = new Scratch(size * 4);
    gl.glGetPixelMapfv(map, values.address);
    return () => void gl.glPixelMapfv(map, size, values.address);
  });
  return () => {
    for (const restore of restores) restore();
  };
}

/** Values of a control point, by the map's place after GL_MAP1_COLOR_4. */
const mapValues = [4, 1, 3, 1, 2, 3, 4, 3, 4];

/** Keeps all maps of evaluators; their grids are attributes. */
export function evaluators({ gl, scratch }: GlContext): Restore {
  const restores: Restore[] = [];
  for (const [place, values] of mapValues.entries())
    for (const [first, dimensions] of [
      [e.GL_MAP1_COLOR_4, 1],
      [e.GL_MAP2_COLOR_4, 2],
    ] as const) {
      const target = first + place;
      gl.glGetMapiv(target, e.GL_ORDER, scratch.address);
      const [u, v] = [scratch.i32[0], dimensions === 2 ? scratch.i32[1] : 1];
      gl.glGetMapfv(target, e.GL_DOMAIN, scratch.address);
      const [u1, u2, v1, v2] = scratch.f32.slice(0, 4);
      const points = new Scratch(u * v * values * 4);
      gl.glGetMapfv(target, e.GL_COEFF, points.address);
      restores.push(() => {
        if (dimensions === 1) gl.glMap1f(target, u1, u2, values, u, points.address);
        else gl.glMap2f(target, u1, u2, v * values, u, v1, v2, values, v, points.address);
      });
    }
  return () => {
    for (const restore of restores) restore();
  };
}

/** Keeps the environment parameters of assembly programs. */
export function programParameters(context: GlContext): Restore {
  const { gl, scratch } = context;
  const targets = [
    ['GL_ARB_vertex_program', e.GL_VERTEX_PROGRAM_ARB],
    ['GL_ARB_fragment_program', e.GL_FRAGMENT_PROGRAM_ARB],
  ] as const;
  const kept = targets
    .filter(([extension]) => context.extensions.has(extension))
    .map(([, target]) => {
      gl.glGetProgramivARB(target, e.GL_MAX_PROGRAM_ENV_PARAMETERS_ARB, scratch.address);
      const count = Math.min(4096, scratch.i32[0]);
      const values = new Scratch(count * 16);
      for (let index = 0; index < count; index++)
        gl.glGetProgramEnvParameterfvARB(target, index, values.address + index * 16);
      return { target, count, values };
    });
  return () => {
    for (const { target, count, values } of kept)
      for (let index = 0; index < count; index++)
        gl.glProgramEnvParameter4fvARB(target, index, values.address + index * 16);
  };
}
