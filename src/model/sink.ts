import type { Argument } from './call.ts';
import type { Canvas, CaptureApi, Origin } from './capture.ts';
import type { Signature } from './signature.ts';

/** What is known about a capture before its first call. */
export interface CaptureHead {
  readonly api: CaptureApi;
  readonly apiVersion: readonly [number, number];
  readonly profile?: 'core' | 'compatibility';
  readonly origin: Origin;
  readonly canvas: Canvas;
  readonly requires: { readonly extensions: readonly string[]; readonly limits: Readonly<Record<string, number>> };
}

/**
 * Where a recorder or importer writes a capture. Free of Node, so that a recorder inside a web page can implement it with
 * a stream to the tool. Calls go to the setup until the first {@link beginFrame}. A sink does no I/O on the caller's
 * behalf before it returns; what it buffers is bounded by the calls plus the resources not yet written.
 */
export interface CaptureSink {
  /** Stores bytes once (by content) and returns the resource's index. The bytes are copied or written before returning control to the event loop; the caller must not change them. */
  resource(bytes: Uint8Array): number;
  /** Index of a uniform location in the capture's table. */
  location(program: number, name: string): number;
  call(signature: Signature, args: readonly Argument[], result?: number): void;
  /** Ends the setup, or the frame before, and begins the next frame. */
  beginFrame(): void;
}
