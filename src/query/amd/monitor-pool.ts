import { Scratch } from '../../gl/native.ts';
import type { MonitorCommands } from './monitor-commands.ts';

/** Monitors with the same counters of one group enabled. */
export class MonitorPool {
  readonly #commands: MonitorCommands;
  readonly #group: number;
  readonly #ids: Scratch;
  readonly #count: number;
  /** Names of the monitors. */
  readonly monitors: number[] = [];

  constructor(commands: MonitorCommands, group: number, counters: readonly number[]) {
    this.#commands = commands;
    this.#group = group;
    this.#ids = new Scratch(counters.length * 4);
    this.#ids.u32.set(counters);
    this.#count = counters.length;
  }

  /**
   * Makes sure of `count` monitors without results of earlier sessions. Returns why the driver refuses, or null;
   * {@link monitors} then has those that there are.
   */
  reserve(count: number): string | null {
    while (this.monitors.length < count) {
      const monitor = this.#commands.generate();
      if (monitor === 0 || this.monitors.includes(monitor))
        return `GenPerfMonitorsAMD gives no more than ${this.monitors.length} monitors`;
      this.monitors.push(monitor);
    }
    for (let index = 0; index < count; index++) {
      // Selecting anew forgets old results: a session that then fails in silence cannot pass them off as its own.
      const refused = this.#commands.select(this.monitors[index], this.#group, this.#count, this.#ids.address);
      if (refused) return refused;
    }
    return null;
  }

  dispose(): void {
    for (const monitor of this.monitors.splice(0)) this.#commands.delete(monitor);
  }
}

/**
 * Why the driver does not sample these counters together, as one clause, or null: an empty session is tried. Where there
 * is no monitor to try with, nothing is known against them.
 */
export function refusalOf(commands: MonitorCommands, group: number, counters: readonly number[]): string | null {
  const pool = new MonitorPool(commands, group, counters);
  try {
    const refused = pool.reserve(1);
    const [monitor] = pool.monitors;
    if (refused || monitor === undefined) return monitor === undefined ? null : refused;
    const failed = commands.errors.of(() => commands.begin(monitor));
    commands.errors.of(() => commands.end(monitor));
    return failed && `BeginPerfMonitorAMD raised ${failed}`;
  } finally {
    pool.dispose();
  }
}
