import { GpuprofError } from '../errors.ts';
import type { GlContext } from '../gl/context.ts';
import { enumName } from '../gl/enums.ts';
import { formatCall } from '../gl/format-call.ts';
import type { GlFunction } from '../gl/native.ts';
import type { CallStream } from '../model/call-stream.ts';
import type { Manifest } from '../model/capture.ts';

/** A GL error that a replayed call raised. */
export interface GlErrorRecord {
  /** From 1; null: during the setup. */
  readonly frame: number | null;
  /** 1-based; the call's number in the setup or in the frame. */
  readonly eventId: number;
  /** The call as `dump` prints it. */
  readonly call: string;
  /** `GL_INVALID_OPERATION` */
  readonly error: string;
  /** How many times it was raised in all runs. */
  readonly count: number;
}

/** A bound for drivers whose glGetError never ends. */
const mostErrorsAtOnce = 8;
const GL_CONTEXT_LOST = 0x507;

/** Collects errors; the same error of the same event is counted. */
export class GlErrors {
  readonly records: GlErrorRecord[] = [];
  readonly #getError: GlFunction;
  readonly #manifest: Manifest;
  readonly #places = new Map<string, number>();

  constructor({ gl }: GlContext, manifest: Manifest) {
    this.#getError = gl.glGetError;
    this.#manifest = manifest;
  }

  /**
   * Reads the errors raised since the last look and books them on a call of a stream, or on what is no call. Returns
   * whether there were any.
   */
  take(frame: number | null, eventId: number, from: CallStream | string): boolean {
    let found = false;
    for (let left = mostErrorsAtOnce; left > 0; left--) {
      const code = this.#next();
      if (code === 0) return found;
      found = true;
      this.#add(frame, eventId, from, enumName(code, 'ErrorCode'));
    }
    return found;
  }

  /** Drops pending errors; returns whether there were any. */
  drain(): boolean {
    let found = false;
    for (let left = mostErrorsAtOnce; left > 0 && this.#next() !== 0; left--) found = true;
    return found;
  }

  /** Counts every known error of a frame once more: a later run raised them again. */
  repeat(frame: number): boolean {
    let known = false;
    for (const [place, record] of this.records.entries())
      if (record.frame === frame) {
        this.records[place] = { ...record, count: record.count + 1 };
        known = true;
      }
    return known;
  }

  /** Throws GpuprofError `context-lost` when there is no context any more: nothing that is done in it counts. */
  #next(): number {
    const code = this.#getError();
    if (code !== GL_CONTEXT_LOST) return code;
    throw new GpuprofError('context-lost', 'the driver lost its context, as after a reset of the GPU', {
      hint: 'replay it once more, or with another --driver',
    });
  }

  #add(frame: number | null, eventId: number, from: CallStream | string, error: string): void {
    const key = `${frame}/${eventId}/${error}`;
    const place = this.#places.get(key);
    if (place !== undefined) {
      const record = this.records[place];
      this.records[place] = { ...record, count: record.count + 1 };
      return;
    }
    this.#places.set(key, this.records.length);
    const call = typeof from === 'string' ? from : formatCall(from.call(eventId - 1), this.#manifest);
    this.records.push({ frame, eventId, call, error, count: 1 });
  }
}
