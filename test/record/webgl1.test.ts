import assert from 'node:assert/strict';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { webgl1Programs } from './programs/webgl1.ts';
import { headlessGl, play, record } from './replaying.ts';

const folder = await mkdtemp(join(tmpdir(), 'gpuprof-webgl1-'));

for (const [name, program] of Object.entries(webgl1Programs))
  for (const frame of [1, 50])
    test(`${name}: frame ${frame} of a program on headless-gl replays to equal pixels`, async () => {
      const path = join(folder, `${name}-${frame}.cap`);
      const drawn = await record(await headlessGl(), program, frame, path);
      assert.ok(new Set(drawn).size > 1, 'the program draws something');
      const played = await play(path, 'headless-gl');
      assert.deepEqual(played.glErrors, []);
      assert.deepEqual(played.pixels, drawn);
      assert.deepEqual(played.again, drawn);

      const second = join(folder, `${name}-${frame}-again.cap`);
      await record(await headlessGl(), program, frame, second);
      assert.ok((await readFile(path)).equals(await readFile(second)), 'two recordings are equal bytes');
    });

// headless-gl's own WebGL 2 mixes GL names with handles and cannot be asked for much; see nativeIdOf.
for (const name of ['triangle', 'textured', 'pingPong', 'cube'])
  test(`${name}: frame 50 of a program on headless-gl's WebGL 2 replays to equal pixels`, async () => {
    const path = join(folder, `${name}-webgl2.cap`);
    const drawn = await record(await headlessGl({ createWebGL2Context: true }), webgl1Programs[name], 50, path);
    const played = await play(path, 'headless-gl');
    assert.deepEqual(played.glErrors, []);
    assert.deepEqual(played.pixels, drawn);
  });
