import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCapture } from '../../src/capture/open.ts';
import { type Gl, link } from './programs/kit.ts';
import { play, record, webgl2 } from './replaying.ts';

const folder = await mkdtemp(join(tmpdir(), 'gpuprof-uniforms-'));

const vertex = `#version 300 es
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }`;
const fragment = `#version 300 es
precision highp float;
struct Light { float power; float at[2]; };
uniform float single;
uniform float list[3];
uniform Light lights[2];
out vec4 colour;
void main() {
  colour = vec4(single, list[0] + list[2], lights[1].power + lights[1].at[0] + lights[1].at[1], 1.0);
}`;

test('uniforms are named as every driver knows them, whatever the program asked for', async () => {
  const path = join(folder, 'names.cap');
  const set = ['single[0]', 'list', 'list[2]', 'lights[1].power[0]', 'lights[1].at', 'lights[1].at[1]'];
  const drawn = await webgl2((gl) =>
    record(
      gl,
      (context: Gl) => {
        const program = link(context, vertex, fragment);
        context.useProgram(program);
        const locations = set.map((name) => context.getUniformLocation(program, name));
        for (const [index, location] of locations.entries()) assert.ok(location, set[index]);
        return () => {
          context.clear(context.COLOR_BUFFER_BIT);
          for (const [index, location] of locations.entries()) context.uniform1f(location, 0.1 + index / 20);
          context.drawArrays(context.TRIANGLES, 0, 3);
        };
      },
      1,
      path,
    ),
  );
  const capture = await openCapture(path);
  const names = capture.manifest.locations.map(([, name]) => name);
  await capture.close();
  assert.deepEqual(names, ['single', 'list[0]', 'list[2]', 'lights[1].power', 'lights[1].at[0]', 'lights[1].at[1]']);
  const played = await play(path, 'egl');
  assert.deepEqual(played.glErrors, []);
  assert.deepEqual(played.pixels, drawn);
});
