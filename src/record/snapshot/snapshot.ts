import { constants as c } from '../../gl/webgl2/constants.ts';
import type { CallList, Ids } from '../encode/call-list.ts';
import type { BufferShadow, RecordedClass, Shadow, ShadowOf, Shadows } from '../observe/shadows.ts';
import { dropErrors, guarded, type Target } from '../read-back/gl-guard.ts';
import type { GlReader } from '../read-back/gl-reader.ts';
import type { Handle, WebGl } from '../webgl.ts';
import { setUpFramebuffer } from './framebuffer.ts';
import { setUpProgram, setUpShader } from './program.ts';
import { setUpRenderbuffer } from './renderbuffer.ts';
import { setUpTexture } from './texture.ts';
import type { Through } from './through-framebuffer.ts';
import { setUpTransformFeedback, setUpVertexArray } from './vertex.ts';

/** What writing an object's setup needs. */
export interface SnapshotContext {
  readonly target: Target;
  readonly reader: GlReader;
  readonly shadows: Shadows;
  /** The setup's object part. */
  readonly calls: CallList;
  readonly ids: Ids;
  /** Runs the recorder's own GL work so that no error of it, or of the program before it, is lost or left. */
  quietly<T>(work: () => T): T;
  /** Index in the capture's location table. */
  location(program: number, name: string): number;
  /** Says what the capture does not hold as it was. */
  note(sentence: string): void;
  /** Deleted objects that a framebuffer coming into the capture still holds, by handle. */
  readonly through: Map<object, Through>;
  /** The id of a handle, which brings its object into the capture; 0 for null and for foreign handles. */
  id(handle: unknown): number;
}

const samplerDefaults: readonly (readonly [number, number, 'i' | 'f'])[] = [
  [c.TEXTURE_MIN_FILTER, c.NEAREST_MIPMAP_LINEAR, 'i'],
  [c.TEXTURE_MAG_FILTER, c.LINEAR, 'i'],
  [c.TEXTURE_WRAP_S, c.REPEAT, 'i'],
  [c.TEXTURE_WRAP_T, c.REPEAT, 'i'],
  [c.TEXTURE_WRAP_R, c.REPEAT, 'i'],
  [c.TEXTURE_MIN_LOD, -1000, 'f'],
  [c.TEXTURE_MAX_LOD, 1000, 'f'],
  [c.TEXTURE_COMPARE_MODE, c.NONE, 'i'],
  [c.TEXTURE_COMPARE_FUNC, c.LEQUAL, 'i'],
];

function setUpSampler({ target, calls }: SnapshotContext, { handle, id }: ShadowOf<'sampler'>): void {
  calls.add('glGenSamplers', [1, [id]]);
  const anisotropy = anisotropyDefault(target);
  for (const [name, usual, kind] of [...samplerDefaults, ...anisotropy]) {
    const value = Number(target.gl.getSamplerParameter(handle, name));
    if (value !== usual) calls.add(`glSamplerParameter${kind}`, [id, name, value]);
  }
}

const TEXTURE_MAX_ANISOTROPY_EXT = 0x84fe;
/** The anisotropy parameter, where the program has asked for the extension. */
export const anisotropyDefault = ({ extensions }: Target): (readonly [number, number, 'f'])[] =>
  extensions.has('ext_texture_filter_anisotropic') ? [[TEXTURE_MAX_ANISOTROPY_EXT, 1, 'f']] : [];

/** A buffer's bytes as the GPU has them; undefined when GL does not give them. */
function readBuffer(gl: WebGl, handle: Handle, sizeBytes: number): Uint8Array | undefined {
  const bound = gl.getParameter(c.COPY_READ_BUFFER_BINDING) as Handle | null;
  const feedback = gl.getParameter(c.TRANSFORM_FEEDBACK_BINDING) as Handle | null;
  const bytes = new Uint8Array(sizeBytes);
  // WebGL gives no buffer that the current transform feedback may write: an empty one stands in.
  const empty = gl.createTransformFeedback();
  gl.bindTransformFeedback(c.TRANSFORM_FEEDBACK, empty);
  gl.bindBuffer(c.COPY_READ_BUFFER, handle);
  dropErrors(gl);
  gl.getBufferSubData(c.COPY_READ_BUFFER, 0, bytes);
  const failed = gl.getError() !== c.NO_ERROR;
  gl.bindBuffer(c.COPY_READ_BUFFER, bound);
  gl.bindTransformFeedback(c.TRANSFORM_FEEDBACK, feedback);
  gl.deleteTransformFeedback(empty);
  return failed ? undefined : bytes;
}

