/** Context state of which there is one for every draw buffer, viewport or word of the sample mask. */
import { glEnum } from '../constants.ts';
import type { Reader, Restore } from './state-readers.ts';

export const blendNames =
  'BLEND_SRC_RGB BLEND_DST_RGB BLEND_SRC_ALPHA BLEND_DST_ALPHA BLEND_EQUATION_RGB BLEND_EQUATION_ALPHA';
const GL_BLEND = glEnum('GL_BLEND');
const GL_SCISSOR_TEST = glEnum('GL_SCISSOR_TEST');
const GL_COLOR_WRITEMASK = glEnum('GL_COLOR_WRITEMASK');

/** Blending and colour mask, of every draw buffer where they are separate. */
export const perDrawBuffer: Reader = (context) => {
  const { gl, scratch } = context;
  if (!context.find('glBlendFuncSeparatei') || !context.find('glColorMaski') || !context.find('glGetBooleani_v'))
    return undefined;
  const restores: Restore[] = [];
  for (let index = 0; index < context.integer(glEnum('GL_MAX_DRAW_BUFFERS')); index++) {
    const v = blendNames.split(' ').map((name) => {
      gl.glGetIntegeri_v(glEnum(`GL_${name}`), index, scratch.address);
      return scratch.i32[0];
    });
    gl.glGetBooleani_v(GL_COLOR_WRITEMASK, index, scratch.address);
    const mask = [...scratch.u8.slice(0, 4)];
    const on = gl.glIsEnabledi(GL_BLEND, index);
    restores.push(() => {
      gl.glBlendFuncSeparatei(index, v[0], v[1], v[2], v[3]);
      gl.glBlendEquationSeparatei(index, v[4], v[5]);
      gl.glColorMaski(index, mask[0], mask[1], mask[2], mask[3]);
      if (on) gl.glEnablei(GL_BLEND, index);
      else gl.glDisablei(GL_BLEND, index);
    });
  }
  return () => {
    for (const restore of restores) restore();
  };
};

export const sampleMask: Reader = (context) => {
  const { gl, scratch } = context;
  if (!context.find('glSampleMaski')) return undefined;
  const masks: number[] = [];
  for (let word = 0; word < context.integer(glEnum('GL_MAX_SAMPLE_MASK_WORDS')); word++) {
    gl.glGetIntegeri_v(glEnum('GL_SAMPLE_MASK_VALUE'), word, scratch.address);
    masks.push(scratch.u32[0]);
  }
  return () => {
    for (const [word, mask] of masks.entries()) gl.glSampleMaski(word, mask);
  };
};

/** Viewport, scissor and depth range of every viewport after the first, whose commands set them all. */
export const perViewport: Reader = (context) => {
  const { gl, scratch } = context;
  if (!context.find('glViewportIndexedf') || !context.find('glGetFloati_v')) return undefined;
  const depthRange = context.find('glDepthRangeIndexed') ?? context.find('glDepthRangeIndexedfOES');
  const restores: Restore[] = [];
  for (let index = 0; index < context.integer(glEnum('GL_MAX_VIEWPORTS')); index++) {
    const read = (name: `GL_${string}`, count: number) => {
      gl.glGetFloati_v(glEnum(name), index, scratch.address);
      return [...scratch.f32.slice(0, count)];
    };
    const viewport = read('GL_VIEWPORT', 4);
    const range = read('GL_DEPTH_RANGE', 2);
    gl.glGetIntegeri_v(glEnum('GL_SCISSOR_BOX'), index, scratch.address);
    const scissor = [...scratch.i32.slice(0, 4)];
    const on = gl.glIsEnabledi(GL_SCISSOR_TEST, index);
    restores.push(() => {
      gl.glViewportIndexedf(index, ...viewport);
      gl.glScissorIndexed(index, ...scissor);
      depthRange?.(index, ...range);
      if (on) gl.glEnablei(GL_SCISSOR_TEST, index);
      else gl.glDisablei(GL_SCISSOR_TEST, index);
    });
  }
  return () => {
    for (const restore of restores) restore();
  };
};
