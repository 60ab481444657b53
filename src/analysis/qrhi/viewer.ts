import type { QrhiRecord } from '../../model/qrhi/line.ts';
import type { QrhiViewer, ViewerAllocator, ViewerFrames, ViewerMemory } from '../../model/qrhi/usage.ts';
import { mostLive } from './ledger.ts';

const slots = 3n;
const long = (value: bigint): bigint => BigInt.asIntN(64, value);
const int = (value: bigint): bigint => BigInt.asIntN(32, value);

interface Held {
  readonly bytes: bigint;
  readonly staging: [bigint, bigint, bigint];
}

/** Buffers or textures as the viewer adds them up. */
class Memory {
  readonly #held = new Map<bigint, Held>();
  #total = 0n;
  #peak = 0n;
  #staging = 0n;
  #peakStaging = 0n;

  /** One that is live is added again, and what it was is never subtracted. */
  create(res: bigint, bytes: bigint): void {
    if (this.#held.size >= mostLive && !this.#held.has(res)) return;
    this.#total = long(this.#total + bytes);
    if (this.#total > this.#peak) this.#peak = this.#total;
    this.#held.set(res, { bytes, staging: [0n, 0n, 0n] });
  }

  /** Staging areas that are open stay in the sum for good. */
  release(res: bigint): void {
    const held = this.#held.get(res);
    if (!held) return;
    this.#total = long(this.#total - held.bytes);
    this.#held.delete(res);
  }

  stage(res: bigint, { slot = -1n, size = 0n }: Readonly<Record<string, bigint>>): void {
    const held = this.#held.get(res);
    if (!held || slot < 0n || slot >= slots) return;
    held.staging[Number(slot)] = size;
    this.#staging = long(this.#staging + size);
    if (this.#staging > this.#peakStaging) this.#peakStaging = this.#staging;
  }

  unstage(res: bigint, { slot = -1n }: Readonly<Record<string, bigint>>): void {
    const held = this.#held.get(res);
    if (!held || slot < 0n || slot >= slots) return;
    this.#staging = long(this.#staging - held.staging[Number(slot)]);
    held.staging[Number(slot)] = 0n;
  }

  figures(): ViewerMemory {
    return {
      count: this.#held.size,
      totalBytes: this.#total,
      peakBytes: this.#peak,
      stagingBytes: this.#staging,
      peakStagingBytes: this.#peakStaging,
    };
  }
}

/**
 * The arithmetic of Qt's viewer (qtbase tests/manual/rhi/qrhiprof, 5.15), in its 64-bit integers: what its six labels
 * show. It counts buffers, textures and swapchains, and leaves renderbuffers and readbacks out.
 */
export class ViewerModel {
  readonly #buffers = new Memory();
  readonly #textures = new Memory();
  readonly #swapchains = new Map<bigint, bigint>();
  #total = 0n;
  #peak = 0n;
  #frames: ViewerFrames | null = null;
  #gpu: QrhiViewer['gpu'] = null;
  #allocator: ViewerAllocator | null = null;

  add({ op, res, ints, floats }: QrhiRecord): void {
    switch (op) {
      case 1:
        this.#buffers.create(res, long((ints.effective_size ?? 0n) * int(ints.backing_gpu_buf_count ?? 1n)));
        break;
      case 2:
        this.#buffers.release(res);
        break;
      case 3:
        this.#buffers.stage(res, ints);
        break;
      case 4:
        this.#buffers.unstage(res, ints);
        break;
      case 7:
        this.#textures.create(res, ints.owns_native_resource === 0n ? 0n : (ints.approx_byte_size ?? 0n));
        break;
      case 8:
        this.#textures.release(res);
        break;
      case 9:
        this.#textures.stage(res, ints);
        break;
      case 10:
        this.#textures.unstage(res, ints);
        break;
      case 11:
        this.#resize(res, ints.approx_total_byte_size ?? 0n);
        break;
      case 12:
        this.#total = long(this.#total - (this.#swapchains.get(res) ?? 0n));
        this.#swapchains.delete(res);
        break;
      case 15:
        this.#allocator = {
          blocks: ints.real_alloc_count ?? this.#allocator?.blocks ?? 0n,
          allocations: ints.sub_alloc_count ?? this.#allocator?.allocations ?? 0n,
          usedBytes: ints.total_size ?? this.#allocator?.usedBytes ?? 0n,
          unusedBytes: ints.unused_size ?? this.#allocator?.unusedBytes ?? 0n,
        };
        break;
      case 16:
        this.#gpu = {
          minMs: Math.fround(floats.Fmin_ms_gpu_frame_time ?? this.#gpu?.minMs ?? 0),
          maxMs: Math.fround(floats.Fmax_ms_gpu_frame_time ?? this.#gpu?.maxMs ?? 0),
          avgMs: Math.fround(floats.Favg_ms_gpu_frame_time ?? this.#gpu?.avgMs ?? 0),
        };
        break;
      case 17:
        this.#frames = {
          framesSinceResize: ints.frames_since_resize ?? this.#frames?.framesSinceResize ?? 0n,
          minMs: int(ints.min_ms_frame_delta ?? this.#frames?.minMs ?? 0n),
          maxMs: int(ints.max_ms_frame_delta ?? this.#frames?.maxMs ?? 0n),
          avgMs: Math.fround(floats.Favg_ms_frame_delta ?? this.#frames?.avgMs ?? 0),
        };
        break;
    }
  }

  figures(): QrhiViewer {
    return {
      buffers: this.#buffers.figures(),
      textures: this.#textures.figures(),
      swapchains: { totalBytes: this.#total, peakBytes: this.#peak },
      frames: this.#frames,
      gpu: this.#gpu,
      allocator: this.#allocator,
    };
  }

  #resize(res: bigint, bytes: bigint): void {
    const was = this.#swapchains.get(res);
    if (was === undefined && this.#swapchains.size >= mostLive) return;
    this.#total = long(this.#total - (was ?? 0n) + bytes);
    if (this.#total > this.#peak) this.#peak = this.#total;
    this.#swapchains.set(res, bytes);
  }
}
