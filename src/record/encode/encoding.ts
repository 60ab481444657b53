import type { PixelStore } from '../observe/pixel-unpack.ts';
import type { Shadows } from '../observe/shadows.ts';
import type { Upload } from '../observe/uploads.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { WebGl } from '../webgl.ts';
import type { CallList } from './call-list.ts';
import { uniformName } from './uniform-names.ts';

/** What encoding a call of a frame needs. */
export interface EncodeContext {
  readonly gl: WebGl;
  readonly version: 1 | 2;
  readonly calls: CallList;
  readonly shadows: Shadows;
  readonly snapshot: Snapshot;
  readonly store: PixelStore;
  readonly location: (program: number, name: string) => number;
  /** Says what the capture does not hold. */
  readonly note: (sentence: string) => void;
  /** What the texture has after an upload whose texels only the GPU knows. */
  readonly uploaded: (upload: Upload) => { format: number; type: number; texels: Uint8Array } | undefined;
}

/** Adds the call once it has happened; `result` is what the context returned. */
export type Encoded = (result: unknown) => void;
/** Works out a call's arguments before it happens; null when there is nothing to record. */
export type Encoder = (context: EncodeContext, args: readonly unknown[], command: string) => Encoded | null;

export const int = (value: unknown): number => Math.trunc(Number(value)) || 0;

/** A location's index in the capture, undefined for null, which GL ignores, and for foreign locations. */
export function locationIndex({ gl, shadows, snapshot, location }: EncodeContext, handle: unknown): number | undefined {
  const known = shadows.location(handle);
  return known && location(snapshot.id(known.program.handle), uniformName(gl, known.program, known.name));
}
