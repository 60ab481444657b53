import type { QrhiRecord } from '../../model/qrhi/line.ts';

const shared = ['width', 'height', 'effective_sample_count', 'approx_byte_size'] as const;
const colour = 1n;

/**
 * Colour renderbuffers that stand in the stream a second time: Qt's Vulkan backend makes a texture for each, and announces
 * it, under the same name, in the line above.
 */
export class DoublesTally {
  count = 0;
  sizeBytes = 0n;
  #texture: QrhiRecord | null = null;

  add(record: QrhiRecord): void {
    const texture = this.#texture;
    this.#texture = record.op === 7 ? record : null;
    if (record.op !== 5 || !texture || record.ints.type !== colour || record.name !== texture.name) return;
    if (shared.some((key) => record.ints[key] !== texture.ints[key])) return;
    this.count++;
    this.sizeBytes += record.ints.approx_byte_size;
  }
}
