/** A reader that does what none may: one wrong thing for each seed, and nothing wrong in the first. For fuzz.test.ts. */
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GpuprofError } from '../../src/errors.ts';
import type { Reader } from './reader.ts';

const bad = (message: string): never => {
  throw new GpuprofError('bad-input', message);
};

const wrongs: readonly ((path: string) => unknown)[] = [
  () => {},
  (path) => bad(`${path}: a sound refusal`),
  () => bad('without its place'),
  () => {
    for (;;);
  },
  () => process.abort(),
  () => Buffer.alloc(2 ** 27, 1),
  (path) => writeFile(join(path, '..', '..', '..', 'outside'), ''),
  async (path) => {
    await writeFile(join(path, '..', 'out.part'), '');
    bad(`${path}: after it has written`);
  },
  () => spawnSync('true'),
  () => new Function('return 1')(),
  () => void Promise.reject(new Error('nobody waits for it')),
];

export const reader: Reader = {
  async open() {
    let seed = 0;
    return {
      async make(_, folder) {
        const path = join(folder, 'hostile');
        await writeFile(path, '');
        seed = Number(folder.split('/').at(-1));
        return path;
      },
      async read(path) {
        await wrongs[seed - 1](path);
        // What nobody waits for is told of in the next turn.
        await new Promise((resolve) => setImmediate(resolve));
      },
    };
  },
};
