/** Follows what calls make of GPU memory, one call after the other. */

import { mayBeAction } from '../actions.ts';
import { Bindings } from '../bindings.ts';
import type { Call, DataArgument } from '../call.ts';
import type { CallStream } from '../call-stream.ts';
import { baseName, GL } from '../gl-constants.ts';
import { bufferOf, defining } from '../memory/buffers.ts';
import { argumentNamed, firstData, firstObject, numberNamed } from '../named-arguments.ts';
import { texelBytes } from '../texel-sizes.ts';
import { TextureShapes, textureOf } from '../texture-shapes.ts';
import type { ObjectFacts } from './object-facts.ts';
import { readSource } from './read-source.ts';
import {
  type BufferResource,
  type LifeEvent,
  type LifeResource,
  sameTexture,
  type TextureImage,
  type TextureResource,
  textureImages,
} from './resource.ts';
import { type Draft, TextureDrafts } from './texture-drafts.ts';

/** What is there at one point of the capture. */
export interface LifeState {
  /** By class and id, in the order they were made. */
  readonly live: ReadonlyMap<string, LifeResource>;
  readonly canvas: { readonly width: number; readonly height: number };
}

const updating = /^(Named)?BufferSubData$/;
const texelUpload = /^(Compressed)?(Multi)?(Tex|Texture)(Sub)?Image[123]D$/;
const renderbufferStorage = /^(Named)?RenderbufferStorage(Multisample)?(Advanced)?$/;
const deleting = /^Delete(Buffer|Texture|Renderbuffer)s$/;
const reading = /^Readn?Pixels$/;
const patterns = [defining, updating, texelUpload, renderbufferStorage, deleting, reading];
const names: ReadonlySet<string> = new Set(['TextureView', 'gpuprofCanvasSize']);

const [DYNAMIC_STORAGE_BIT, MAP_WRITE_BIT] = [0x100, 2];
// STATIC_DRAW STATIC_READ STATIC_COPY.
const staticUsages: ReadonlySet<number> = new Set([0x88e4, 0x88e5, 0x88e6]);

/** Bytes a call takes from client memory; 0 when it takes none. */
function uploadBytes(data: DataArgument): number {
  if (data?.kind === 'inline') return data.bytes.byteLength;
  return data?.kind === 'resource' ? data.byteLength : 0;
}

function bufferChanges(call: Call): BufferResource['changes'] {
  const flags = numberNamed(call, 'flags');
  if (flags !== undefined) return flags & (DYNAMIC_STORAGE_BIT | MAP_WRITE_BIT) ? 'often' : 'never';
  return staticUsages.has(numberNamed(call, 'usage') ?? 0) ? 'seldom' : 'often';
}

export class ResourceLife {
  readonly #facts: ObjectFacts;
  readonly #bindings = new Bindings();
  readonly #shapes = new TextureShapes();
  readonly #drafts = new TextureDrafts();
  readonly #live = new Map<string, LifeResource>();
  #canvas: LifeState['canvas'];
  #emit: (event: LifeEvent) => void = () => {};

  constructor(facts: ObjectFacts, canvas: LifeState['canvas']) {
    this.#facts = facts;
    this.#canvas = { width: canvas.width, height: canvas.height };
  }

  /** What is there now. */
  state(): LifeState {
    return { live: new Map(this.#live), canvas: this.#canvas };
  }

  /**
   * Follows a stream and hands over what each call causes, with the call's index. A texture that is defined in several
   * calls is created once, at the first; its resource holds what it comes to when this returns.
   */
  follow(calls: CallStream, visit: (index: number, event: LifeEvent) => void): void {
    const wanted = calls.signatures.map((signature) => {
      const name = baseName(signature.name);
      return (
        Bindings.follows(signature) ||
        TextureShapes.follows(signature) ||
        mayBeAction(signature) ||
        names.has(name) ||
        patterns.some((pattern) => pattern.test(name))
      );
    });
    for (let index = 0; index < calls.length; index++) {
      if (!wanted[calls.words[calls.starts[index]]]) continue;
      const call = calls.call(index);
      this.#emit = (event) => visit(index, event);
      this.#observe(call);
      this.#bindings.apply(call);
    }
    this.#drafts.closeAll();
  }

  #observe(call: Call): void {
    const name = baseName(call.signature.name);
    const definesTexture = TextureShapes.follows(call.signature) && !name.startsWith('Delete');
    if (mayBeAction(call.signature))
      this.#drafts.use(call, this.#bindings, definesTexture || texelUpload.test(name) ? this.#textureOf(call) : 0);
    if (defining.test(name)) this.#defineBuffer(call);
    else if (updating.test(name)) this.#upload(this.#live.get(`buffer ${bufferOf(call, this.#bindings)}`), call);
    else if (renderbufferStorage.test(name)) this.#defineRenderbuffer(call);
    else if (deleting.test(name)) this.#delete(call);
    else if (reading.test(name)) this.#readPixels(call);
    else if (name === 'TextureView') this.#view(call);
    else if (name === 'gpuprofCanvasSize') {
      this.#canvas = { width: numberNamed(call, 'width') ?? 0, height: numberNamed(call, 'height') ?? 0 };
      this.#emit({ kind: 'canvas', ...this.#canvas });
    } else if (definesTexture) this.#defineTexture(call);
    if (texelUpload.test(name)) this.#upload(this.#live.get(`texture ${this.#textureOf(call)}`), call);
  }

  #textureOf(call: Call): number {
    return textureOf(call, this.#bindings);
  }

  #create(resource: LifeResource): void {
    const key = `${resource.class} ${resource.id}`;
    const isChange = resource.class === 'texture' && this.#live.has(key);
    if (!isChange) this.#release(key);
    this.#live.set(key, resource);
    this.#emit(isChange ? { kind: 'change', resource } : { kind: 'create', resource });
  }

