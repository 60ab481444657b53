import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCapture } from '../../src/capture/open.ts';
import type { Program } from './programs/kit.ts';
import { record, webgl2 } from './replaying.ts';

const program: Program = (gl) => {
  gl.pushGroupMarkerEXT('closed');
  gl.popGroupMarkerEXT();
  gl.pushGroupMarkerEXT('outer');
  gl.pushGroupMarkerEXT('inner');
  return () => {
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.popGroupMarkerEXT();
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.pushGroupMarkerEXT('inner');
  };
};

test('groups that were opened before the first frame are its own; later frames go on in them', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'gpuprof-groups-')), 'frame.cap');
  await webgl2((gl) => record(gl, program, 2, path, 2));
  const capture = await openCapture(path);
  const callsOf = async (frame: number) =>
    [...(await capture.frame(frame))].map(({ signature, args }) =>
      `${signature.name.slice(2)} ${args[1] ?? ''}`.trim(),
    );
  const drawn = ['Clear', 'PopGroupMarkerEXT', 'Clear', 'PushGroupMarkerEXT inner'];
  assert.deepEqual(await callsOf(1), ['PushGroupMarkerEXT outer', 'PushGroupMarkerEXT inner', ...drawn]);
  assert.deepEqual(await callsOf(2), drawn);
  await capture.close();
});
