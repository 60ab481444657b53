import koffi from 'koffi';

/** glibc's mallopt(3): free memory at the heap's top above which it goes back to the system. */
const M_TRIM_THRESHOLD = -1;
/** The size from which a piece is mapped by itself, and goes back when it is freed, wherever it lies. */
const M_MMAP_THRESHOLD = -3;
const largestInt = 0x7fffffff;
/** llvmpipe keeps what it has to draw in pieces of this size. */
const pieceBytes = 64 * 1024;

let isSet = false;

function setOptions(options: readonly (readonly [option: number, value: number])[]): void {
  isSet = true;
  let setOption: (option: number, value: number) => number;
  try {
    setOption = koffi.load(null).func('int mallopt(int, int)');
  } catch {
    return;
  }
  for (const [option, value] of options) setOption(option, value);
}

/**
 * Makes the C library keep freed memory for the next allocation, unless {@link returnFreedMemory} was asked for. A software
 * renderer takes and frees tens of megabytes a frame: where each draw is finished by itself, each would pay for mapping them
 * again, as in no program. Measured on llvmpipe without worker threads, a frame of 2,000 small draws takes 390 ms then and
 * 6 ms with this. C libraries without mallopt are left alone.
 */
export function keepFreedMemory(): void {
  if (!isSet) setOptions([[M_TRIM_THRESHOLD, largestInt]]);
}

/**
 * Makes the C library give freed memory back to the system, as it does in the process of a program that draws, where the
 * renderer's memory lies at the heap's top. Here JavaScript's may lie above it. What a program's passes pay for memory is
 * then part of their time (test/bench/passes.ts).
 */
export function returnFreedMemory(): void {
  setOptions([
    [M_TRIM_THRESHOLD, pieceBytes],
    [M_MMAP_THRESHOLD, pieceBytes],
  ]);
}
