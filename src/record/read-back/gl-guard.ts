import { constants as c } from '../../gl/webgl2/constants.ts';
import type { BufferSettings } from '../observe/buffer-settings.ts';
import { guardExtensions } from '../snapshot/extension-settings.ts';
import type { Handle, Methods, WebGl } from '../webgl.ts';

/** The unwrapped context and what is known of it. */
export interface Target {
  readonly gl: WebGl;
  readonly version: 1 | 2;
  /** Extension objects that the program has asked for, by lower-case name, unwrapped. */
  readonly extensions: ReadonlyMap<string, Methods>;
  readonly bufferSettings: BufferSettings;
}

const VERTEX_ARRAY_BINDING = 0x85b5;
const capabilities = [
  c.BLEND,
  c.CULL_FACE,
  c.DEPTH_TEST,
  c.DITHER,
  c.SAMPLE_ALPHA_TO_COVERAGE,
  c.SAMPLE_COVERAGE,
  c.SCISSOR_TEST,
  c.STENCIL_TEST,
];

/** Forgets GL's pending errors, which are the recorder's own. */
export function dropErrors(gl: WebGl): void {
  let error = gl.getError();
  // A lost context reports itself for ever.
  while (error !== c.NO_ERROR && error !== c.CONTEXT_LOST_WEBGL) error = gl.getError();
}

/** Whether vertex arrays exist, and how to bind one: null without WebGL 2 and OES_vertex_array_object. */
export function vertexArrayBinder({ gl, version, extensions }: Target): ((vertexArray: Handle | null) => void) | null {
  if (version === 2) return (vertexArray) => gl.bindVertexArray(vertexArray);
  const extension = extensions.get('oes_vertex_array_object');
  return extension ? (vertexArray) => void extension.bindVertexArrayOES(vertexArray) : null;
}

export function currentVertexArray({ gl, version, extensions }: Target): Handle | null {
  if (version === 1 && !extensions.has('oes_vertex_array_object')) return null;
  return (gl.getParameter(VERTEX_ARRAY_BINDING) as Handle | null) ?? null;
}

/** Undoes what the recorder's own attribute array needs on WebGL 1, where it must borrow attribute 0. */
function guardAttributes(target: Target): () => void {
  const { gl } = target;
  const enabled: number[] = [];
  const count = gl.getParameter(c.MAX_VERTEX_ATTRIBS) as number;
  for (let index = 0; index < count; index++)
    if (gl.getVertexAttrib(index, c.VERTEX_ATTRIB_ARRAY_ENABLED)) {
      enabled.push(index);
      gl.disableVertexAttribArray(index);
    }
  const read = (pname: number) => gl.getVertexAttrib(0, pname);
  const buffer = read(c.VERTEX_ATTRIB_ARRAY_BUFFER_BINDING) as Handle | null;
  const pointer = [c.VERTEX_ATTRIB_ARRAY_SIZE, c.VERTEX_ATTRIB_ARRAY_TYPE, c.VERTEX_ATTRIB_ARRAY_STRIDE].map(
    read,
  ) as number[];
  const normalized = Boolean(read(c.VERTEX_ATTRIB_ARRAY_NORMALIZED));
  const offset = gl.getVertexAttribOffset(0, c.VERTEX_ATTRIB_ARRAY_POINTER);
  const instanced = target.extensions.get('angle_instanced_arrays');
  const divisor = instanced ? (read(c.VERTEX_ATTRIB_ARRAY_DIVISOR) as number) : 0;
  if (divisor) instanced?.vertexAttribDivisorANGLE(0, 0);
  return () => {
    gl.disableVertexAttribArray(0);
    if (buffer) {
      gl.bindBuffer(c.ARRAY_BUFFER, buffer);
      gl.vertexAttribPointer(0, pointer[0], pointer[1], normalized, pointer[2], offset);
    }
    if (divisor) instanced?.vertexAttribDivisorANGLE(0, divisor);
    for (const index of enabled) gl.enableVertexAttribArray(index);
  };
}

