/** Evenly distributed between 0 and 1, the same for the same seed from 1 on: Park and Miller's generator. */
export function randomFrom(seed: number): () => number {
  const modulus = 2 ** 31 - 1;
  let state = seed;
  const next = () => {
    state = (state * 48_271) % modulus;
    return state / modulus;
  };
  // Neighbouring seeds begin alike.
  for (let step = 0; step < 20; step++) next();
  return next;
}

/** Normally distributed, by Box and Muller. */
export const normalFrom = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());

/** Gives a whole number from 0 and below `below`, which may be 2^32. */
export type Random = (below: number) => number;

/** Whole numbers, the same for the same seed from 1 on. */
export function integersFrom(seed: number): Random {
  const next = randomFrom(seed);
  return (below) => Math.floor(next() * below);
}

export const pick = <T>(random: Random, list: readonly T[]): T => list[random(list.length)];
