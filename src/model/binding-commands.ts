import type { Attachment, Bindings } from './bindings.ts';
import type { Argument, DataArgument } from './call.ts';
import { baseName, bindingTarget, GL } from './gl-constants.ts';

/** What one GL command does to the bindings; arguments in the registry's order. */
export type BindingCommand = (bindings: Bindings, args: readonly Argument[]) => void;

const number = (value: Argument): number => Number(value);
/** Empty for what is no list: a bad capture may give a command other parameters than GL does. */
const ids = (value: Argument): readonly number[] => (Array.isArray(value) ? value : []);

export function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

/** 32-bit words stored inline with a call; none for anything else. */
export function inlineWords(value: Argument): readonly number[] {
  const data = value as DataArgument;
  if (data?.kind !== 'inline') return [];
  const view = new DataView(data.bytes.buffer, data.bytes.byteOffset, data.bytes.byteLength & ~3);
  return Array.from({ length: view.byteLength / 4 }, (_, index) => view.getUint32(index * 4, true));
}

function setOrDelete(map: Map<number, number>, key: number, id: number): void {
  if (id) map.set(key, id);
  else map.delete(key);
}

function bindBuffer(b: Bindings, target: number, buffer: number): void {
  if (target === GL.ELEMENT_ARRAY_BUFFER) b.vertexArrayBindings().elementBuffer = buffer;
  else setOrDelete(b.buffers, target, buffer);
}

function bindIndexed(
  map: Map<number, unknown>,
  index: number,
  buffer: number,
  offset = 0,
  sizeBytes: number | null = null,
) {
  if (buffer) map.set(index, { buffer, offset, sizeBytes });
  else map.delete(index);
}

/**
 * Lists that may be a null pointer are stored empty: then every one of `count` places is unbound (as many as a context
 * can have at most, whatever a bad capture says).
 */
function eachOf(count: Argument, list: Argument, visit: (id: number, index: number) => void): void {
  const length = Math.min(number(count), Math.max(ids(list).length, 4096));
  for (let index = 0; index < length; index++) visit(ids(list)[index] ?? 0, index);
}

function bindTexture(b: Bindings, unit: number, target: number, texture: number): void {
  if (texture && !b.textureTargets.has(texture)) b.textureTargets.set(texture, target);
  setOrDelete(
    getOrAdd(b.textures, unit, () => new Map()),
    target,
    texture,
  );
}

/** Binds to the target the texture was made with; texture 0 unbinds every target of the unit. */
function bindTextureUnit(b: Bindings, unit: number, texture: number): void {
  if (texture === 0) b.textures.get(unit)?.clear();
  else bindTexture(b, unit, b.textureTargets.get(texture) ?? GL.TEXTURE_2D, texture);
}

function attach(b: Bindings, framebuffer: number, point: number, attachment: Attachment): void {
  const { attachments } = b.framebuffer(framebuffer);
  const points = point === GL.DEPTH_STENCIL_ATTACHMENT ? [GL.DEPTH_ATTACHMENT, GL.STENCIL_ATTACHMENT] : [point];
  for (const each of points) {
    if (attachment.id) attachments.set(each, attachment);
    else attachments.delete(each);
  }
}

type Attach = (args: readonly Argument[]) => Attachment;

const texture = (id: Argument, level: Argument, layer: number | null, textureTarget = 0): Attachment => ({
  kind: 'texture',
  id: number(id),
  level: number(level),
  layer,
  textureTarget,
});

const face = (target: number): number =>
  bindingTarget(target) === target ? 0 : target - GL.TEXTURE_CUBE_MAP_POSITIVE_X;

/** What each attaching command attaches; its arguments begin with a target or a framebuffer, then the point. */
const attachers: Readonly<Record<string, Attach>> = {
  Renderbuffer: (a) => ({ kind: 'renderbuffer', id: number(a[3]), level: 0, layer: 0, textureTarget: 0 }),
  Texture: (a) => texture(a[2], a[3], null),
  Texture1D: (a) => texture(a[3], a[4], 0, number(a[2])),
  Texture2D: (a) => texture(a[3], a[4], face(number(a[2])), number(a[2])),
  Texture2DMultisample: (a) => texture(a[3], a[4], face(number(a[2])), number(a[2])),
  Texture3D: (a) => texture(a[3], a[4], number(a[5]), number(a[2])),
  TextureLayer: (a) => texture(a[2], a[3], number(a[4])),
  TextureFace: (a) => texture(a[2], a[3], face(number(a[4])), number(a[4])),
  TextureMultiviewOVR: (a) => texture(a[2], a[3], null),
  TextureMultisampleMultiviewOVR: (a) => texture(a[2], a[3], null),
};

