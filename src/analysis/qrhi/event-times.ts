import type { QrhiRecord } from '../../model/qrhi/line.ts';
import type { QrhiEventTimes } from '../../model/qrhi/usage.ts';
import { mostLive } from './ledger.ts';
import { timesOf, WindowTally } from './windows.ts';

interface Event {
  readonly res: bigint;
  readonly name: string;
  readonly times: WindowTally;
}

/**
 * GPU times of a frame's events. Only swapchains have GPU times, so gpuprof announces an event as one that no program
 * has: 0x0 with one buffer.
 */
export class EventTimesTally {
  readonly #announced = new Set<bigint>();
  readonly #events = new Map<string, Event>();
  /** Times that were not followed because there were too many events. */
  unfollowed = 0;

  /** Takes an entry that is about an event, and says whether it was. */
  take(record: QrhiRecord): boolean {
    const { op, res, ints } = record;
    if (op === 11) {
      if (ints.width !== 0n || ints.height !== 0n || ints.buffer_count !== 1n) {
        this.#announced.delete(res);
        return false;
      }
      if (this.#announced.size < mostLive) this.#announced.add(res);
      return true;
    }
    if ((op !== 12 && op !== 16) || !this.#announced.has(res)) return false;
    if (op === 12) this.#announced.delete(res);
    else this.#add(record);
    return true;
  }

  /** The heaviest first, by average. */
  figures(): QrhiEventTimes[] {
    return [...this.#events.values()]
      .map(({ res, name, times }) => ({ res, name, ...times.figures()! }))
      .sort((left, right) => right.avgMs - left.avgMs);
  }

  #add(record: QrhiRecord): void {
    const { res, name } = record;
    const key = `${res} ${name}`;
    let event = this.#events.get(key);
    if (!event) {
      if (this.#events.size >= mostLive) {
        this.unfollowed++;
        return;
      }
      event = { res, name, times: new WindowTally() };
      this.#events.set(key, event);
    }
    event.times.add(timesOf(record));
  }
}
