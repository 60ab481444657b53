import { createHash } from 'node:crypto';
import { GpuprofError } from '../errors.ts';
import { CallStream } from '../model/call-stream.ts';
import type { Capture, Manifest } from '../model/capture.ts';
import { Archive } from './archive.ts';
import { CallChecker } from './check-calls.ts';
import {
  type CaptureLimits,
  defaultLimits,
  frameEntry,
  manifestEntry,
  referenceEntry,
  resourceEntry,
  setupEntry,
} from './limits.ts';
import { parseManifest } from './manifest.ts';

async function readManifest(archive: Archive, limits: CaptureLimits): Promise<Manifest> {
  const { path } = archive;
  if (!archive.entries.has(manifestEntry))
    throw new GpuprofError('bad-capture', `${path} is not a capture: it has no ${manifestEntry}`);
  const bytes = await archive.read(manifestEntry, limits.manifestBytes);
  try {
    return parseManifest(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), limits);
  } catch (error) {
    const { message } = error as Error;
    if (!(error instanceof GpuprofError))
      throw new GpuprofError('bad-capture', `${path}: ${manifestEntry} is not JSON: ${message}`, { cause: error });
    const between = error.code === 'unsupported-version' ? ' was ' : `: ${manifestEntry}: `;
    throw new GpuprofError(error.code, `${path}${between}${message}`, error.hint ? { hint: error.hint } : {});
  }
}

/** Every entry the manifest names is there with the size it says, and no others are. */
function checkEntries({ path, entries }: Archive, manifest: Manifest): void {
  const refuse = (problem: string): never => {
    throw new GpuprofError('bad-capture', `${path}: ${problem}`);
  };
  const expected = new Set([manifestEntry, setupEntry]);
  manifest.frames.forEach((_, index) => {
    expected.add(frameEntry(index + 1));
  });
  if (manifest.hasReference) expected.add(referenceEntry);
  for (const [index, { sha256, sizeBytes }] of manifest.resources.entries()) {
    const name = resourceEntry(sha256);
    const entry = entries.get(name) ?? refuse(`resource ${index} (${name}) is missing`);
    if (entry.uncompressedSize !== sizeBytes)
      refuse(`resource ${index} (${name}) is ${entry.uncompressedSize} bytes instead of ${sizeBytes}`);
    expected.add(name);
  }
  for (const name of expected) if (!entries.has(name)) refuse(`${name} is missing`);
  for (const name of entries.keys())
    if (!expected.has(name)) refuse(`${JSON.stringify(name.slice(0, 100))} does not belong in a capture`);
}

class FileCapture implements Capture {
  readonly path: string;
  readonly manifest: Manifest;
  private readonly archive: Archive;
  private readonly limits: CaptureLimits;
  /** Those that something still holds: a replay asks for each several times. */
  private readonly streams = new Map<string, WeakRef<CallStream>>();

  constructor(archive: Archive, manifest: Manifest, limits: CaptureLimits) {
    this.path = archive.path;
    this.manifest = manifest;
    this.archive = archive;
    this.limits = limits;
  }

  setup(): Promise<CallStream> {
    return this.calls(setupEntry, this.manifest.setup.calls);
  }

  frame(frame: number): Promise<CallStream> {
    const info = this.manifest.frames[frame - 1];
    if (!info)
      throw new GpuprofError('bad-usage', `${this.path} has no frame ${frame}; it has ${this.manifest.frames.length}`);
    return this.calls(frameEntry(frame), info.calls);
  }

  async resource(index: number): Promise<Uint8Array> {
    const info = this.manifest.resources[index];
    if (!info) throw new GpuprofError('bad-capture', `${this.path} has no resource ${index}`);
    const name = resourceEntry(info.sha256);
    const bytes = await this.archive.read(name, this.limits.resourceBytes);
    if (createHash('sha256').update(bytes).digest('hex') !== info.sha256)
      throw new GpuprofError('bad-capture', `${this.path}: resource ${index} (${name}) does not have that hash`);
    return bytes;
  }

  async reference(): Promise<Uint8Array | null> {
    return this.manifest.hasReference ? this.archive.read(referenceEntry, this.limits.referenceBytes) : null;
  }

  close(): Promise<void> {
    return this.archive.close();
  }

  /** Checked as it arrives: what is no call stream ends the reading, however long it says that it is. */
  private async calls(name: string, calls: number): Promise<CallStream> {
    const known = this.streams.get(name)?.deref();
    if (known) return known;
    const where = `${this.path}: ${name}`;
    const sizeBytes = this.archive.sizeOf(name, this.limits.callsBytes);
    if (sizeBytes % 4 !== 0) throw new GpuprofError('bad-capture', `${where} is not made of whole words`);
    const words = new Uint32Array(sizeBytes / 4);
    const checker = new CallChecker(words, this.manifest, calls, where);
    await this.archive.readInto(new Uint8Array(words.buffer), name, (bytes) => checker.check(bytes >>> 2));
    const stream = new CallStream(this.manifest.signatures, words, checker.finish());
    this.streams.set(name, new WeakRef(stream));
    return stream;
  }
}

/**
 * Opens a `.cap` file: checks its manifest and that every entry is present with the right size; calls are checked when
 * read, resources against their hash. Throws `bad-input` (no such file), `bad-capture` or `unsupported-version`, naming
 * the file, the entry and the field. Close it after use.
 */
export async function openCapture(path: string, limits: CaptureLimits = defaultLimits): Promise<Capture> {
  const archive = await Archive.open(path, limits);
  try {
    const manifest = await readManifest(archive, limits);
    checkEntries(archive, manifest);
    return new FileCapture(archive, manifest, limits);
  } catch (error) {
    await archive.close();
    throw error;
  }
}