/** Deletion unbinds from the context and from the containers bound to it, not from others (GL 4.6, section 5.1.2). */
function forgetBuffer(b: Bindings, id: number): void {
  for (const [target, bound] of b.buffers) if (bound === id) b.buffers.delete(target);
  for (const map of [...b.indexedBuffers.values(), b.transformFeedbackBindings().buffers])
    for (const [index, bound] of map) if (bound.buffer === id) map.delete(index);
  const array = b.vertexArrayBindings();
  if (array.elementBuffer === id) array.elementBuffer = 0;
  for (const [index, bound] of array.buffers) if (bound === id) array.buffers.delete(index);
}

function forgetAttachment(b: Bindings, kind: Attachment['kind'], id: number): void {
  for (const bound of new Set([b.drawFramebuffer, b.readFramebuffer]))
    for (const [point, attachment] of b.framebuffer(bound).attachments)
      if (attachment.kind === kind && attachment.id === id) b.framebuffer(bound).attachments.delete(point);
}

function forgetTexture(b: Bindings, id: number): void {
  for (const unit of b.textures.values()) for (const [target, bound] of unit) if (bound === id) unit.delete(target);
  for (const [unit, image] of b.images) if (image.texture === id) b.images.delete(unit);
  forgetAttachment(b, 'texture', id);
}

const deleting =
  (forget: (b: Bindings, id: number) => void): BindingCommand =>
  (b, a) => {
    for (const id of ids(a[1])) if (id) forget(b, id);
  };

const attribPointer: BindingCommand = (b, a) => {
  const array = b.vertexArrayBindings();
  array.attributeBinding.delete(number(a[0]));
  setOrDelete(array.buffers, number(a[0]), b.buffer(GL.ARRAY_BUFFER));
};

const arrayAttribOffset: BindingCommand = (b, a) => {
  const array = b.vertexArrayBindings(number(a[0]));
  array.attributeBinding.delete(number(a[2]));
  setOrDelete(array.buffers, number(a[2]), number(a[1]));
};

const attribBinding =
  (array: (b: Bindings, a: readonly Argument[]) => number, first: number): BindingCommand =>
  (b, a) => {
    const bindings = b.vertexArrayBindings(array(b, a)).attributeBinding;
    if (a[first] === a[first + 1]) bindings.delete(number(a[first]));
    else bindings.set(number(a[first]), number(a[first + 1]));
  };

const currentArray = (b: Bindings): number => b.vertexArray;
const givenArray = (_: Bindings, a: readonly Argument[]): number => number(a[0]);

const vertexBuffer =
  (array: (b: Bindings, a: readonly Argument[]) => number, first: number): BindingCommand =>
  (b, a) =>
    setOrDelete(b.vertexArrayBindings(array(b, a)).buffers, number(a[first]), number(a[first + 1]));

const vertexBuffers =
  (array: (b: Bindings, a: readonly Argument[]) => number, first: number): BindingCommand =>
  (b, a) => {
    const { buffers } = b.vertexArrayBindings(array(b, a));
    eachOf(a[first + 1], a[first + 2], (id, index) => setOrDelete(buffers, number(a[first]) + index, id));
  };

const enable =
  (array: (b: Bindings, a: readonly Argument[]) => number, at: number, on: boolean): BindingCommand =>
  (b, a) => {
    const { enabled } = b.vertexArrayBindings(array(b, a));
    if (on) enabled.add(number(a[at]));
    else enabled.delete(number(a[at]));
  };

const image =
  (unit: number, texture: number, a: readonly Argument[]) =>
  (b: Bindings): void => {
    if (texture === 0) b.images.delete(unit);
    else
      b.images.set(unit, {
        texture,
        level: number(a[2]),
        layered: Boolean(a[3]),
        layer: number(a[4]),
        access: number(a[5]),
        format: number(a[6]),
      });
  };

const feedback =
  (change: { active?: boolean; paused?: boolean }): BindingCommand =>
  (b) => {
    Object.assign(b.transformFeedbackBindings(), change);
  };

const readWrite = 0x88ba;

const GL_TEXTURE_BIT = 0x40000;
const GL_PIXEL_MODE_BIT = 0x20;
const GL_CLIENT_PIXEL_STORE_BIT = 1;
const GL_CLIENT_VERTEX_ARRAY_BIT = 2;
/** Deeper than any driver's attribute stacks: a bad capture must not fill memory. */
const mostSaved = 64;

