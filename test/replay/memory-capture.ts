/** Captures made in memory, call by call, for tests of the replayer. */
import { signatureOf } from '../../src/gl/command-table.ts';
import type { Argument } from '../../src/model/call.ts';
import { CallStream } from '../../src/model/call-stream.ts';
import { encodeCall } from '../../src/model/call-words.ts';
import type { Canvas, Capture, CaptureApi, Manifest } from '../../src/model/capture.ts';
import { type ObjectClass, objectClasses, type Signature } from '../../src/model/signature.ts';

export const inline = (view: ArrayBufferView): Argument => ({
  kind: 'inline',
  bytes: new Uint8Array(view.buffer, view.byteOffset, view.byteLength),
});
export const floats = (...values: number[]): Argument => inline(new Float32Array(values));
export const words = (...values: number[]): Argument => inline(new Uint32Array(values));
export const bytes = (...values: number[]): Argument => inline(new Uint8Array(values));
export const offset = (value: number): Argument => ({ kind: 'offset', offset: value });

interface Stream {
  readonly words: number[];
  readonly starts: number[];
}

export interface BuilderOptions {
  readonly canvas?: Partial<Canvas>;
  readonly api?: CaptureApi;
  readonly apiVersion?: readonly [number, number];
  readonly profile?: 'core' | 'compatibility';
  readonly requires?: Partial<Manifest['requires']>;
}

export class CaptureBuilder {
  readonly #signatures: Signature[] = [];
  readonly #streams: Stream[] = [{ words: [], starts: [] }];
  readonly #locations: [number, string][] = [];
  readonly #resources: Uint8Array[] = [];
  readonly #objects: Partial<Record<ObjectClass, number>> = {};
  readonly #options: BuilderOptions;

  constructor(options: BuilderOptions = {}) {
    this.#options = options;
  }

  call(name: string, ...args: Argument[]): this {
    return this.made(0, name, ...args);
  }

  /** A call whose result is an object. */
  made(result: number, name: string, ...args: Argument[]): this {
    const signature = signatureOf(name);
    if (!signature) throw new Error(name);
    if (args.length !== signature.params.length) throw new Error(`${name} takes ${signature.params.length}`);
    return this.raw(signature, args, result);
  }

  raw(signature: Signature, args: readonly Argument[], result = 0): this {
    let index = this.#signatures.indexOf(signature);
    if (index < 0) index = this.#signatures.push(signature) - 1;
    const stream = this.#streams[this.#streams.length - 1];
    stream.starts.push(stream.words.length);
    encodeCall(stream.words, index, signature, args, result);
    const see = (objectClass: ObjectClass | undefined, id: number) => {
      if (objectClass) this.#objects[objectClass] = Math.max(this.#objects[objectClass] ?? 0, id);
    };
    for (const [at, param] of signature.params.entries())
      if (param.objectClass) for (const id of [args[at]].flat() as number[]) see(param.objectClass, id);
    see(signature.result.objectClass, result);
    return this;
  }

  location(program: number, name: string): number {
    const at = this.#locations.findIndex(([p, n]) => p === program && n === name);
    return at >= 0 ? at : this.#locations.push([program, name]) - 1;
  }

  resource(data: Uint8Array): Argument {
    const resource = this.#resources.push(data) - 1;
    return { kind: 'resource', resource, byteOffset: 0, byteLength: data.byteLength };
  }

  frame(): this {
    this.#streams.push({ words: [], starts: [] });
    return this;
  }

  /** Shaders and a linked program; shader ids are twice the program's. */
  program(id: number, vertex: string, fragment: string, beforeLink: (b: this) => void = () => {}): this {
    for (const [shader, type, source] of [
      [id * 2 - 1, 0x8b31, vertex],
      [id * 2, 0x8b30, fragment],
    ] as const)
      this.made(shader, 'glCreateShader', type)
        .call('glShaderSource', shader, 1, [source], null)
        .call('glCompileShader', shader);
    this.made(id, 'glCreateProgram')
      .call('glAttachShader', id, id * 2 - 1)
      .call('glAttachShader', id, id * 2);
    beforeLink(this);
    return this.call('glLinkProgram', id);
  }

  capture(): Capture {
    const canvas: Canvas = {
      width: 16,
      height: 16,
      alpha: true,
      depth: true,
      stencil: true,
      samples: 0,
      preserved: false,
      ...this.#options.canvas,
    };
    const streams = this.#streams.map(
      ({ words, starts }) => new CallStream(this.#signatures, Uint32Array.from(words), Uint32Array.from(starts)),
    );
    const manifest: Manifest = {
      format: 'gpuprof-capture',
      version: 1,
      api: this.#options.api ?? 'webgl2',
      apiVersion: this.#options.apiVersion ?? [3, 0],
      ...(this.#options.profile && { profile: this.#options.profile }),
      origin: { producer: 'test', driver: '', vendor: '', renderer: '', version: '' },
      canvas,
      requires: { extensions: [], limits: {}, ...this.#options.requires },
      setup: { calls: streams[0].length },
      frames: streams.slice(1).map(({ length }) => ({ calls: length })),
      signatures: this.#signatures,
      locations: this.#locations,
      resources: this.#resources.map(({ byteLength }) => ({ sha256: '0'.repeat(64), sizeBytes: byteLength })),
      objects: Object.fromEntries(objectClasses.map((name) => [name, this.#objects[name] ?? 0])),
      hasReference: false,
    };
    return {
      path: 'test.cap',
      manifest,
      setup: async () => streams[0],
      frame: async (frame) => streams[frame],
      resource: async (index) => this.#resources[index],
      reference: async () => null,
      close: async () => {},
    };
  }
}