/** Bindings that both versions have; returns how to put them back. */
function guardCommon({ gl, version }: Target): () => void {
  const read = <T>(pname: number) => gl.getParameter(pname) as T;
  const enabled = capabilities.map((capability) => gl.isEnabled(capability));
  const program = read<Handle | null>(c.CURRENT_PROGRAM);
  const draw = read<Handle | null>(c.FRAMEBUFFER_BINDING);
  const readFrom = version === 2 ? read<Handle | null>(c.READ_FRAMEBUFFER_BINDING) : null;
  const renderbuffer = read<Handle | null>(c.RENDERBUFFER_BINDING);
  const unit = read<number>(c.ACTIVE_TEXTURE);
  const arrayBuffer = read<Handle | null>(c.ARRAY_BUFFER_BINDING);
  const viewport = Array.from(read<Int32Array>(c.VIEWPORT)) as [number, number, number, number];
  const mask = Array.from(read<boolean[]>(c.COLOR_WRITEMASK)) as [boolean, boolean, boolean, boolean];
  const clear = Array.from(read<Float32Array>(c.COLOR_CLEAR_VALUE)) as [number, number, number, number];
  const stencils = (
    [
      [
        c.FRONT,
        c.STENCIL_FUNC,
        c.STENCIL_REF,
        c.STENCIL_VALUE_MASK,
        c.STENCIL_FAIL,
        c.STENCIL_PASS_DEPTH_FAIL,
        c.STENCIL_PASS_DEPTH_PASS,
      ],
      [
        c.BACK,
        c.STENCIL_BACK_FUNC,
        c.STENCIL_BACK_REF,
        c.STENCIL_BACK_VALUE_MASK,
        c.STENCIL_BACK_FAIL,
        c.STENCIL_BACK_PASS_DEPTH_FAIL,
        c.STENCIL_BACK_PASS_DEPTH_PASS,
      ],
    ] as const
  ).map(([face, ...names]) => [face, ...names.map((name) => read<number>(name))]);
  const alignment = read<number>(c.PACK_ALIGNMENT);
  for (const capability of capabilities) gl.disable(capability);
  gl.colorMask(true, true, true, true);
  gl.activeTexture(c.TEXTURE0);
  const texture2d = read<Handle | null>(c.TEXTURE_BINDING_2D);
  const textureCube = read<Handle | null>(c.TEXTURE_BINDING_CUBE_MAP);
  gl.pixelStorei(c.PACK_ALIGNMENT, 1);
  return () => {
    capabilities.forEach((capability, index) => {
      if (enabled[index]) gl.enable(capability);
      else gl.disable(capability);
    });
    gl.useProgram(program);
    gl.bindFramebuffer(c.FRAMEBUFFER, draw);
    if (version === 2) gl.bindFramebuffer(c.READ_FRAMEBUFFER, readFrom);
    gl.bindRenderbuffer(c.RENDERBUFFER, renderbuffer);
    gl.bindTexture(c.TEXTURE_2D, texture2d);
    gl.bindTexture(c.TEXTURE_CUBE_MAP, textureCube);
    gl.activeTexture(unit);
    gl.bindBuffer(c.ARRAY_BUFFER, arrayBuffer);
    gl.viewport(...viewport);
    gl.colorMask(...mask);
    gl.clearColor(...clear);
    for (const [face, func, ref, valueMask, fail, depthFail, pass] of stencils) {
      gl.stencilFuncSeparate(face, func, ref, valueMask);
      gl.stencilOpSeparate(face, fail, depthFail, pass);
    }
    gl.pixelStorei(c.PACK_ALIGNMENT, alignment);
  };
}

const packNames = [c.PACK_ROW_LENGTH, c.PACK_SKIP_PIXELS, c.PACK_SKIP_ROWS];

/** What WebGL 2 adds; returns how to put it back. Texture unit 0 is active. */
function guardWebGl2({ gl }: Target): () => void {
  const pack = packNames.map((name) => gl.getParameter(name) as number);
  const packBuffer = gl.getParameter(c.PIXEL_PACK_BUFFER_BINDING) as Handle | null;
  const unpackBuffer = gl.getParameter(c.PIXEL_UNPACK_BUFFER_BINDING) as Handle | null;
  const texture3d = gl.getParameter(c.TEXTURE_BINDING_3D) as Handle | null;
  const textureArray = gl.getParameter(c.TEXTURE_BINDING_2D_ARRAY) as Handle | null;
  const sampler = gl.getParameter(c.SAMPLER_BINDING) as Handle | null;
  const discard = gl.isEnabled(c.RASTERIZER_DISCARD);
  for (const name of packNames) gl.pixelStorei(name, 0);
  gl.bindBuffer(c.PIXEL_PACK_BUFFER, null);
  gl.bindBuffer(c.PIXEL_UNPACK_BUFFER, null);
  gl.bindSampler(0, null);
  gl.disable(c.RASTERIZER_DISCARD);
  return () => {
    packNames.forEach((name, index) => {
      gl.pixelStorei(name, pack[index]);
    });
    gl.activeTexture(c.TEXTURE0);
    gl.bindTexture(c.TEXTURE_3D, texture3d);
    gl.bindTexture(c.TEXTURE_2D_ARRAY, textureArray);
    gl.bindBuffer(c.PIXEL_PACK_BUFFER, packBuffer);
    gl.bindBuffer(c.PIXEL_UNPACK_BUFFER, unpackBuffer);
    gl.bindSampler(0, sampler);
    if (discard) gl.enable(c.RASTERIZER_DISCARD);
  };
}

/**
 * Runs the recorder's own GL work with a plain state (nothing enabled, tight pixel packing, unit 0 active) and puts
 * every setting back. The program's pending errors stay pending: see call-recorder.ts.
 */
export function guarded<T>(target: Target, work: () => T): T {
  const { gl, version } = target;
  // First, since a running feedback forbids changing the program.
  const running =
    version === 2 && gl.getParameter(c.TRANSFORM_FEEDBACK_ACTIVE) && !gl.getParameter(c.TRANSFORM_FEEDBACK_PAUSED);
  if (running) gl.pauseTransformFeedback();
  const restoreCommon = guardCommon(target);
  const restoreExtensions = guardExtensions(target);
  const restoreWebGl2 = version === 2 ? guardWebGl2(target) : () => {};
  const bind = vertexArrayBinder(target);
  const vertexArray = currentVertexArray(target);
  bind?.(null);
  const restoreAttributes = version === 1 ? guardAttributes(target) : () => {};
  try {
    return work();
  } finally {
    restoreAttributes();
    bind?.(vertexArray);
    restoreWebGl2();
    restoreExtensions();
    restoreCommon();
    target.bufferSettings.apply(gl as unknown as Methods, target.extensions.get('oes_draw_buffers_indexed'));
    if (running) gl.resumeTransformFeedback();
  }
}