function replaceAll<K, V>(map: Map<K, V>, entries: Iterable<readonly [K, V]>): void {
  const kept = [...entries];
  map.clear();
  for (const [key, value] of kept) map.set(key, value);
}

/** What of the bindings the attribute groups of `mask` hold; returns what puts them back. */
function saveAttributes(b: Bindings, mask: number): () => void {
  const textures =
    mask & GL_TEXTURE_BIT ? [...b.textures].map(([unit, targets]) => [unit, new Map(targets)] as const) : null;
  const { activeUnit } = b;
  const drawBuffers = mask & GL.COLOR_BUFFER_BIT ? b.framebuffer(b.drawFramebuffer).drawBuffers : null;
  const readBuffer = mask & GL_PIXEL_MODE_BIT ? b.framebuffer(b.readFramebuffer).readBuffer : null;
  return () => {
    if (textures) {
      replaceAll(b.textures, textures);
      b.activeUnit = activeUnit;
    }
    if (drawBuffers) b.framebuffer(b.drawFramebuffer).drawBuffers = drawBuffers;
    if (readBuffer !== null) b.framebuffer(b.readFramebuffer).readBuffer = readBuffer;
  };
}

function saveClientAttributes(b: Bindings, mask: number): () => void {
  const bound = (targets: readonly number[]) => targets.map((target) => [target, b.buffer(target)] as const);
  const pixels = mask & GL_CLIENT_PIXEL_STORE_BIT ? bound([GL.PIXEL_PACK_BUFFER, GL.PIXEL_UNPACK_BUFFER]) : [];
  const isArrays = (mask & GL_CLIENT_VERTEX_ARRAY_BIT) !== 0;
  const arrays = isArrays ? bound([GL.ARRAY_BUFFER]) : [];
  const { vertexArray } = b;
  const array = b.vertexArrayBindings();
  const [buffers, binding, enabled] = [[...array.buffers], [...array.attributeBinding], [...array.enabled]];
  const { elementBuffer } = array;
  return () => {
    for (const [target, buffer] of [...pixels, ...arrays]) bindBuffer(b, target, buffer);
    if (!isArrays) return;
    b.vertexArray = vertexArray;
    const now = b.vertexArrayBindings();
    replaceAll(now.buffers, buffers);
    replaceAll(now.attributeBinding, binding);
    now.enabled.clear();
    for (const attribute of enabled) now.enabled.add(attribute);
    now.elementBuffer = elementBuffer;
  };
}

const push =
  (stack: (b: Bindings) => (() => void)[], save: (b: Bindings, mask: number) => () => void): BindingCommand =>
  (b, a) => {
    if (stack(b).length < mostSaved) stack(b).push(save(b, number(a[0])));
  };
const pop =
  (stack: (b: Bindings) => (() => void)[]): BindingCommand =>
  (b) => {
    stack(b).pop()?.();
    b.attributeFloor = Math.min(b.attributeFloor, b.attributeStack.length + b.clientAttributeStack.length);
  };
const serverStack = (b: Bindings) => b.attributeStack;
const clientStack = (b: Bindings) => b.clientAttributeStack;

