/** What this process asks of Linux about itself, through the C library that is in it. */
import { readdirSync } from 'node:fs';
import koffi from 'koffi';
import { Scratch } from './native.ts';

const PR_SET_PDEATHSIG = 1;
const SIGKILL = 9;
const maskBytes = 128;

/**
 * Puts this process, with all threads that it has and those that they will start, on one core. Returns why that cannot
 * be had, one clause, or null. Elsewhere than on Linux a process cannot choose.
 */
export function pinToCore(core: number): string | null {
  if (process.platform !== 'linux') return `${process.platform} lets no process choose its core`;
  try {
    const setAffinity = koffi.load(null).func('int sched_setaffinity(int, size_t, uintptr_t)');
    const mask = new Scratch(maskBytes);
    mask.u8[core >> 3] = 1 << (core & 7);
    // A thread that has ended meanwhile is no loss; the main thread's answer counts.
    for (const thread of readdirSync('/proc/self/task')) setAffinity(Number(thread), maskBytes, mask.address);
    return setAffinity(0, maskBytes, mask.address) === 0 ? null : `the system refuses core ${core}`;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Has Linux end this process when its parent ends, also while it is deep in a driver; does nothing elsewhere. */
export function endWithParent(): void {
  if (process.platform !== 'linux') return;
  try {
    koffi.load(null).func('int prctl(int, uintptr_t, uintptr_t, uintptr_t, uintptr_t)')(
      PR_SET_PDEATHSIG,
      SIGKILL,
      0,
      0,
      0,
    );
  } catch {
    // A C library without it: the closed channel still tells, between two calls.
  }
}