function setUpBuffer({ target: { gl }, calls, note }: SnapshotContext, shadow: BufferShadow): void {
  calls.add('glGenBuffers', [1, [shadow.id]]);
  calls.add('glBindBuffer', [c.ARRAY_BUFFER, shadow.id]);
  if (!shadow.data) return;
  let bytes = shadow.data;
  if (shadow.onGpu) {
    // A vertex array keeps a deleted buffer, which WebGL lets nobody bind again.
    const read = gl.isBuffer(shadow.handle) ? readBuffer(gl, shadow.handle, bytes.length) : undefined;
    if (!read) note(`buffer ${shadow.id} cannot be read: what the GPU wrote into it is not stored`);
    bytes = read ?? bytes;
  }
  calls.add('glBufferData', [c.ARRAY_BUFFER, bytes.length, bytes.length > 0 ? calls.data(bytes) : null, shadow.usage]);
}

type SetUp<K extends RecordedClass> = (context: SnapshotContext, shadow: ShadowOf<K>) => void;

/** How each class of object is set up. */
const setUps: { readonly [K in RecordedClass]: SetUp<K> } = {
  texture: setUpTexture,
  buffer: setUpBuffer,
  renderbuffer: setUpRenderbuffer,
  shader: setUpShader,
  program: setUpProgram,
  framebuffer: setUpFramebuffer,
  vertexArray: setUpVertexArray,
  transformFeedback: setUpTransformFeedback,
  sampler: setUpSampler,
  query: ({ calls }, { id }) => calls.add('glGenQueries', [1, [id]]),
  sync: ({ calls }, { id }) => calls.add('glFenceSync', [c.SYNC_GPU_COMMANDS_COMPLETE, 0], id),
};

/** Brings objects into a capture, each once, as they are now, with what they refer to before them. */
export class Snapshot {
  readonly #context: SnapshotContext;
  readonly #capture: number;
  readonly #deleted = new WeakSet<Shadow>();
  #depth = 0;

  /** `capture` numbers the captures of one recorder, so that shadows know to which their id belongs. */
  constructor(context: Omit<SnapshotContext, 'id' | 'through'>, capture: number) {
    this.#context = { ...context, through: new Map(), id: (handle) => this.id(handle) };
    this.#capture = capture;
  }

  id(handle: unknown): number {
    const shadow = this.#context.shadows.get(handle);
    if (!shadow) return 0;
    if (shadow.capture === this.#capture) return shadow.id;
    // Nothing refers to itself, but the mark also stops a loop.
    shadow.capture = this.#capture;
    shadow.id = 0;
    const work = () => this.#include(shadow);
    if (this.#depth > 0) work();
    else this.#context.quietly(() => guarded(this.#context.target, work));
    return shadow.id;
  }

  #include(shadow: Shadow): void {
    this.#depth++;
    try {
      shadow.id = this.#context.ids.next(shadow.kind);
      (setUps[shadow.kind] as SetUp<RecordedClass>)(this.#context, shadow as ShadowOf<RecordedClass>);
    } finally {
      this.#depth--;
    }
  }

  /** An object that the frame itself creates. */
  created(shadow: Shadow): number {
    shadow.capture = this.#capture;
    shadow.id = this.#context.ids.next(shadow.kind);
    return shadow.id;
  }

  /** The id of an object that the frame deletes; 0 when the capture does without it, or lost it before. */
  deleted(handle: unknown): number {
    const shadow = this.#context.shadows.get(handle);
    if (shadow?.capture !== this.#capture || this.#deleted.has(shadow)) return 0;
    this.#deleted.add(shadow);
    return shadow.id;
  }

  get context(): SnapshotContext {
    return this.#context;
  }
}