const commands: Readonly<Record<string, BindingCommand>> = {
  Begin: (b) => {
    b.insideBegin = true;
  },
  End: (b) => {
    b.insideBegin = false;
  },
  PushAttrib: push(serverStack, saveAttributes),
  PopAttrib: pop(serverStack),
  PushClientAttrib: push(clientStack, saveClientAttributes),
  PopClientAttrib: pop(clientStack),
  BindProgram: (b, a) => {
    setOrDelete(b.assemblyPrograms, number(a[0]), number(a[1]));
    b.assemblyTargets.set(number(a[1]), number(a[0]));
  },

  BindBuffer: (b, a) => bindBuffer(b, number(a[0]), number(a[1])),
  BindBufferBase: (b, a) => {
    bindBuffer(b, number(a[0]), number(a[2]));
    bindIndexed(b.indexed(number(a[0])), number(a[1]), number(a[2]));
  },
  BindBufferRange: (b, a) => {
    bindBuffer(b, number(a[0]), number(a[2]));
    bindIndexed(b.indexed(number(a[0])), number(a[1]), number(a[2]), number(a[3]), number(a[4]));
  },
  BindBufferOffset: (b, a) => {
    bindBuffer(b, number(a[0]), number(a[2]));
    bindIndexed(b.indexed(number(a[0])), number(a[1]), number(a[2]), number(a[3]));
  },
  BindBuffersBase: (b, a) =>
    eachOf(a[2], a[3], (id, index) => bindIndexed(b.indexed(number(a[0])), number(a[1]) + index, id)),
  BindBuffersRange: (b, a) => {
    const offsets = inlineWords(a[4]);
    const sizes = inlineWords(a[5]);
    const wide = (list: readonly number[], index: number) =>
      (list[index * 2] ?? 0) + (list[index * 2 + 1] ?? 0) * 2 ** 32;
    eachOf(a[2], a[3], (id, index) =>
      bindIndexed(b.indexed(number(a[0])), number(a[1]) + index, id, wide(offsets, index), wide(sizes, index)),
    );
  },
  TransformFeedbackBufferBase: (b, a) =>
    bindIndexed(b.transformFeedbackBindings(number(a[0])).buffers, number(a[1]), number(a[2])),
  TransformFeedbackBufferRange: (b, a) =>
    bindIndexed(
      b.transformFeedbackBindings(number(a[0])).buffers,
      number(a[1]),
      number(a[2]),
      number(a[3]),
      number(a[4]),
    ),
  DeleteBuffers: deleting(forgetBuffer),

  ActiveTexture: (b, a) => {
    b.activeUnit = number(a[0]) - GL.TEXTURE0;
  },
  BindTexture: (b, a) => bindTexture(b, b.activeUnit, number(a[0]), number(a[1])),
  BindMultiTexture: (b, a) => bindTexture(b, number(a[0]) - GL.TEXTURE0, number(a[1]), number(a[2])),
  BindTextureUnit: (b, a) => bindTextureUnit(b, number(a[0]), number(a[1])),
  BindTextures: (b, a) => eachOf(a[1], a[2], (id, index) => bindTextureUnit(b, number(a[0]) + index, id)),
  CreateTextures: (b, a) => {
    for (const id of ids(a[2])) b.textureTargets.set(id, number(a[0]));
  },
  TextureView: (b, a) => {
    b.textureTargets.set(number(a[0]), number(a[1]));
  },
  DeleteTextures: deleting(forgetTexture),
  BindSampler: (b, a) => setOrDelete(b.samplers, number(a[0]), number(a[1])),
  BindSamplers: (b, a) => eachOf(a[1], a[2], (id, index) => setOrDelete(b.samplers, number(a[0]) + index, id)),
  DeleteSamplers: deleting((b, id) => {
    for (const [unit, bound] of b.samplers) if (bound === id) b.samplers.delete(unit);
  }),
  BindImageTexture: (b, a) => image(number(a[0]), number(a[1]), a)(b),
  BindImageTextures: (b, a) =>
    eachOf(a[1], a[2], (id, index) => image(number(a[0]) + index, id, [0, 0, 0, 1, 0, readWrite, 0])(b)),

  BindFramebuffer: (b, a) => {
    if (a[0] !== GL.READ_FRAMEBUFFER) b.drawFramebuffer = number(a[1]);
    if (a[0] !== GL.DRAW_FRAMEBUFFER) b.readFramebuffer = number(a[1]);
  },
  DeleteFramebuffers: deleting((b, id) => {
    if (b.drawFramebuffer === id) b.drawFramebuffer = 0;
    if (b.readFramebuffer === id) b.readFramebuffer = 0;
  }),
  DrawBuffers: (b, a) => {
    b.framebuffer(b.drawFramebuffer).drawBuffers = inlineWords(a[1]);
  },
  DrawBuffer: (b, a) => {
    b.framebuffer(b.drawFramebuffer).drawBuffers = [number(a[0])];
  },
  ReadBuffer: (b, a) => {
    b.framebuffer(b.readFramebuffer).readBuffer = number(a[0]);
  },
  NamedFramebufferDrawBuffers: (b, a) => {
    b.framebuffer(number(a[0])).drawBuffers = inlineWords(a[2]);
  },
  NamedFramebufferDrawBuffer: (b, a) => {
    b.framebuffer(number(a[0])).drawBuffers = [number(a[1])];
  },
  NamedFramebufferReadBuffer: (b, a) => {
    b.framebuffer(number(a[0])).readBuffer = number(a[1]);
  },
  BindRenderbuffer: (b, a) => {
    b.renderbuffer = number(a[1]);
  },
  RenderbufferStorage: (b) => setOrDelete(b.renderbufferSamples, b.renderbuffer, 0),
  RenderbufferStorageMultisample: (b, a) => setOrDelete(b.renderbufferSamples, b.renderbuffer, number(a[1])),
  NamedRenderbufferStorage: (b, a) => setOrDelete(b.renderbufferSamples, number(a[0]), 0),
  NamedRenderbufferStorageMultisample: (b, a) => setOrDelete(b.renderbufferSamples, number(a[0]), number(a[1])),
  DeleteRenderbuffers: deleting((b, id) => {
    if (b.renderbuffer === id) b.renderbuffer = 0;
    forgetAttachment(b, 'renderbuffer', id);
  }),

  UseProgram: (b, a) => {
    b.program = number(a[0]);
  },
  BindProgramPipeline: (b, a) => {
    b.pipeline = number(a[0]);
  },
  ActiveShaderProgram: (b, a) => setOrDelete(b.pipelineActive, number(a[0]), number(a[1])),
  UseProgramStages: (b, a) => {
    const stages = getOrAdd(b.pipelineStages, number(a[0]), () => new Map());
    for (let bit = 1; bit <= 0x20; bit *= 2) if (number(a[1]) & bit) setOrDelete(stages, bit, number(a[2]));
  },
  DeleteProgramPipelines: deleting((b, id) => {
    if (b.pipeline === id) b.pipeline = 0;
  }),

  BindVertexArray: (b, a) => {
    b.vertexArray = number(a[0]);
  },
  DeleteVertexArrays: deleting((b, id) => {
    if (b.vertexArray === id) b.vertexArray = 0;
  }),
  VertexAttribPointer: attribPointer,
  VertexAttribIPointer: attribPointer,
  VertexAttribLPointer: attribPointer,
  VertexArrayVertexAttribOffset: arrayAttribOffset,
  VertexArrayVertexAttribIOffset: arrayAttribOffset,
  VertexArrayVertexAttribLOffset: arrayAttribOffset,
  // Both bind the attribute to its own point again (OpenGL 4.6, section 10.3.4).
  VertexAttribDivisor: (b, a) => {
    b.vertexArrayBindings().attributeBinding.delete(number(a[0]));
  },
  VertexArrayVertexAttribDivisor: (b, a) => {
    b.vertexArrayBindings(number(a[0])).attributeBinding.delete(number(a[1]));
  },
  VertexAttribBinding: attribBinding(currentArray, 0),
  VertexArrayAttribBinding: attribBinding(givenArray, 1),
  VertexArrayVertexAttribBinding: attribBinding(givenArray, 1),
  BindVertexBuffer: vertexBuffer(currentArray, 0),
  VertexArrayVertexBuffer: vertexBuffer(givenArray, 1),
  VertexArrayBindVertexBuffer: vertexBuffer(givenArray, 1),
  BindVertexBuffers: vertexBuffers(currentArray, 0),
  VertexArrayVertexBuffers: vertexBuffers(givenArray, 1),
  VertexArrayElementBuffer: (b, a) => {
    b.vertexArrayBindings(number(a[0])).elementBuffer = number(a[1]);
  },
  EnableVertexAttribArray: enable(currentArray, 0, true),
  DisableVertexAttribArray: enable(currentArray, 0, false),
  EnableVertexArrayAttrib: enable(givenArray, 1, true),
  DisableVertexArrayAttrib: enable(givenArray, 1, false),

  BindTransformFeedback: (b, a) => {
    b.transformFeedback = number(a[1]);
  },
  BeginTransformFeedback: feedback({ active: true, paused: false }),
  EndTransformFeedback: feedback({ active: false, paused: false }),
  PauseTransformFeedback: feedback({ paused: true }),
  ResumeTransformFeedback: feedback({ paused: false }),
  DeleteTransformFeedbacks: deleting((b, id) => {
    if (b.transformFeedback === id) b.transformFeedback = 0;
  }),

  BeginQuery: (b, a) => b.setActiveQuery(number(a[0]), 0, number(a[1])),
  BeginQueryIndexed: (b, a) => b.setActiveQuery(number(a[0]), number(a[1]), number(a[2])),
  EndQuery: (b, a) => b.setActiveQuery(number(a[0]), 0, 0),
  EndQueryIndexed: (b, a) => b.setActiveQuery(number(a[0]), number(a[1]), 0),
};

const attaching = /^(Named)?Framebuffer((?:Renderbuffer|Texture).*)$/;

/** What the command of this GL name does to the bindings, or undefined when it does nothing to them. */
export function bindingCommand(name: string): BindingCommand | undefined {
  const base = baseName(name);
  if (Object.hasOwn(commands, base)) return commands[base];
  const match = attaching.exec(base);
  if (!match || !Object.hasOwn(attachers, match[2])) return undefined;
  const attacher = attachers[match[2]];
  if (match[1]) return (b, a) => attach(b, number(a[0]), number(a[1]), attacher(a));
  return (b, a) => attach(b, b.boundFramebuffer(number(a[0])), number(a[1]), attacher(a));
}
