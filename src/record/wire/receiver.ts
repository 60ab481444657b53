import { checkCalls } from '../../capture/check-calls.ts';
import { defaultLimits } from '../../capture/limits.ts';
import { encodePng } from '../../capture/png.ts';
import { CaptureWriter } from '../../capture/write.ts';
import { GpuprofError } from '../../errors.ts';
import { signatureOf } from '../../gl/command-table.ts';
import type { Argument } from '../../model/call.ts';
import { decodeCall } from '../../model/call-words.ts';
import type { Canvas, Manifest, ResourceInfo } from '../../model/capture.ts';
import { baseName, drawCommand } from '../../model/gl-constants.ts';
import { objectClasses, type Signature } from '../../model/signature.ts';
import type { CaptureHead } from '../../model/sink.ts';
import { RecordReader } from './record-reader.ts';
import { recordKinds } from './records.ts';

/** What a received capture turned out to be. */
export interface ReceivedCapture {
  readonly canvas: Canvas;
  readonly frames: number;
  /** Calls of all frames, and how many of them draw. */
  readonly calls: number;
  readonly draws: number;
  readonly renderer: string;
  readonly notes: readonly string[];
}

/** A program's ids are its own: the highest are known only at the end, so any is taken. */
const anyObject = Object.fromEntries(objectClasses.map((name) => [name, 0x7fffffff]));
const bad = (problem: string): GpuprofError =>
  new GpuprofError('bad-input', `the recorded program sent a damaged capture: ${problem}`);

/** A capture that is coming in. */
interface Incoming {
  readonly writer: CaptureWriter;
  readonly head: CaptureHead;
  readonly signatures: Signature[];
  readonly resources: ResourceInfo[];
  /** The writer's index of each resource and location: it keeps equal ones once. */
  readonly resourceIndexes: number[];
  readonly locations: [number, string][];
  readonly locationIndexes: number[];
  frames: number;
  calls: number;
  draws: number;
  reference: Uint8Array | undefined;
}

/**
 * Takes the records of a recorded program, which is not trusted, and writes the capture. Feed it with {@link take}, one
 * call at a time; `received` is set once a capture is whole and in its place.
 */
export class CaptureReceiver {
  readonly #path: string;
  readonly #reader = new RecordReader();
  #incoming: Incoming | undefined;
  received: ReceivedCapture | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Takes the next bytes; throws `bad-input` when they are no good and `output-failed` when they cannot be written. */
  async take(bytes: Uint8Array): Promise<void> {
    for (const [kind, payload] of this.#reader.read(bytes)) {
      await this.#record(kind, payload);
      // The capture is in its place, whatever else is sent.
      if (this.received) return;
    }
  }

  /** Gives up; nothing is left at the path unless a capture was whole. */
  async abort(): Promise<void> {
    const incoming = this.#incoming;
    this.#incoming = undefined;
    await incoming?.writer.abort();
  }

  async #record(kind: number, payload: Uint8Array): Promise<void> {
    if (kind === recordKinds.head) return this.#begin(payload);
    const incoming = this.#incoming;
    if (!incoming) throw bad('it has no head');
    switch (kind) {
      case recordKinds.signature: {
        const signature = signatureOf(text(payload));
        if (!signature) throw bad('it has a call that is no GL command');
        incoming.signatures.push(signature);
        return;
      }
      case recordKinds.resource:
        incoming.resources.push({ sha256: '', sizeBytes: payload.length });
        incoming.resourceIndexes.push(incoming.writer.resource(payload));
        return incoming.writer.drain();
      case recordKinds.location: {
        if (payload.length < 4) throw bad('it has a short uniform location');
        const location: [number, string] = [wordsOf(payload.subarray(0, 4))[0], text(payload.subarray(4))];
        incoming.locations.push(location);
        incoming.locationIndexes.push(incoming.writer.location(...location));
        return;
      }
      case recordKinds.calls:
        return this.#calls(incoming, payload);
      case recordKinds.frame:
        incoming.frames++;
        return incoming.writer.beginFrame();
      case recordKinds.reference:
        incoming.reference = this.#reference(payload);
        return;
      case recordKinds.end:
        return this.#end(incoming, payload);
      case recordKinds.discard:
        return this.abort();
      default:
        throw bad(`it has a record of unknown kind ${kind}`);
    }
  }

  async #begin(payload: Uint8Array): Promise<void> {
    if (this.#incoming) throw bad('it begins twice');
    const head = json(payload) as CaptureHead;
    const parts = { signatures: [], resources: [], resourceIndexes: [], locations: [], locationIndexes: [] };
    const writer = await CaptureWriter.create(this.#path, head);
    this.#incoming = { writer, head, ...parts, frames: 0, calls: 0, draws: 0, reference: undefined };
  }

  #calls(incoming: Incoming, payload: Uint8Array): void {
    const words = wordsOf(payload);
    const { signatures, resources, locations, resourceIndexes, locationIndexes, writer } = incoming;
    let count = 0;
    for (let at = 0; at < words.length && words[at + 1] > 0; at += words[at + 1]) count++;
    const starts = checkCalls(words, { signatures, resources, locations, objects: anyObject }, count, 'recorded calls');
    for (const start of starts) {
      const { signature, args, result } = decodeCall(words, start, signatures[words[start]]);
      const mapped = args.map((value, index): Argument => {
        if (signature.params[index].type === 'location') return locationIndexes[value as number] ?? value;
        if (typeof value !== 'object' || value === null || !('kind' in value) || value.kind !== 'resource')
          return value;
        return { ...value, resource: resourceIndexes[value.resource] };
      });
      writer.call(signature, mapped, result);
      if (incoming.frames > 0 && drawCommand.test(baseName(signature.name))) incoming.draws++;
    }
    if (incoming.frames > 0) incoming.calls += count;
  }

  #reference(payload: Uint8Array): Uint8Array {
    if (payload.length < 8) throw bad('its picture is short');
    const [width, height] = wordsOf(payload.subarray(0, 8));
    const data = payload.subarray(8);
    if (width < 1 || height < 1 || data.length !== width * height * 4) throw bad('its picture has another size');
    if (data.length > defaultLimits.referenceBytes) throw bad('its picture is too large');
    return encodePng({ width, height, data });
  }

  async #end({ writer, head, frames, calls, draws, reference }: Incoming, payload: Uint8Array): Promise<void> {
    const { requires, notes } = json(payload) as { requires: Manifest['requires']; notes: readonly string[] };
    if (!Array.isArray(notes)) throw bad('its notes are no list');
    await writer.finish({ requires, notes, ...(reference && { reference }) }).catch((error) => {
      throw error instanceof GpuprofError && /^bad-(capture|usage)$/.test(error.code) ? bad(error.message) : error;
    });
    this.#incoming = undefined;
    this.received = { canvas: head.canvas, frames, calls, draws, renderer: head.origin.renderer, notes };
  }
}

function text(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new GpuprofError('bad-input', 'the recorded program sent text that is not UTF-8', { cause: error });
  }
}

function json(bytes: Uint8Array): object {
  try {
    const value: unknown = JSON.parse(text(bytes));
    if (typeof value === 'object' && value !== null) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw bad('its head or end is no JSON object');
}

/** The bytes as words, at an address that is a multiple of 4. */
function wordsOf(bytes: Uint8Array): Uint32Array {
  if (bytes.length % 4 !== 0) throw bad('it has calls that are no whole words');
  return new Uint32Array(bytes.slice().buffer);
}
