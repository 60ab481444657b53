import { Archive } from '../../capture/archive.ts';
import { defaultLimits } from '../../capture/limits.ts';
import { GpuprofError } from '../../errors.ts';
import { shareOfMemory, tooLarge } from '../../model/memory-limit.ts';
import type { Chunk } from './node.ts';

/** The buffers of a `.zip.xml`, in the ZIP file beside it: entries `000000`, `000001`, ... */
export class ZipBuffers {
  readonly #archive: Archive;

  private constructor(archive: Archive) {
    this.#archive = archive;
  }

  static async open(path: string): Promise<ZipBuffers> {
    try {
      return new ZipBuffers(await Archive.open(path, defaultLimits, 'a ZIP file'));
    } catch (error) {
      if (error instanceof GpuprofError && error.message.includes('no such file'))
        throw new GpuprofError('bad-input', `${path} is missing: it holds the buffers of ${path}.xml`, {
          cause: error,
        });
      throw error;
    }
  }

  /**
   * Reads the buffers that a chunk names. Throws `bad-input` where they are not there, not as long as it says, or together
   * over half of the memory limit.
   */
  async load({ name: chunk, buffers, fields }: Chunk): Promise<void> {
    const mostBytes = shareOfMemory(1 / 2);
    let total = 0;
    for (const node of buffers) {
      if (node.byteLength === 0) continue;
      const name = String(node.value).padStart(6, '0');
      const entry = this.#archive.entries.get(name);
      if (!entry) fields.fault(`needs buffer ${name}, which ${this.#archive.path} does not have`);
      else if (entry.uncompressedSize !== node.byteLength)
        fields.fault(`says that buffer ${name} has ${node.byteLength} bytes; it has ${entry.uncompressedSize}`);
      total += node.byteLength;
      if (total > mostBytes)
        throw tooLarge('bad-input', `${this.#archive.path}: buffers of ${chunk} up to ${name} have`, total, mostBytes);
      node.bytes = await this.#archive.read(name, mostBytes);
    }
  }

  close(): Promise<void> {
    return this.#archive.close();
  }
}

/** Lets the bytes go. */
export function unload({ buffers }: Chunk): void {
  for (const node of buffers) node.bytes = null;
}
