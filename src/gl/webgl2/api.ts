// biome-ignore-all lint/suspicious/noExplicitAny: what these return varies with the name asked for
import type { constants } from './constants.ts';
import type {
  WebGLActiveInfo,
  WebGLBuffer,
  WebGLFramebuffer,
  WebGLProgram,
  WebGLQuery,
  WebGLRenderbuffer,
  WebGLSampler,
  WebGLShader,
  WebGLSync,
  WebGLTexture,
  WebGLTransformFeedback,
  WebGLUniformLocation,
  WebGLVertexArrayObject,
} from './objects.ts';

export type NumberList = ArrayLike<number>;
/** A view, a byte offset into the bound pixel buffer, or nothing. DOM sources do not exist outside a browser. */
export type PixelSource = ArrayBufferView | number | null;

export interface ContextAttributes {
  readonly alpha: boolean;
  readonly antialias: boolean;
  readonly depth: boolean;
  readonly stencil: boolean;
  readonly premultipliedAlpha: boolean;
  readonly preserveDrawingBuffer: boolean;
}

/** WebGL2RenderingContext's methods, without overloads for DOM sources; results that vary with a name are `any`. */
export interface WebGl2Methods {
  activeTexture(texture: number): void;
  attachShader(program: WebGLProgram, shader: WebGLShader): void;
  beginQuery(target: number, query: WebGLQuery): void;
  beginTransformFeedback(primitiveMode: number): void;
  bindAttribLocation(program: WebGLProgram, index: number, name: string): void;
  bindBuffer(target: number, buffer: WebGLBuffer | null): void;
  bindBufferBase(target: number, index: number, buffer: WebGLBuffer | null): void;
  bindBufferRange(target: number, index: number, buffer: WebGLBuffer | null, offset: number, size: number): void;
  bindFramebuffer(target: number, framebuffer: WebGLFramebuffer | null): void;
  bindRenderbuffer(target: number, renderbuffer: WebGLRenderbuffer | null): void;
  bindSampler(unit: number, sampler: WebGLSampler | null): void;
  bindTexture(target: number, texture: WebGLTexture | null): void;
  bindTransformFeedback(target: number, tf: WebGLTransformFeedback | null): void;
  bindVertexArray(array: WebGLVertexArrayObject | null): void;
  blendColor(red: number, green: number, blue: number, alpha: number): void;
  blendEquation(mode: number): void;
  blendEquationSeparate(modeRGB: number, modeAlpha: number): void;
  blendFunc(sfactor: number, dfactor: number): void;
  blendFuncSeparate(srcRGB: number, dstRGB: number, srcAlpha: number, dstAlpha: number): void;
  blitFramebuffer(
    srcX0: number,
    srcY0: number,
    srcX1: number,
    srcY1: number,
    dstX0: number,
    dstY0: number,
    dstX1: number,
    dstY1: number,
    mask: number,
    filter: number,
  ): void;
  bufferData(
    target: number,
    source: ArrayBufferView | ArrayBuffer | number | null,
    usage: number,
    offset?: number,
    length?: number,
  ): void;
  bufferSubData(
    target: number,
    byteOffset: number,
    source: ArrayBufferView | ArrayBuffer,
    offset?: number,
    length?: number,
  ): void;
  checkFramebufferStatus(target: number): number;
  clear(mask: number): void;
  clearBufferfi(buffer: number, drawbuffer: number, depth: number, stencil: number): void;
  clearBufferfv(buffer: number, drawbuffer: number, values: NumberList, srcOffset?: number): void;
  clearBufferiv(buffer: number, drawbuffer: number, values: NumberList, srcOffset?: number): void;
  clearBufferuiv(buffer: number, drawbuffer: number, values: NumberList, srcOffset?: number): void;
  clearColor(red: number, green: number, blue: number, alpha: number): void;
  clearDepth(depth: number): void;
  clearStencil(s: number): void;
  clientWaitSync(sync: WebGLSync, flags: number, timeout: number): number;
  colorMask(red: boolean, green: boolean, blue: boolean, alpha: boolean): void;
  compileShader(shader: WebGLShader): void;
  compressedTexImage2D(
    target: number,
    level: number,
    format: number,
    width: number,
    height: number,
    border: number,
    source: PixelSource,
    offset?: number,
    length?: number,
  ): void;
  compressedTexImage3D(
    target: number,
    level: number,
    format: number,
    width: number,
    height: number,
    depth: number,
    border: number,
    source: PixelSource,
    offset?: number,
    length?: number,
  ): void;
  compressedTexSubImage2D(
    target: number,
    level: number,
    x: number,
    y: number,
    width: number,
    height: number,
    format: number,
    source: PixelSource,
    offset?: number,
    length?: number,
  ): void;
  compressedTexSubImage3D(
    target: number,
    level: number,
    x: number,
    y: number,
    z: number,
    width: number,
    height: number,
    depth: number,
    format: number,
    source: PixelSource,
    offset?: number,
    length?: number,
  ): void;
  copyBufferSubData(
    readTarget: number,
    writeTarget: number,
    readOffset: number,
    writeOffset: number,
    size: number,
  ): void;
  copyTexImage2D(
    target: number,
    level: number,
    internalformat: number,
    x: number,
    y: number,
    width: number,
    height: number,
    border: number,
  ): void;
  copyTexSubImage2D(
    target: number,
    level: number,
    xoffset: number,
    yoffset: number,
    x: number,
    y: number,
    width: number,
    height: number,
  ): void;
  copyTexSubImage3D(
    target: number,
    level: number,
    xoffset: number,
    yoffset: number,
    zoffset: number,
    x: number,
    y: number,
    width: number,
    height: number,
  ): void;
  createBuffer(): WebGLBuffer;
  createFramebuffer(): WebGLFramebuffer;
  createProgram(): WebGLProgram;
  createQuery(): WebGLQuery;
  createRenderbuffer(): WebGLRenderbuffer;
  createSampler(): WebGLSampler;
  createShader(type: number): WebGLShader | null;
  createTexture(): WebGLTexture;
  createTransformFeedback(): WebGLTransformFeedback;
  createVertexArray(): WebGLVertexArrayObject;
  cullFace(mode: number): void;
  deleteBuffer(buffer: WebGLBuffer | null): void;
  deleteFramebuffer(framebuffer: WebGLFramebuffer | null): void;
  deleteProgram(program: WebGLProgram | null): void;
  deleteQuery(query: WebGLQuery | null): void;
  deleteRenderbuffer(renderbuffer: WebGLRenderbuffer | null): void;
  deleteSampler(sampler: WebGLSampler | null): void;
  deleteShader(shader: WebGLShader | null): void;
  deleteSync(sync: WebGLSync | null): void;
  deleteTexture(texture: WebGLTexture | null): void;
  deleteTransformFeedback(tf: WebGLTransformFeedback | null): void;
  deleteVertexArray(vertexArray: WebGLVertexArrayObject | null): void;
  depthFunc(func: number): void;
  depthMask(flag: boolean): void;
  depthRange(zNear: number, zFar: number): void;
  detachShader(program: WebGLProgram, shader: WebGLShader): void;
  disable(cap: number): void;
  disableVertexAttribArray(index: number): void;
  drawArrays(mode: number, first: number, count: number): void;
  drawArraysInstanced(mode: number, first: number, count: number, instanceCount: number): void;
  drawBuffers(buffers: readonly number[]): void;
  drawElements(mode: number, count: number, type: number, offset: number): void;
  drawElementsInstanced(mode: number, count: number, type: number, offset: number, instanceCount: number): void;
  drawRangeElements(mode: number, start: number, end: number, count: number, type: number, offset: number): void;
  enable(cap: number): void;
  enableVertexAttribArray(index: number): void;
  endQuery(target: number): void;
  endTransformFeedback(): void;
  fenceSync(condition: number, flags: number): WebGLSync | null;
  finish(): void;
  flush(): void;
  framebufferRenderbuffer(
    target: number,
    attachment: number,
    renderbuffertarget: number,
    renderbuffer: WebGLRenderbuffer | null,
  ): void;
  framebufferTexture2D(
    target: number,
    attachment: number,
    textarget: number,
    texture: WebGLTexture | null,
    level: number,
  ): void;
  framebufferTextureLayer(
    target: number,
    attachment: number,
    texture: WebGLTexture | null,
    level: number,
    layer: number,
  ): void;
  frontFace(mode: number): void;
  generateMipmap(target: number): void;
  getActiveAttrib(program: WebGLProgram, index: number): WebGLActiveInfo | null;
  getActiveUniform(program: WebGLProgram, index: number): WebGLActiveInfo | null;
  getActiveUniformBlockName(program: WebGLProgram, uniformBlockIndex: number): string | null;
  getActiveUniformBlockParameter(program: WebGLProgram, uniformBlockIndex: number, pname: number): any;
  getActiveUniforms(program: WebGLProgram, uniformIndices: readonly number[], pname: number): any;
  getAttachedShaders(program: WebGLProgram): WebGLShader[] | null;
  getAttribLocation(program: WebGLProgram, name: string): number;
  getBufferParameter(target: number, pname: number): any;
  getBufferSubData(
    target: number,
    srcByteOffset: number,
    dstBuffer: ArrayBufferView,
    dstOffset?: number,
    length?: number,
  ): void;
  getContextAttributes(): ContextAttributes;
  getError(): number;
  getExtension(name: string): any;
  getFragDataLocation(program: WebGLProgram, name: string): number;
  getFramebufferAttachmentParameter(target: number, attachment: number, pname: number): any;
  getIndexedParameter(target: number, index: number): any;
  getInternalformatParameter(target: number, internalformat: number, pname: number): any;
  getParameter(pname: number): any;
  getProgramInfoLog(program: WebGLProgram): string | null;
  getProgramParameter(program: WebGLProgram, pname: number): any;
  getQuery(target: number, pname: number): WebGLQuery | null;
  getQueryParameter(query: WebGLQuery, pname: number): any;
  getRenderbufferParameter(target: number, pname: number): any;
  getSamplerParameter(sampler: WebGLSampler, pname: number): any;
  getShaderInfoLog(shader: WebGLShader): string | null;
  getShaderParameter(shader: WebGLShader, pname: number): any;
  getShaderPrecisionFormat(
    shadertype: number,
    precisiontype: number,
  ): { rangeMin: number; rangeMax: number; precision: number };
  getShaderSource(shader: WebGLShader): string | null;
  getSupportedExtensions(): string[];
  getSyncParameter(sync: WebGLSync, pname: number): any;
  getTexParameter(target: number, pname: number): any;
  getTransformFeedbackVarying(program: WebGLProgram, index: number): WebGLActiveInfo | null;
  getUniform(program: WebGLProgram, location: WebGLUniformLocation): any;
  getUniformBlockIndex(program: WebGLProgram, uniformBlockName: string): number;
  getUniformIndices(program: WebGLProgram, uniformNames: string[]): number[] | null;
  getUniformLocation(program: WebGLProgram, name: string): WebGLUniformLocation | null;
  getVertexAttrib(index: number, pname: number): any;
  getVertexAttribOffset(index: number, pname: number): number;
  hint(target: number, mode: number): void;
  invalidateFramebuffer(target: number, attachments: readonly number[]): void;
  invalidateSubFramebuffer(
    target: number,
    attachments: readonly number[],
    x: number,
    y: number,
    width: number,
    height: number,
  ): void;
  isBuffer(buffer: WebGLBuffer | null): boolean;
  isContextLost(): boolean;
  isEnabled(cap: number): boolean;
  isFramebuffer(framebuffer: WebGLFramebuffer | null): boolean;
  isProgram(program: WebGLProgram | null): boolean;
  isQuery(query: WebGLQuery | null): boolean;
  isRenderbuffer(renderbuffer: WebGLRenderbuffer | null): boolean;
  isSampler(sampler: WebGLSampler | null): boolean;
  isShader(shader: WebGLShader | null): boolean;
  isSync(sync: WebGLSync | null): boolean;
  isTexture(texture: WebGLTexture | null): boolean;
  isTransformFeedback(tf: WebGLTransformFeedback | null): boolean;
  isVertexArray(vertexArray: WebGLVertexArrayObject | null): boolean;
  lineWidth(width: number): void;
  linkProgram(program: WebGLProgram): void;
  pauseTransformFeedback(): void;
  pixelStorei(pname: number, param: number | boolean): void;
  polygonOffset(factor: number, units: number): void;
  readBuffer(src: number): void;
  readPixels(
    x: number,
    y: number,
    width: number,
    height: number,
    format: number,
    type: number,
    destination: PixelSource,
    offset?: number,
  ): void;
  renderbufferStorage(target: number, internalformat: number, width: number, height: number): void;
  renderbufferStorageMultisample(
    target: number,
    samples: number,
    internalformat: number,
    width: number,
    height: number,
  ): void;
  resumeTransformFeedback(): void;
  sampleCoverage(value: number, invert: boolean): void;
  samplerParameterf(sampler: WebGLSampler, pname: number, param: number): void;
  samplerParameteri(sampler: WebGLSampler, pname: number, param: number): void;
  scissor(x: number, y: number, width: number, height: number): void;
  shaderSource(shader: WebGLShader, source: string): void;
  stencilFunc(func: number, ref: number, mask: number): void;
  stencilFuncSeparate(face: number, func: number, ref: number, mask: number): void;
  stencilMask(mask: number): void;
  stencilMaskSeparate(face: number, mask: number): void;
  stencilOp(fail: number, zfail: number, zpass: number): void;
  stencilOpSeparate(face: number, fail: number, zfail: number, zpass: number): void;
  texImage2D(
    target: number,
    level: number,
    internalformat: number,
    width: number,
    height: number,
    border: number,
    format: number,
    type: number,
    source: PixelSource,
    offset?: number,
  ): void;
  texImage3D(
    target: number,
    level: number,
    internalformat: number,
    width: number,
    height: number,
    depth: number,
    border: number,
    format: number,
    type: number,
    source: PixelSource,
    offset?: number,
  ): void;
  texParameterf(target: number, pname: number, param: number): void;
  texParameteri(target: number, pname: number, param: number): void;
  texStorage2D(target: number, levels: number, internalformat: number, width: number, height: number): void;
  texStorage3D(
    target: number,
    levels: number,
    internalformat: number,
    width: number,
    height: number,
    depth: number,
  ): void;
  texSubImage2D(
    target: number,
    level: number,
    x: number,
    y: number,
    width: number,
    height: number,
    format: number,
    type: number,
    source: PixelSource,
    offset?: number,
  ): void;
  texSubImage3D(
    target: number,
    level: number,
    x: number,
    y: number,
    z: number,
    width: number,
    height: number,
    depth: number,
    format: number,
    type: number,
    source: PixelSource,
    offset?: number,
  ): void;
  transformFeedbackVaryings(program: WebGLProgram, varyings: readonly string[], bufferMode: number): void;
  uniform1f(location: WebGLUniformLocation | null, x: number): void;
  uniform1fv(location: WebGLUniformLocation | null, data: NumberList, srcOffset?: number, srcLength?: number): void;
  uniform1i(location: WebGLUniformLocation | null, x: number): void;
  uniform1iv(location: WebGLUniformLocation | null, data: NumberList, srcOffset?: number, srcLength?: number): void;
  uniform1ui(location: WebGLUniformLocation | null, v0: number): void;
  uniform1uiv(location: WebGLUniformLocation | null, data: NumberList, srcOffset?: number, srcLength?: number): void;
  uniform2f(location: WebGLUniformLocation | null, x: number, y: number): void;
  uniform2fv(location: WebGLUniformLocation | null, data: NumberList, srcOffset?: number, srcLength?: number): void;
  uniform2i(location: WebGLUniformLocation | null, x: number, y: number): void;
  uniform2iv(location: WebGLUniformLocation | null, data: NumberList, srcOffset?: number, srcLength?: number): void;
  uniform2ui(location: WebGLUniformLocation | null, v0: number, v1: number): void;
  uniform2uiv(location: WebGLUniformLocation | null, data: NumberList, srcOffset?: number, srcLength?: number): void;
  uniform3f(location: WebGLUniformLocation | null, x: number, y: number, z: number): void;
  uniform3fv(location: WebGLUniformLocation | null, data: NumberList, srcOffset?: number, srcLength?: number): void;
  uniform3i(location: WebGLUniformLocation | null, x: number, y: number, z: number): void;
  uniform3iv(location: WebGLUniformLocation | null, data: NumberList, srcOffset?: number, srcLength?: number): void;
  uniform3ui(location: WebGLUniformLocation | null, v0: number, v1: number, v2: number): void;
  uniform3uiv(location: WebGLUniformLocation | null, data: NumberList, srcOffset?: number, srcLength?: number): void;
  uniform4f(location: WebGLUniformLocation | null, x: number, y: number, z: number, w: number): void;
  uniform4fv(location: WebGLUniformLocation | null, data: NumberList, srcOffset?: number, srcLength?: number): void;
  uniform4i(location: WebGLUniformLocation | null, x: number, y: number, z: number, w: number): void;
  uniform4iv(location: WebGLUniformLocation | null, data: NumberList, srcOffset?: number, srcLength?: number): void;
  uniform4ui(location: WebGLUniformLocation | null, v0: number, v1: number, v2: number, v3: number): void;
  uniform4uiv(location: WebGLUniformLocation | null, data: NumberList, srcOffset?: number, srcLength?: number): void;
  uniformBlockBinding(program: WebGLProgram, uniformBlockIndex: number, uniformBlockBinding: number): void;
  uniformMatrix2fv(
    location: WebGLUniformLocation | null,
    transpose: boolean,
    data: NumberList,
    srcOffset?: number,
    srcLength?: number,
  ): void;
  uniformMatrix2x3fv(
    location: WebGLUniformLocation | null,
    transpose: boolean,
    data: NumberList,
    srcOffset?: number,
    srcLength?: number,
  ): void;
  uniformMatrix2x4fv(
    location: WebGLUniformLocation | null,
    transpose: boolean,
    data: NumberList,
    srcOffset?: number,
    srcLength?: number,
  ): void;
  uniformMatrix3fv(
    location: WebGLUniformLocation | null,
    transpose: boolean,
    data: NumberList,
    srcOffset?: number,
    srcLength?: number,
  ): void;
  uniformMatrix3x2fv(
    location: WebGLUniformLocation | null,
    transpose: boolean,
    data: NumberList,
    srcOffset?: number,
    srcLength?: number,
  ): void;
  uniformMatrix3x4fv(
    location: WebGLUniformLocation | null,
    transpose: boolean,
    data: NumberList,
    srcOffset?: number,
    srcLength?: number,
  ): void;
  uniformMatrix4fv(
    location: WebGLUniformLocation | null,
    transpose: boolean,
    data: NumberList,
    srcOffset?: number,
    srcLength?: number,
  ): void;
  uniformMatrix4x2fv(
    location: WebGLUniformLocation | null,
    transpose: boolean,
    data: NumberList,
    srcOffset?: number,
    srcLength?: number,
  ): void;
  uniformMatrix4x3fv(
    location: WebGLUniformLocation | null,
    transpose: boolean,
    data: NumberList,
    srcOffset?: number,
    srcLength?: number,
  ): void;
  useProgram(program: WebGLProgram | null): void;
  validateProgram(program: WebGLProgram): void;
  vertexAttrib1f(index: number, x: number): void;
  vertexAttrib1fv(index: number, values: NumberList): void;
  vertexAttrib2f(index: number, x: number, y: number): void;
  vertexAttrib2fv(index: number, values: NumberList): void;
  vertexAttrib3f(index: number, x: number, y: number, z: number): void;
  vertexAttrib3fv(index: number, values: NumberList): void;
  vertexAttrib4f(index: number, x: number, y: number, z: number, w: number): void;
  vertexAttrib4fv(index: number, values: NumberList): void;
  vertexAttribDivisor(index: number, divisor: number): void;
  vertexAttribI4i(index: number, x: number, y: number, z: number, w: number): void;
  vertexAttribI4iv(index: number, values: NumberList): void;
  vertexAttribI4ui(index: number, x: number, y: number, z: number, w: number): void;
  vertexAttribI4uiv(index: number, values: NumberList): void;
  vertexAttribIPointer(index: number, size: number, type: number, stride: number, offset: number): void;
  vertexAttribPointer(
    index: number,
    size: number,
    type: number,
    normalized: boolean,
    stride: number,
    offset: number,
  ): void;
  viewport(x: number, y: number, width: number, height: number): void;
  waitSync(sync: WebGLSync, flags: number, timeout: number): void;
}

/** What a WebGL 2 program sees. */
export type WebGl2 = { readonly [Name in keyof typeof constants]: number } & WebGl2Methods & {
    readonly drawingBufferWidth: number;
    readonly drawingBufferHeight: number;
  };
