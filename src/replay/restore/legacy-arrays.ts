/** The vertex arrays of the compatibility profile, which a vertex array object holds beside the generic ones. */
import type { GlContext } from '../../gl/context.ts';
import { GL } from '../../model/gl-constants.ts';
import { glEnum, glEnums } from '../constants.ts';
import type { Restore } from './state-readers.ts';

const e = glEnums('GL_MAX_TEXTURE_COORDS');

/** By GL's name of the array: its command, and whether it has a size and a type. */
const arrays = (
  [
    ['VERTEX', 'VertexPointer', true, true],
    ['NORMAL', 'NormalPointer', false, true],
    ['COLOR', 'ColorPointer', true, true],
    ['INDEX', 'IndexPointer', false, true],
    ['EDGE_FLAG', 'EdgeFlagPointer', false, false],
    ['SECONDARY_COLOR', 'SecondaryColorPointer', true, true],
    ['FOG_COORD', 'FogCoordPointer', false, true],
    ['TEXTURE_COORD', 'TexCoordPointer', true, true],
  ] as const
).map(([name, command, hasSize, hasType]) => ({
  cap: glEnum(`GL_${name}_ARRAY`),
  pointer: glEnum(`GL_${name}_ARRAY_POINTER`),
  stride: glEnum(`GL_${name}_ARRAY_STRIDE`),
  buffer: glEnum(`GL_${name}_ARRAY_BUFFER_BINDING`),
  size: hasSize ? glEnum(`GL_${name}_ARRAY_SIZE`) : null,
  type: hasType ? glEnum(`GL_${name}_ARRAY_TYPE`) : null,
  command: `gl${command}` as `gl${string}`,
  isTexture: name === 'TEXTURE_COORD',
}));

/**
 * Keeps the arrays of the vertex array that is bound; `current` gives the name that a buffer has when they are put back. Both
 * leave the client's texture unit changed.
 */
export function saveLegacyArrays(context: GlContext, current: (buffer: number) => () => number): Restore {
  const { gl, scratch } = context;
  const restores: Restore[] = [];
  const units = context.integer(e.GL_MAX_TEXTURE_COORDS);
  for (const { cap, pointer, stride, buffer, size, type, command, isTexture } of arrays)
    for (let unit = 0; unit < (isTexture ? units : 1); unit++) {
      if (isTexture) gl.glClientActiveTexture(GL.TEXTURE0 + unit);
      const layout = [size, type, stride].flatMap((name) => (name === null ? [] : [context.integer(name)]));
      const isOn = gl.glIsEnabled(cap);
      const name = current(context.integer(buffer));
      gl.glGetPointerv(pointer, scratch.address);
      const address = Number(scratch.u64[0]);
      restores.push(() => {
        if (isTexture) gl.glClientActiveTexture(GL.TEXTURE0 + unit);
        gl.glBindBuffer(GL.ARRAY_BUFFER, name());
        gl[command](...layout, address);
        if (isOn) gl.glEnableClientState(cap);
        else gl.glDisableClientState(cap);
      });
    }
  return () => {
    for (const restore of restores) restore();
  };
}
