const mostNotes = 100;

/** What a capture does not hold as it was: plain sentences, each once, in the order in which they came up. */
export class Notes {
  readonly #sentences = new Set<string>();

  add(sentence: string): void {
    this.#sentences.add(sentence);
  }

  list(): readonly string[] {
    const all = [...this.#sentences];
    if (all.length <= mostNotes) return all;
    return [...all.slice(0, mostNotes - 1), `${all.length - mostNotes + 1} more like these`];
  }
}

/** `name` is the object, as in "renderbuffer 3". */
export const resolvedNote = (name: string, samples: number): string =>
  `${name} has ${samples} samples a pixel, which WebGL cannot read one by one: what earlier frames drew is stored ` +
  'resolved, so edges differ where it is drawn over';

export const leftOutNote = (name: string, aspects: readonly string[]): string =>
  `${name}: WebGL cannot read its ${aspects.join(' and ')} here, so what earlier frames left in it is not stored`;