  #release(key: string): void {
    const resource = this.#live.get(key);
    if (!resource) return;
    this.#live.delete(key);
    this.#emit({ kind: 'release', resource });
  }

  #upload(resource: LifeResource | undefined, call: Call): void {
    const sizeBytes = uploadBytes(firstData(call));
    if (sizeBytes === 0 || !resource || resource.class === 'renderbuffer') return;
    const level = resource.class === 'texture' ? (numberNamed(call, 'level') ?? 0) : 0;
    this.#emit({ kind: 'upload', resource, level, sizeBytes });
  }

  #defineBuffer(call: Call): void {
    const id = bufferOf(call, this.#bindings);
    if (id === 0) return;
    const resource: BufferResource = {
      class: 'buffer',
      id,
      name: this.#facts.name('buffer', id),
      sizeBytes: Math.max(0, numberNamed(call, 'size') ?? 0),
      changes: bufferChanges(call),
      uses: this.#facts.uses(id),
    };
    this.#create(resource);
    this.#upload(resource, call);
  }

  #defineRenderbuffer(call: Call): void {
    const id = firstObject(call, 'renderbuffer') ?? this.#bindings.renderbuffer;
    if (id === 0) return;
    const size = (side: string) => Math.max(0, numberNamed(call, side) ?? 0);
    this.#create({
      class: 'renderbuffer',
      id,
      name: this.#facts.name('renderbuffer', id),
      internalFormat: numberNamed(call, 'internalformat') ?? 0,
      width: size('width'),
      height: size('height'),
      samples: size('samples'),
    });
  }

  /** A definition that changes nothing about a texture's images is only an upload. */
  #defineTexture(call: Call): void {
    const id = this.#textureOf(call);
    this.#shapes.observe(call, this.#bindings);
    const shape = this.#shapes.shape(id);
    if (id === 0 || !shape) return;
    this.#setTexture(id, { images: textureImages(shape), samples: shape.storage?.samples ?? 0 });
  }

  #setTexture(id: number, now: Pick<TextureResource, 'images' | 'samples'>, owns = true): void {
    const draft = this.#drafts.get(id);
    if (draft) {
      Object.assign(draft, now);
      return;
    }
    const known = this.#live.get(`texture ${id}`);
    if (known?.class === 'texture' && sameTexture(known, now)) return;
    const created: Draft = { class: 'texture', id, name: this.#facts.name('texture', id), owns, ...now };
    this.#create(created);
    this.#drafts.add(created);
  }

  #view(call: Call): void {
    const number = (name: string) => Math.max(0, numberNamed(call, name) ?? 0);
    const origin = this.#live.get(`texture ${number('origtexture')}`);
    if (origin?.class !== 'texture') return;
    const first = number('minlevel');
    const target = number('target');
    const images = origin.images
      .filter(({ level }) => level >= first && level < first + number('numlevels'))
      .map((image): TextureImage => {
        const depth = target === GL.TEXTURE_3D ? image.depth : number('numlayers');
        return { ...image, target, level: image.level - first, internalFormat: number('internalformat'), depth };
      });
    // A cube map that is viewed has an image for each face.
    const levels = new Map(images.map((image) => [image.level, image]));
    this.#setTexture(number('texture'), { images: [...levels.values()], samples: origin.samples }, false);
  }

  #delete(call: Call): void {
    const objectClass = deleting.exec(baseName(call.signature.name))![1].toLowerCase();
    if (objectClass === 'texture') this.#shapes.observe(call, this.#bindings);
    for (const id of [argumentNamed(call, `${objectClass}s`)].flat()) {
      if (objectClass === 'texture') this.#drafts.close(Number(id));
      this.#release(`${objectClass} ${Number(id)}`);
    }
  }

  #readPixels(call: Call): void {
    // Into a buffer nothing is read back: the pixels stay where the GPU has them.
    if (this.#bindings.buffer(GL.PIXEL_PACK_BUFFER) !== 0) return;
    const read = readSource(this.#bindings, numberNamed(call, 'format') ?? 0);
    const source = read && this.#live.get(`${read.kind} ${read.id}`);
    if (source === undefined || source?.class === 'buffer') return;
    const number = (name: string) => Math.max(0, numberNamed(call, name) ?? 0);
    const sizeBytes = number('width') * number('height') * texelBytes(number('format'), number('type'));
    this.#emit({ kind: 'readback', source, sizeBytes });
  }
}
