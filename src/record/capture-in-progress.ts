import { constants as c } from '../gl/webgl2/constants.ts';
import type { Canvas, Manifest } from '../model/capture.ts';
import type { CaptureSink } from '../model/sink.ts';
import { texelBytes } from '../model/texel-sizes.ts';
import { layoutOf } from '../model/texture-formats.ts';
import { CallList, Ids, type SignatureOf } from './encode/call-list.ts';
import type { Encoded } from './encode/encoding.ts';
import { FrameEncoder } from './encode/frame-encoder.ts';
import { Needs } from './encode/needs.ts';
import type { PixelStore } from './observe/pixel-unpack.ts';
import { type Image, imageKey, plainTexture, type Shadows } from './observe/shadows.ts';
import { isFace, type TextureObserver } from './observe/textures.ts';
import type { Upload } from './observe/uploads.ts';
import { guarded, type Target } from './read-back/gl-guard.ts';
import { GlReader } from './read-back/gl-reader.ts';
import { addCanvasContents } from './snapshot/canvas.ts';
import { Notes } from './snapshot/notes.ts';
import { Snapshot, type SnapshotContext } from './snapshot/snapshot.ts';
import { addState } from './snapshot/state.ts';
import { readImage } from './snapshot/texture.ts';
import { UnreadCanvas } from './snapshot/unread-canvas.ts';

export interface CaptureParts {
  readonly target: Target;
  readonly shadows: Shadows;
  readonly textures: TextureObserver;
  readonly store: PixelStore;
  readonly quietly: SnapshotContext['quietly'];
}

/** The part of an image that an upload covered, cut out of the whole image. */
function cut(image: Image, texels: Uint8Array, upload: Upload, texel: number): Uint8Array {
  const { x, y, z, width, height, depth } = upload;
  const rowBytes = width * texel;
  const part = new Uint8Array(rowBytes * height * depth);
  for (let layer = 0; layer < depth; layer++)
    for (let row = 0; row < height; row++) {
      const from = (((z + layer) * image.height + y + row) * image.width + x) * texel;
      part.set(texels.subarray(from, from + rowBytes), (layer * height + row) * rowBytes);
    }
  return part;
}

/**
 * A capture between its first frame's begin and its end. Objects come in when state or the frame first refers to them,
 * as they are at that moment, which is as they were when the frame began. So the capture holds what the frame needs and
 * nothing else. A capture's setup precedes its frames; so calls are kept until the end, and only bytes go out at once.
 */
export class CaptureInProgress {
  readonly #parts: CaptureParts;
  readonly #reader: GlReader;
  readonly #snapshot: Snapshot;
  readonly #objects: CallList;
  readonly #state: CallList;
  readonly #frames: CallList;
  readonly #notes = new Notes();
  readonly #unreadCanvas: UnreadCanvas;
  readonly #encoder: FrameEncoder;

  constructor(parts: CaptureParts, sink: CaptureSink, signatureOf: SignatureOf, capture: number, canvas: Canvas) {
    const { target, shadows, store, quietly } = parts;
    this.#parts = parts;
    this.#reader = new GlReader(target);
    this.#objects = new CallList(sink, signatureOf);
    this.#state = new CallList(sink, signatureOf);
    this.#frames = new CallList(sink, signatureOf);
    const location = (program: number, name: string) => sink.location(program, name);
    const note = (sentence: string) => this.#notes.add(sentence);
    this.#unreadCanvas = new UnreadCanvas(target, canvas, note);
    const calls = this.#objects;
    const shared = { target, reader: this.#reader, shadows, calls, ids: new Ids(), quietly, location, note };
    this.#snapshot = new Snapshot(shared, capture);
    const { context } = this.#snapshot;
    guarded(target, () => addCanvasContents({ ...context, calls: this.#state }, canvas));
    addState(context, this.#state);
    this.#encoder = new FrameEncoder(
      {
        gl: target.gl,
        version: target.version,
        calls: this.#frames,
        shadows,
        snapshot: this.#snapshot,
        store,
        location,
        note,
        uploaded: (upload) => this.#readUpload(upload),
      },
      signatureOf,
    );
  }

  beginFrame(): void {
    this.#frames.addFrame();
  }

  encode(method: string, args: readonly unknown[], upload: Upload | undefined): Encoded | null {
    this.#unreadCanvas.see(method, args);
    return this.#encoder.encode(method, args, upload);
  }

  /** What an upload put into the bound texture, read from the GPU. */
  #readUpload(upload: Upload): { format: number; type: number; texels: Uint8Array } | undefined {
    const { target, textures, quietly } = this.#parts;
    const texture = textures.bound(upload.target);
    const image = texture?.images.get(imageKey(upload.target, upload.level));
    if (!texture || !image) return undefined;
    if (isFace(upload.target) && upload.source !== undefined) return this.#readFace(upload, image.internalformat);
    const { layout, texels } = quietly(() =>
      guarded(target, () => readImage({ target, reader: this.#reader }, texture, upload.target, upload.level, image)),
    );
    const { format, type } = layoutOf(image.internalformat, layout.format, layout.type);
    return { format, type, texels: upload.sub ? cut(image, texels, upload, texelBytes(format, type)) : texels };
  }

  /** A face of a cube that lacks others cannot be read: the same picture goes into a plain texture. */
  #readFace(upload: Upload, internalformat: number): { format: number; type: number; texels: Uint8Array } {
    const { target, quietly } = this.#parts;
    const { width, height, format, type, source } = upload;
    const image = { width, height, depth: 1, internalformat, format, type, texels: null, onGpu: true };
    const { layout, texels } = quietly(() =>
      guarded(target, () => {
        const { gl } = target;
        const texture = plainTexture(gl.createTexture(), image);
        gl.bindTexture(c.TEXTURE_2D, texture.handle);
        gl.texImage2D(c.TEXTURE_2D, 0, internalformat, format, type, source);
        const read = readImage({ target, reader: this.#reader }, texture, c.TEXTURE_2D, 0, image);
        gl.deleteTexture(texture.handle);
        return read;
      }),
    );
    return { ...layoutOf(internalformat, layout.format, layout.type), texels };
  }

  /**
   * Hands setup and frames to the sink and gives the recorder's GL objects back. Returns what the calls need and what
   * the capture does not hold as it was.
   */
  finish(): { requires: Manifest['requires']; notes: readonly string[] } {
    this.#encoder.noteSize();
    const needs = new Needs();
    for (const list of [this.#objects, this.#state, this.#frames]) list.flush((call) => needs.observe(call));
    this.dispose();
    return { requires: needs.requires(), notes: this.#notes.list() };
  }

  dispose(): void {
    this.#reader.dispose();
  }
}
