/** Which images of each texture have been defined, so that contents go into them or define what is missing. */
export class TextureLevels {
  readonly #immutable = new Set<number>();
  readonly #images = new Map<number, Set<string>>();

  /** Immutable storage has all images at once. */
  store(texture: number): void {
    this.#immutable.add(texture);
  }

  define(texture: number, target: number, level: number): void {
    let images = this.#images.get(texture);
    if (!images) {
      images = new Set();
      this.#images.set(texture, images);
    }
    images.add(`${target}/${level}`);
  }

  has(texture: number, target: number, level: number): boolean {
    return this.#immutable.has(texture) || (this.#images.get(texture)?.has(`${target}/${level}`) ?? false);
  }
}
