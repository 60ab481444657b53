/** What the recorder calls on a WebGL context; TypeScript's DOM types are not used, since Node has none. */

/** A WebGL object, uniform location or sync, as the context hands it out. */
export type Handle = object;
export type Method = (...args: unknown[]) => unknown;
export type Methods = Record<string, Method>;

export interface ActiveInfo {
  readonly name: string;
  readonly size: number;
  readonly type: number;
}

/** The unwrapped context. WebGL 2 members are only called on WebGL 2. */
export interface WebGl {
  readonly drawingBufferWidth: number;
  readonly drawingBufferHeight: number;
  activeTexture(unit: number): void;
  attachShader(program: Handle, shader: Handle): void;
  beginQuery(target: number, query: Handle): void;
  bindAttribLocation(program: Handle, index: number, name: string): void;
  bindBuffer(target: number, buffer: Handle | null): void;
  bindFramebuffer(target: number, framebuffer: Handle | null): void;
  bindRenderbuffer(target: number, renderbuffer: Handle | null): void;
  bindSampler(unit: number, sampler: Handle | null): void;
  bindTexture(target: number, texture: Handle | null): void;
  bindTransformFeedback(target: number, transformFeedback: Handle | null): void;
  bindVertexArray(vertexArray: Handle | null): void;
  blendFunc(source: number, destination: number): void;
  blendFuncSeparate(sourceRgb: number, destinationRgb: number, sourceAlpha: number, destinationAlpha: number): void;
  blendEquation(mode: number): void;
  blendEquationSeparate(rgb: number, alpha: number): void;
  blitFramebuffer(
    sx0: number,
    sy0: number,
    sx1: number,
    sy1: number,
    dx0: number,
    dy0: number,
    dx1: number,
    dy1: number,
    mask: number,
    filter: number,
  ): void;
  bufferData(target: number, data: ArrayBufferView | number, usage: number): void;
  checkFramebufferStatus(target: number): number;
  clear(mask: number): void;
  clearColor(red: number, green: number, blue: number, alpha: number): void;
  colorMask(red: boolean, green: boolean, blue: boolean, alpha: boolean): void;
  compileShader(shader: Handle): void;
  createBuffer(): Handle;
  createFramebuffer(): Handle;
  createProgram(): Handle;
  createRenderbuffer(): Handle;
  createSampler(): Handle;
  createShader(type: number): Handle;
  createTexture(): Handle;
  createTransformFeedback(): Handle;
  createVertexArray(): Handle;
  deleteBuffer(buffer: Handle): void;
  deleteFramebuffer(framebuffer: Handle): void;
  deleteProgram(program: Handle): void;
  deleteRenderbuffer(renderbuffer: Handle): void;
  deleteSampler(sampler: Handle): void;
  deleteShader(shader: Handle): void;
  deleteTexture(texture: Handle): void;
  deleteTransformFeedback(transformFeedback: Handle): void;
  deleteVertexArray(vertexArray: Handle): void;
  disable(capability: number): void;
  disableVertexAttribArray(index: number): void;
  drawArrays(mode: number, first: number, count: number): void;
  enable(capability: number): void;
  enableVertexAttribArray(index: number): void;
  framebufferRenderbuffer(target: number, attachment: number, renderbufferTarget: number, buffer: Handle | null): void;
  framebufferTexture2D(
    target: number,
    attachment: number,
    textarget: number,
    texture: Handle | null,
    level: number,
  ): void;
  getActiveAttrib(program: Handle, index: number): ActiveInfo | null;
  getActiveUniform(program: Handle, index: number): ActiveInfo | null;
  getActiveUniformBlockName(program: Handle, index: number): string | null;
  getActiveUniformBlockParameter(program: Handle, index: number, pname: number): unknown;
  getAttribLocation(program: Handle, name: string): number;
  getBufferSubData(target: number, offset: number, destination: ArrayBufferView): void;
  getContextAttributes(): Record<string, unknown> | null;
  getError(): number;
  getExtension(name: string): Methods | null;
  getFramebufferAttachmentParameter(target: number, attachment: number, pname: number): unknown;
  getIndexedParameter(target: number, index: number): unknown;
  getParameter(pname: number): unknown;
  getProgramParameter(program: Handle, pname: number): unknown;
  getQuery(target: number, pname: number): Handle | null;
  getSamplerParameter(sampler: Handle, pname: number): unknown;
  getTexParameter(target: number, pname: number): unknown;
  getUniform(program: Handle, location: Handle): unknown;
  getUniformLocation(program: Handle, name: string): Handle | null;
  getVertexAttrib(index: number, pname: number): unknown;
  getVertexAttribOffset(index: number, pname: number): number;
  isBuffer(buffer: Handle): boolean;
  isContextLost(): boolean;
  isEnabled(capability: number): boolean;
  isRenderbuffer(renderbuffer: Handle): boolean;
  isTexture(texture: Handle): boolean;
  linkProgram(program: Handle): void;
  pauseTransformFeedback(): void;
  pixelStorei(pname: number, value: number | boolean): void;
  readBuffer(source: number): void;
  readPixels(
    x: number,
    y: number,
    width: number,
    height: number,
    format: number,
    type: number,
    pixels: ArrayBufferView,
  ): void;
  renderbufferStorage(target: number, format: number, width: number, height: number): void;
  resumeTransformFeedback(): void;
  samplerParameteri(sampler: Handle, pname: number, value: number): void;
  scissor(x: number, y: number, width: number, height: number): void;
  shaderSource(shader: Handle, source: string): void;
  stencilFuncSeparate(face: number, func: number, ref: number, mask: number): void;
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
    pixels: ArrayBufferView | null,
  ): void;
  texImage2D(
    target: number,
    level: number,
    internalformat: number,
    format: number,
    type: number,
    source: unknown,
  ): void;
  texParameteri(target: number, pname: number, value: number): void;
  texStorage2D(target: number, levels: number, internalformat: number, width: number, height: number): void;
  uniform1i(location: Handle | null, value: number): void;
  uniform2f(location: Handle | null, x: number, y: number): void;
  uniform3f(location: Handle | null, x: number, y: number, z: number): void;
  uniform4f(location: Handle | null, x: number, y: number, z: number, w: number): void;
  uniformMatrix3fv(location: Handle | null, transpose: boolean, value: Float32Array): void;
  useProgram(program: Handle | null): void;
  vertexAttribPointer(
    index: number,
    size: number,
    type: number,
    normalized: boolean,
    stride: number,
    offset: number,
  ): void;
  viewport(x: number, y: number, width: number, height: number): void;
}

