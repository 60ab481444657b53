/** Numbers that stand for what is equal: the same for the same text, or for the same two numbers in this order. */
export class Interner {
  readonly #texts = new Map<string, number>();
  /** Open addressing: by slot the two numbers and the one that stands for them, -1 in an empty slot. A Map is slow here. */
  #slots = new Int32Array(3 << 16).fill(-1);
  #pairs = 0;
  #count = 0;

  text(text: string): number {
    let number = this.#texts.get(text);
    if (number === undefined) {
      number = this.#count++;
      this.#texts.set(text, number);
    }
    return number;
  }

  pair(one: number, other: number): number {
    const at = this.#find(one, other);
    if (this.#slots[at] >= 0) return this.#slots[at + 2];
    const number = this.#count++;
    this.#put(at, one, other, number);
    this.#pairs++;
    if (this.#pairs * 6 > this.#slots.length) this.#grow();
    return number;
  }

  list(numbers: Iterable<number>): number {
    let all = this.text('');
    for (const number of numbers) all = this.pair(all, number);
    return all;
  }

  /** The pair's slot, or the empty one where it belongs. */
  #find(one: number, other: number): number {
    const slots = this.#slots;
    const last = slots.length / 3 - 1;
    let hash = Math.imul(one, 0x9e3779b1) ^ Math.imul(other, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
    let slot = (hash ^ (hash >>> 13)) & last;
    while (slots[3 * slot] >= 0 && (slots[3 * slot] !== one || slots[3 * slot + 1] !== other)) slot = (slot + 1) & last;
    return 3 * slot;
  }

  #put(at: number, one: number, other: number, number: number): void {
    this.#slots[at] = one;
    this.#slots[at + 1] = other;
    this.#slots[at + 2] = number;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(old.length * 2).fill(-1);
    for (let at = 0; at < old.length; at += 3)
      if (old[at] >= 0) this.#put(this.#find(old[at], old[at + 1]), old[at], old[at + 1], old[at + 2]);
  }
}
