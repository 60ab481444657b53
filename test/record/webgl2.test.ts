import assert from 'node:assert/strict';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { webgl2Programs } from './programs/webgl2.ts';
import { play, record, webgl2 } from './replaying.ts';

const folder = await mkdtemp(join(tmpdir(), 'gpuprof-webgl2-'));

for (const [name, program] of Object.entries(webgl2Programs))
  for (const frame of [1, 50])
    test(`${name}: frame ${frame} of a WebGL 2 program replays to equal pixels`, async () => {
      const path = join(folder, `${name}-${frame}.cap`);
      const drawn = await webgl2((gl) => record(gl, program, frame, path));
      assert.ok(new Set(drawn).size > 1, 'the program draws something');
      const played = await play(path, 'egl');
      assert.deepEqual(played.glErrors, []);
      assert.deepEqual(played.pixels, drawn);
      assert.deepEqual(played.again, drawn);

      const second = join(folder, `${name}-${frame}-again.cap`);
      await webgl2((gl) => record(gl, program, frame, second));
      assert.ok((await readFile(path)).equals(await readFile(second)), 'two recordings are equal bytes');
    });