/** Where a recorder's method keeps the one that it stands for; every copy of gpuprof in the process finds it. */
const original = Symbol.for('gpuprof.original');

export function markWrapper(wrapper: Method, wrapped: Method): void {
  Object.defineProperty(wrapper, original, { value: wrapped });
}

/** The context's own method under however many recorders. */
export function unwrapped(method: Method): Method {
  let own = method as Method & { readonly [original]?: Method };
  for (let next = own[original]; next; next = own[original]) own = next;
  return own;
}

/** All public methods of an object and its prototypes, by name. Getters are not run. */
export function methodNames(target: object): Set<string> {
  const names = new Set<string>();
  for (let at: object | null = target; at && at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (typeof property.value === 'function' && name !== 'constructor' && !name.startsWith('_')) names.add(name);
  return names;
}

/** A linked program's active attributes or uniforms, but for GL's own (`gl_...`). */
export function activeInfos(
  gl: WebGl,
  program: Handle,
  count: number,
  method: 'getActiveAttrib' | 'getActiveUniform',
): ActiveInfo[] {
  const infos: ActiveInfo[] = [];
  const total = gl.getProgramParameter(program, count) as number;
  for (let index = 0; index < total; index++) {
    const info = gl[method](program, index);
    if (info && !info.name.startsWith('gl_')) infos.push(info);
  }
  return infos;
}
