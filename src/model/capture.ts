import type { CallStream } from './call-stream.ts';
import type { ObjectClass, Signature } from './signature.ts';

/** Which API the recorded program spoke. A WebGL capture holds the GL calls a WebGL implementation passes down. */
export type CaptureApi = 'webgl1' | 'webgl2' | 'gles' | 'gl';

/** The default framebuffer of the recorded program; framebuffer id 0 in calls. Sizes in pixels. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly alpha: boolean;
  readonly depth: boolean;
  readonly stencil: boolean;
  /** Samples per pixel; 0 when it is not multisampled. */
  readonly samples: number;
  /** Whether the canvas kept its contents from the frame before. */
  readonly preserved: boolean;
}

/** What recorded the capture, and on which GL. */
export interface Origin {
  readonly producer: string;
  readonly driver: string;
  readonly vendor: string;
  readonly renderer: string;
  readonly version: string;
}

export interface ResourceInfo {
  /** Lower-case hexadecimal SHA-256 of the bytes; also the entry's name under `resources/`. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** capture.json, see capture/FORMAT.md. */
export interface Manifest {
  readonly format: 'gpuprof-capture';
  readonly version: number;
  readonly api: CaptureApi;
  /** [major, minor] of the GL that the calls were made for: [3, 0] for webgl2, [2, 0] for webgl1. */
  readonly apiVersion: readonly [number, number];
  /** Only for api `gl`. */
  readonly profile?: 'core' | 'compatibility';
  readonly origin: Origin;
  readonly canvas: Canvas;
  /** GL extensions the calls need (`GL_EXT_color_buffer_float`), and the least limits (`GL_MAX_TEXTURE_SIZE`). */
  readonly requires: {
    readonly extensions: readonly string[];
    readonly limits: Readonly<Record<string, number>>;
  };
  readonly setup: { readonly calls: number };
  readonly frames: readonly { readonly calls: number }[];
  readonly signatures: readonly Signature[];
  /** Uniform locations: [program id, uniform name]. */
  readonly locations: readonly (readonly [number, string])[];
  readonly resources: readonly ResourceInfo[];
  /** Highest object id of each class that the calls use. */
  readonly objects: Readonly<Partial<Record<ObjectClass, number>>>;
  readonly hasReference: boolean;
  /** What the recorder could not store as it was, in plain sentences for people. */
  readonly notes?: readonly string[];
}

/** A capture open for reading; calls and resources are read when asked for. */
export interface Capture {
  /** Path as the user gave it. */
  readonly path: string;
  readonly manifest: Manifest;
  setup(): Promise<CallStream>;
  /** `frame` counts from 1. */
  frame(frame: number): Promise<CallStream>;
  /** Bytes of one resource, checked against its hash. */
  resource(index: number): Promise<Uint8Array>;
  /** The PNG of the canvas at the last frame's end, or null. */
  reference(): Promise<Uint8Array | null>;
  close(): Promise<void>;
}
