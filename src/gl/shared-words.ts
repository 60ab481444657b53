/** Memory that another process sees: the beginning of a file, mapped through the C library. */
import koffi from 'koffi';

const PROT_READ_WRITE = 3;
const MAP_SHARED = 1;
/** Of no error, as a number. */
const failed = 2 ** 64 - 1;

/** The first words of an open file that is as long at least; null where the system has no mmap. Mapped until the process ends. */
export function mapWords(file: number, count: number): Uint32Array | null {
  if (process.platform === 'win32') return null;
  const mmap = koffi.load(null).func('uintptr_t mmap(uintptr_t, size_t, int, int, int, int64_t)');
  const sizeBytes = count * Uint32Array.BYTES_PER_ELEMENT;
  const address = Number(mmap(0, sizeBytes, PROT_READ_WRITE, MAP_SHARED, file, 0));
  return address >= failed ? null : new Uint32Array(koffi.view(address, sizeBytes));
}
