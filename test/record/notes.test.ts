import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCapture } from '../../src/capture/open.ts';
import { attachProgramRecorder } from '../../src/record/attach-program.ts';
import { recordFrames } from '../../src/record/record-program.ts';
import { Notes } from '../../src/record/snapshot/notes.ts';
import { type Gl, link, type Program } from './programs/kit.ts';
import { headlessGl, webgl2 } from './replaying.ts';

/** What a recorder says that it could not store as it was. */

const folder = await mkdtemp(join(tmpdir(), 'gpuprof-notes-'));
const producer = { producer: 'gpuprof test', driver: 'test' };

const edge = `#version 300 es
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * vec2(1.7, 1.3) - 0.9, 0.0, 1.0); }`;
const white = '#version 300 es\nprecision highp float; out vec4 o; void main() { o = vec4(1.0); }';

/** Records frame `frame`; its notes as returned, which must be those in the file. */
async function notesOf(gl: Gl, program: Program, frame: number): Promise<readonly string[]> {
  const path = join(folder, 'noted.cap');
  const recorder = attachProgramRecorder(gl, { producer });
  const step = program(gl);
  const { notes } = await recordFrames(recorder, { path, frame, step });
  recorder.detach();
  const capture = await openCapture(path);
  await capture.close();
  assert.deepEqual(capture.manifest.notes ?? [], notes);
  return notes;
}

/** Draws an edge into a multisampled renderbuffer in every frame, or only clears it. */
const multisampled =
  (format: string, drawn: boolean): Program =>
  (gl) => {
    gl.useProgram(link(gl, edge, white));
    const buffer = gl.createRenderbuffer();
    gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
    gl.renderbufferStorageMultisample(gl.RENDERBUFFER, 4, gl[format], 32, 32);
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, buffer);
    return () => {
      if (drawn) gl.drawArrays(gl.TRIANGLES, 0, 3);
      else gl.clear(gl.COLOR_BUFFER_BIT);
    };
  };

const resolved = (name: string) =>
  `${name} has 4 samples a pixel, which WebGL cannot read one by one: what earlier frames drew is stored resolved, ` +
  'so edges differ where it is drawn over';

test('samples that earlier frames left in a renderbuffer', async () => {
  assert.deepEqual(await webgl2((gl) => notesOf(gl, multisampled('RGBA8', true), 3)), [resolved('renderbuffer 1')]);
  assert.deepEqual(await webgl2((gl) => notesOf(gl, multisampled('RGBA8', true), 1)), []);
  assert.deepEqual(await webgl2((gl) => notesOf(gl, multisampled('RGBA8', false), 3)), []);
});

test('samples that earlier frames left on the canvas', async () => {
  const program: Program = (gl) => {
    gl.useProgram(link(gl, edge, white));
    return () => gl.drawArrays(gl.TRIANGLES, 0, 3);
  };
  const record = (frame: number, antialias: boolean) =>
    webgl2((gl) => notesOf(gl, program, frame), { antialias, depth: false, stencil: false });
  assert.deepEqual(await record(2, true), [resolved('the canvas')]);
  assert.deepEqual(await record(1, true), []);
  assert.deepEqual(await record(2, false), []);
});

test('what a transform feedback wrote into a buffer that is deleted since', async () => {
  const program: Program = (gl) => {
    const feedback = (made: object) => gl.transformFeedbackVaryings(made, ['gl_Position'], gl.INTERLEAVED_ATTRIBS);
    gl.useProgram(link(gl, edge, white, feedback));
    const array = gl.createVertexArray();
    const written = gl.createBuffer();
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, written);
    gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, 48, gl.STATIC_DRAW);
    gl.beginTransformFeedback(gl.TRIANGLES);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.endTransformFeedback();
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, null);
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, written);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 4, gl.FLOAT, false, 0, 0);
    gl.bindVertexArray(null);
    gl.deleteBuffer(written);
    return () => gl.bindVertexArray(array);
  };
  assert.deepEqual(await webgl2((gl) => notesOf(gl, program, 1)), [
    'buffer 1 cannot be read: what the GPU wrote into it is not stored',
  ]);
});

test('the list is bounded, and no sentence comes twice', () => {
  const notes = new Notes();
  for (let count = 0; count < 300; count++) notes.add(`note ${count % 150}`);
  const list = notes.list();
  assert.deepEqual([list.length, list[98], list[99]], [100, 'note 98', '51 more like these']);
});

test('depth that WebGL 1 cannot read', async () => {
  const program: Program = (gl) => {
    const make = (format: number, point: number) => {
      const buffer = gl.createRenderbuffer();
      gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
      gl.renderbufferStorage(gl.RENDERBUFFER, format, 16, 16);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, point, gl.RENDERBUFFER, buffer);
    };
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    make(gl.RGBA4, gl.COLOR_ATTACHMENT0);
    make(gl.DEPTH_STENCIL, gl.DEPTH_STENCIL_ATTACHMENT);
    return () => gl.clear(gl.COLOR_BUFFER_BIT);
  };
  const left = 'WebGL cannot read its depth here, so what earlier frames left in it is not stored';
  assert.deepEqual(await notesOf(await headlessGl(), program, 2), [`renderbuffer 2: ${left}`]);
});

test('depth and stencil of the canvas that WebGL 1 cannot read, where a frame tests them uncleared', async () => {
  const program =
    (prepare: (gl: Gl) => void): Program =>
    (gl) => {
      const vertex = 'attribute vec2 at; void main() { gl_Position = vec4(at, 0.0, 1.0); }';
      gl.useProgram(link(gl, vertex, 'void main() { gl_FragColor = vec4(1.0); }'));
      return () => {
        prepare(gl);
        gl.drawArrays(gl.TRIANGLES, 0, 3);
        gl.clear(gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
      };
    };
  const notes = async (prepare: (gl: Gl) => void) => notesOf(await headlessGl(), program(prepare), 2);
  const left = (names: string) =>
    `the canvas: WebGL cannot read its ${names} here, so what earlier frames left in it is not stored`;
  const test = (gl: Gl) => {
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.STENCIL_TEST);
  };
  assert.deepEqual(await notes(test), [left('depth and stencil')]);
  assert.deepEqual(await notes(() => {}), []);
  const clearing = (prepare: (gl: Gl) => void) =>
    notes((gl) => {
      prepare(gl);
      gl.clear(gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
      test(gl);
    });
  assert.deepEqual(await clearing(() => {}), []);
  assert.deepEqual(await clearing((gl) => gl.depthMask(false)), [left('depth')]);
  assert.deepEqual(await clearing((gl) => gl.stencilMask(1)), [left('stencil')]);
  assert.deepEqual(await clearing((gl) => gl.enable(gl.SCISSOR_TEST)), [left('depth and stencil')]);
});
