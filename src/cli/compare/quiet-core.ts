import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

const watchMs = 100;

/** `0-3,8` as numbers. */
export function coresOf(list: string): number[] {
  return list.split(',').flatMap((part) => {
    const [first, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

/** Idle time of each core so far, by number, from /proc/stat: idle and waiting for a disk. */
export function idleTimes(stat: string): Map<number, number> {
  const times = new Map<number, number>();
  for (const [, core, fields] of stat.matchAll(/^cpu(\d+) (.*)$/gm)) {
    const [, , , idle, waiting] = fields.trim().split(' ').map(Number);
    times.set(Number(core), idle + waiting);
  }
  return times;
}

const read = (): Map<number, number> => idleTimes(readFileSync('/proc/stat', 'utf8'));

/**
 * The core, of those that this process may run on, that idles most at the moment; the last of those that idle alike. Null
 * where the system does not tell, which is anywhere but on Linux. Takes 0.1 s.
 */
export async function quietCore(): Promise<number | null> {
  try {
    const [, list] = /^Cpus_allowed_list:\s*(.+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    const cores = coresOf(list);
    const before = read();
    await setTimeout(watchMs);
    const after = read();
    const idled = (core: number) => (after.get(core) ?? 0) - (before.get(core) ?? 0);
    return cores.reduce((best, core) => (idled(core) >= idled(best) ? core : best));
  } catch {
    return null;
  }
}
