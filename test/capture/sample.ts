import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodePng } from '../../src/capture/png.ts';
import { CaptureWriter } from '../../src/capture/write.ts';
import { signatureOf } from '../../src/gl/command-table.ts';
import type { Argument } from '../../src/model/call.ts';
import type { Signature } from '../../src/model/signature.ts';
import type { CaptureHead, CaptureSink } from '../../src/model/sink.ts';

export const head: CaptureHead = {
  api: 'webgl2',
  apiVersion: [3, 0],
  origin: { producer: 'test', driver: 'none', vendor: 'v', renderer: 'r', version: '1' },
  canvas: { width: 4, height: 2, alpha: true, depth: true, stencil: false, samples: 0, preserved: false },
  requires: { extensions: ['GL_EXT_color_buffer_float'], limits: { GL_MAX_TEXTURE_SIZE: 4096 } },
};

export function signature(name: string): Signature {
  const found = signatureOf(name);
  if (!found) throw new Error(`no command ${name}`);
  return found;
}

export function call(sink: CaptureSink, name: string, args: readonly Argument[], result?: number): void {
  sink.call(signature(name), args, result);
}

export const vertices = new Uint8Array(new Float32Array([-1, -1, 3, -1, -1, 3]).buffer);

/** A small capture that uses every kind of argument a WebGL program makes. */
export function record(sink: CaptureSink): void {
  const resource = sink.resource(vertices);
  call(sink, 'glGenBuffers', [1, [1]]);
  call(sink, 'glBindBuffer', [0x8892, 1]);
  call(sink, 'glBufferData', [
    0x8892,
    vertices.length,
    { kind: 'resource', resource, byteOffset: 0, byteLength: 24 },
    0x88e4,
  ]);
  call(sink, 'glCreateShader', [0x8b31], 1);
  call(sink, 'glShaderSource', [1, 1, ['#version 300 es\n// naïve\nvoid main() {}\n'], null]);
  call(sink, 'glCreateProgram', [], 1);
  call(sink, 'glVertexAttribPointer', [0, 2, 0x1406, 0, 8, { kind: 'offset', offset: 0 }]);
  sink.beginFrame();
  call(sink, 'glPushGroupMarkerEXT', [0, 'scene']);
  call(sink, 'glClear', [0x4100]);
  call(sink, 'glUniform4fv', [
    sink.location(1, 'uColor'),
    1,
    { kind: 'inline', bytes: new Uint8Array(new Float32Array([1, 0.5, 0, 1]).buffer) },
  ]);
  call(sink, 'glDrawArrays', [4, 0, 3]);
  call(sink, 'glPopGroupMarkerEXT', []);
  call(sink, 'glReadPixels', [0, 0, 1, 1, 0x1908, 0x1401, 4]);
}

export const reference = encodePng({ width: 4, height: 2, data: new Uint8Array(32).fill(255) });

/** Runs with a folder of its own, removed afterwards. */
export async function withFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'gpuprof-capture-'));
  try {
    return await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function writeSample(path: string): Promise<Uint8Array> {
  const writer = await CaptureWriter.create(path, head);
  record(writer);
  await writer.finish({ reference });
  return readFile(path);
}
