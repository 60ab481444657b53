import { GpuprofError } from '../../errors.ts';
import { memoryHint, shareOfMemory } from '../../model/memory-limit.ts';

export type Definition = Record<string, unknown>;

/** What a model may have at most, shares of the memory limit among it; far above real models. */
export const modelLimits = {
  /** Of all files together. */
  get fileBytes() {
    return shareOfMemory(1 / 4);
  },
  get accessorBytes() {
    return shareOfMemory(1 / 8);
  },
  nodes: 100_000,
  nodeDepth: 256,
  primitives: 100_000,
  images: 4096,
  /** Four bytes each. */
  get imagePixels() {
    return Math.floor(shareOfMemory(1 / 16) / 4);
  },
  /** Of all textures together. */
  get totalPixels() {
    return Math.floor(shareOfMemory(1 / 4) / 4);
  },
  instances: 2 ** 20,
  joints: 2048,
} as const;

export const isObject = (value: unknown): value is Definition =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Checks one model; every failure is a GpuprofError `bad-input` that says where. */
export class Checker {
  readonly json: Record<string, unknown>;
  readonly path: string;

  constructor(json: Definition, path: string) {
    this.json = json;
    this.path = path;
  }

  fail(what: string): never {
    throw new GpuprofError('bad-input', `${this.path}: ${what}`);
  }

  /** As {@link fail}, for what is too large. */
  refuse(what: string): never {
    throw new GpuprofError('bad-input', `${this.path}: ${what}`, { hint: memoryHint });
  }

  list(name: string): readonly Definition[] {
    const value = this.json[name];
    if (value === undefined) return [];
    if (!Array.isArray(value) || !value.every(isObject)) this.fail(`"${name}" is not a list of objects`);
    return value as Definition[];
  }

  count(where: string, value: unknown, fallback?: number): number {
    if (value === undefined && fallback !== undefined) return fallback;
    if (!isCount(value)) this.fail(`${where} is not a count`);
    return value as number;
  }

  /** Checks that `index` is one of the list's, when there is one. */
  reference(where: string, index: unknown, list: string): void {
    if (index === undefined) return;
    if (!isCount(index) || index >= this.list(list).length)
      this.fail(`${where} refers to ${list} ${JSON.stringify(index)?.slice(0, 20)}, which the model does not have`);
  }

  references(where: string, indices: unknown, list: string): void {
    if (indices === undefined) return;
    if (!Array.isArray(indices)) this.fail(`${where} is not a list`);
    for (const index of indices as unknown[]) this.reference(where, index ?? null, list);
  }

  numbers(where: string, value: unknown, size?: number): void {
    if (value === undefined) return;
    if (!Array.isArray(value) || (size !== undefined && value.length !== size) || !value.every(Number.isFinite))
      this.fail(`${where} is not ${size ?? 'a list of'} numbers`);
  }
}
