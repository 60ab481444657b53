import type { QrhiRecord } from '../../model/qrhi/line.ts';
import { type QrhiKind, type QrhiResource, qrhiKinds } from '../../model/qrhi/usage.ts';
import { Tally } from './tally.ts';

/** Most that is followed at once: a stream that never releases must not fill the memory. */
export const mostLive = 2 ** 17;

type Live = Omit<QrhiResource, 'isLive'>;
type OwnerKind = 'buffer' | 'texture';

const stagingOf = { buffer: 'buffer staging', texture: 'texture staging' } as const;

const entry = (kind: QrhiKind, { res, name, line, timestampMs, ints }: QrhiRecord, sizeBytes: bigint): Live => ({
  kind,
  res,
  name,
  sizeBytes,
  line,
  timestampMs,
  values: ints,
});

/** What is live: created and not yet released. Memory grows with what is live at once, up to a bound. */
export class QrhiLedger {
  readonly tallies = new Map(qrhiKinds.map((kind) => [kind, new Tally()]));
  readonly total = new Tally();
  /** Creations that were not followed because too much was live. */
  unfollowed = 0;
  /** Staging areas of what is not live. */
  strayStaging = 0;
  readonly #live = new Map<QrhiKind, Map<bigint, Live>>(qrhiKinds.map((kind) => [kind, new Map()]));
  readonly #staging = {
    buffer: new Map<bigint, Map<bigint, Live>>(),
    texture: new Map<bigint, Map<bigint, Live>>(),
  };

  /** Takes an entry into account; returns what it created, if it did. */
  add(record: QrhiRecord): Live | null {
    const { op, res, ints } = record;
    switch (op) {
      case 1:
        return this.#create(entry('buffer', record, ints.effective_size * (ints.backing_gpu_buf_count ?? 1n)), res);
      case 5:
        return this.#create(entry('renderbuffer', record, ints.approx_byte_size), res);
      case 7:
        return this.#create(
          entry('texture', record, ints.owns_native_resource === 0n ? 0n : ints.approx_byte_size),
          res,
        );
      case 11:
        return this.#create(entry('swapchain', record, ints.approx_total_byte_size), res);
      case 13:
        return this.#create(entry('readback', record, ints.size), ints.id);
      case 2:
        this.#releaseOwner('buffer', res);
        break;
      case 8:
        this.#releaseOwner('texture', res);
        break;
      case 6:
        this.#release('renderbuffer', res);
        break;
      case 12:
        this.#release('swapchain', res);
        break;
      case 14:
        this.#release('readback', ints.id);
        break;
      case 3:
      case 9:
        this.#stage(op === 3 ? 'buffer' : 'texture', record);
        break;
      case 4:
      case 10:
        this.#unstage(op === 4 ? 'buffer' : 'texture', res, ints.slot);
        break;
    }
    return null;
  }

  isLive({ kind, res, line }: Live): boolean {
    return this.#live.get(kind)?.get(res)?.line === line;
  }

  /** Everything live, in no order. */
  *live(): Generator<Live> {
    for (const entries of this.#live.values()) yield* entries.values();
    for (const owners of Object.values(this.#staging)) for (const slots of owners.values()) yield* slots.values();
  }

  #tally(kind: QrhiKind): Tally {
    return this.tallies.get(kind) as Tally;
  }

  /** Puts it where it belongs, in place of what is there; false when there is no room for one more. */
  #put(entries: Map<bigint, Live>, key: bigint, created: Live): boolean {
    const replaced = entries.get(key);
    if (!replaced && this.total.liveCount >= mostLive) {
      this.unfollowed++;
      return false;
    }
    entries.set(key, created);
    this.#tally(created.kind).create(created.sizeBytes, replaced?.sizeBytes ?? null);
    this.total.create(created.sizeBytes, replaced?.sizeBytes ?? null);
    return true;
  }

  #take(entries: Map<bigint, Live> | undefined, key: bigint, kind: QrhiKind): void {
    const gone = entries?.get(key);
    if (!gone) {
      this.#tally(kind).strayReleases++;
      this.total.strayReleases++;
      return;
    }
    entries?.delete(key);
    this.#tally(kind).release(gone.sizeBytes);
    this.total.release(gone.sizeBytes);
  }

  #create(created: Live, key: bigint): Live {
    this.#put(this.#live.get(created.kind) as Map<bigint, Live>, key, created);
    return created;
  }

  #release(kind: QrhiKind, key: bigint): void {
    this.#take(this.#live.get(kind), key, kind);
  }

  /** A buffer or texture takes its staging areas with it. */
  #releaseOwner(kind: OwnerKind, res: bigint): void {
    this.#release(kind, res);
    for (const slot of this.#staging[kind].get(res)?.keys() ?? []) this.#unstage(kind, res, slot);
  }

  #stage(kind: OwnerKind, record: QrhiRecord): void {
    if (!this.#live.get(kind)?.has(record.res)) {
      this.strayStaging++;
      return;
    }
    const slots = this.#staging[kind].get(record.res) ?? new Map<bigint, Live>();
    if (this.#put(slots, record.ints.slot, entry(stagingOf[kind], record, record.ints.size)))
      this.#staging[kind].set(record.res, slots);
  }

  #unstage(kind: OwnerKind, res: bigint, slot: bigint): void {
    const slots = this.#staging[kind].get(res);
    this.#take(slots, slot, stagingOf[kind]);
    if (slots?.size === 0) this.#staging[kind].delete(res);
  }
}
