import assert from 'node:assert/strict';
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openCapture } from '../../src/capture/open.ts';
import type { Call, DataArgument } from '../../src/model/call.ts';
import type { Capture } from '../../src/model/capture.ts';
import { attachProgramRecorder } from '../../src/record/attach-program.ts';
import { recordFrames } from '../../src/record/record-program.ts';
import { buffer, type Gl, link, quad, texels } from './programs/kit.ts';
import { webgl1Programs } from './programs/webgl1.ts';
import { headlessGl, play, record, webgl2 } from './replaying.ts';

const folder = await mkdtemp(join(tmpdir(), 'gpuprof-recorder-'));
const producer = { producer: 'gpuprof test', driver: 'test' };

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

async function opened<T>(path: string, work: (capture: Capture) => Promise<T>): Promise<T> {
  const capture = await openCapture(path);
  try {
    return await work(capture);
  } finally {
    await capture.close();
  }
}

const names = (calls: Iterable<Call>) => Array.from(calls, ({ signature }) => signature.name);

/** Formats whose texels come back bit for bit from the GPU: [internal format, format, type, bytes a texel]. */
const exact: readonly [string, string, string, number][] = [
  ['RGBA8', 'RGBA', 'UNSIGNED_BYTE', 4],
  ['RGB8', 'RGB', 'UNSIGNED_BYTE', 3],
  ['RG8', 'RG', 'UNSIGNED_BYTE', 2],
  ['R8', 'RED', 'UNSIGNED_BYTE', 1],
  ['SRGB8_ALPHA8', 'RGBA', 'UNSIGNED_BYTE', 4],
  ['SRGB8', 'RGB', 'UNSIGNED_BYTE', 3],
  ['LUMINANCE', 'LUMINANCE', 'UNSIGNED_BYTE', 1],
  ['LUMINANCE_ALPHA', 'LUMINANCE_ALPHA', 'UNSIGNED_BYTE', 2],
  ['ALPHA', 'ALPHA', 'UNSIGNED_BYTE', 1],
  ['RGB565', 'RGB', 'UNSIGNED_SHORT_5_6_5', 2],
  ['RGBA4', 'RGBA', 'UNSIGNED_SHORT_4_4_4_4', 2],
  ['RGB5_A1', 'RGBA', 'UNSIGNED_SHORT_5_5_5_1', 2],
  ['RGB10_A2', 'RGBA', 'UNSIGNED_INT_2_10_10_10_REV', 4],
  ['RGB10_A2UI', 'RGBA_INTEGER', 'UNSIGNED_INT_2_10_10_10_REV', 4],
  ['R8UI', 'RED_INTEGER', 'UNSIGNED_BYTE', 1],
  ['RG8I', 'RG_INTEGER', 'BYTE', 2],
  ['RGB8UI', 'RGB_INTEGER', 'UNSIGNED_BYTE', 3],
  ['RGBA16I', 'RGBA_INTEGER', 'SHORT', 8],
  ['RG16UI', 'RG_INTEGER', 'UNSIGNED_SHORT', 4],
  ['RGBA32UI', 'RGBA_INTEGER', 'UNSIGNED_INT', 16],
  ['R32I', 'RED_INTEGER', 'INT', 4],
  ['DEPTH_COMPONENT16', 'DEPTH_COMPONENT', 'UNSIGNED_SHORT', 2],
];

const viewTypes: Readonly<Record<string, (buffer: ArrayBufferLike) => ArrayBufferView>> = {
  BYTE: (raw) => new Int8Array(raw),
  SHORT: (raw) => new Int16Array(raw),
  INT: (raw) => new Int32Array(raw),
};

function viewOf(raw: Uint8Array, type: string): ArrayBufferView {
  const make = viewTypes[type];
  if (make) return make(raw.buffer);
  if (type.startsWith('UNSIGNED_INT')) return new Uint32Array(raw.buffer);
  return type.startsWith('UNSIGNED_SHORT') ? new Uint16Array(raw.buffer) : raw;
}

for (const [internal, format, type, bytes] of exact)
  test(`${internal} texels read back from the GPU are those that were uploaded`, async () => {
    const path = join(folder, `${internal}.cap`);
    const side = 16;
    const raw = texels(side * side * bytes, 5);
    await webgl2((gl) =>
      record(
        gl,
        () => {
          const texture = gl.createTexture();
          gl.bindTexture(gl.TEXTURE_2D, texture);
          gl.texImage2D(gl.TEXTURE_2D, 0, gl[internal], side, side, 0, gl[format], gl[type], viewOf(raw, type));
          assert.equal(gl.getError(), gl.NO_ERROR);
          gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
          const point = format === 'DEPTH_COMPONENT' ? gl.DEPTH_ATTACHMENT : gl.COLOR_ATTACHMENT0;
          gl.framebufferTexture2D(gl.FRAMEBUFFER, point, gl.TEXTURE_2D, texture, 0);
          gl.bindFramebuffer(gl.FRAMEBUFFER, null);
          return () => gl.flush();
        },
        1,
        path,
      ),
    );
    await opened(path, async (capture) => {
      const upload = [...(await capture.setup())].find(({ signature }) => signature.name === 'glTexImage2D');
      const data = upload?.args.at(-1) as DataArgument;
      const stored =
        data?.kind === 'inline' ? data.bytes : data?.kind === 'resource' ? await capture.resource(data.resource) : [];
      assert.deepEqual(Array.from(stored), Array.from(raw));
    });
  });

test('memory does not grow with time: a thousand uploads into the same image and buffer', async () => {
  await webgl2(async (gl) => {
    const recorder = attachProgramRecorder(gl, { producer });
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 256, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
    buffer(gl, new Uint8Array(65536));
    const part = texels(128 * 128 * 4);
    const frame = () => {
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 64, 64, 128, 128, gl.RGBA, gl.UNSIGNED_BYTE, part);
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, part);
      const passing = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_3D, passing);
      gl.texImage3D(gl.TEXTURE_3D, 0, gl.R8, 32, 32, 32, 0, gl.RED, gl.UNSIGNED_BYTE, part);
      gl.deleteTexture(passing);
    };
    // Twice: what the first round finds unreachable may be freed by the second only.
    const heldBytes = () => {
      collectGarbage();
      collectGarbage();
      return process.memoryUsage().arrayBuffers;
    };
    for (let warm = 0; warm < 10; warm++) frame();
    const before = heldBytes();
    for (let count = 0; count < 1000; count++) frame();
    const grown = heldBytes() - before;
    assert.ok(grown < 4 * 2 ** 20, `${grown} bytes more`);
    recorder.detach();
  });
});

test('multi-draws are recorded as one call each', async () => {
  const path = join(folder, 'multi.cap');
  await webgl2((gl) =>
    record(
      gl,
      () => {
        const multi = gl.getExtension('WEBGL_multi_draw');
        gl.useProgram(
          link(
            gl,
            '#version 300 es\nin vec2 at; void main() { gl_Position = vec4(at, 0.0, 1.0); }',
            '#version 300 es\nvoid main() {}',
          ),
        );
        buffer(gl, quad);
        gl.enableVertexAttribArray(0);
        gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
        buffer(gl, new Uint16Array([0, 1, 2, 2, 1, 3]), gl.ELEMENT_ARRAY_BUFFER);
        return () => {
          multi.multiDrawArraysWEBGL(gl.TRIANGLES, [9, 0, 1], 1, new Int32Array([3, 2]), 0, 2);
          multi.multiDrawElementsInstancedWEBGL(gl.TRIANGLES, [3, 3], 0, gl.UNSIGNED_SHORT, [0, 6], 0, [1, 5], 0, 2);
        };
      },
      1,
      path,
    ),
  );
  const words = (...values: number[]) => ({ kind: 'inline', bytes: new Uint8Array(Int32Array.from(values).buffer) });
  const wide = (...values: bigint[]) => ({ kind: 'inline', bytes: new Uint8Array(BigUint64Array.from(values).buffer) });
  await opened(path, async (capture) =>
    assert.deepEqual(
      Array.from(await capture.frame(1), ({ signature, args }) => [signature.name, ...args]),
      [
        ['glMultiDrawArraysANGLE', 4, words(0, 1), words(3, 2), 2],
        ['glMultiDrawElementsInstancedANGLE', 4, words(3, 3), 0x1403, wide(0n, 6n), words(1, 5), 2],
      ],
    ),
  );
});

test('a capture holds what the frame and the state reach, and nothing else', async () => {
  const path = join(folder, 'reach.cap');
  const program = (gl: Gl) => {
    const used = gl.createTexture();
    for (let count = 0; count < 20; count++) {
      gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 32, 32, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels(4096, count));
      buffer(gl, texels(1000, count));
    }
    gl.bindTexture(gl.TEXTURE_2D, used);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 32, 32, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels(4096, 99));
    gl.bindTexture(gl.TEXTURE_2D, null);
    gl.bindBuffer(gl.ARRAY_BUFFER, null);
    return () => gl.bindTexture(gl.TEXTURE_2D, used);
  };
  await record(await headlessGl(), program, 3, path);
  await opened(path, async ({ manifest }) => {
    assert.equal(manifest.objects.texture, 1);
    assert.equal(manifest.objects.buffer ?? 0, 0);
    assert.equal(manifest.resources.length, 1);
  });
});

test('a recorder changes no result, enables nothing, and leaves the context as it was', async () => {
  const gl = await headlessGl();
  const methods = Object.fromEntries(Object.entries(gl).filter(([, value]) => typeof value === 'function'));
  const supported = gl.getSupportedExtensions();
  const recorder = attachProgramRecorder(gl, { producer });
  assert.deepEqual(gl.getSupportedExtensions(), supported);
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  assert.equal(gl.getParameter(gl.TEXTURE_BINDING_2D), texture);
  assert.equal(gl.isTexture(texture), true);
  assert.equal(gl.getExtension('no such extension'), null);
  const extension = gl.getExtension('OES_vertex_array_object');
  assert.equal(gl.getExtension('OES_vertex_array_object'), extension);
  assert.equal(
    gl.getUniformLocation(link(gl, 'void main() { gl_Position = vec4(0.0); }', 'void main() {}'), 'none'),
    null,
  );
  assert.equal(gl.drawArrays.name, (methods.drawArrays as { name: string }).name);
  assert.throws(() => gl.bindTexture(gl.TEXTURE_2D, 'text'), TypeError);
  gl.enable(0x1234);
  gl.clear(0x1);
  assert.deepEqual([gl.getError(), gl.getError(), gl.getError()], [gl.INVALID_ENUM, gl.INVALID_VALUE, gl.NO_ERROR]);
  recorder.detach();
  for (const [name, method] of Object.entries(methods)) assert.equal(gl[name], method, name);
  assert.equal(gl.pushGroupMarkerEXT, undefined);
});

test("calls that fail are the program's errors and no part of the frame", async () => {
  const path = join(folder, 'errors.cap');
  const seen: number[] = [];
  const program = (gl: Gl) => {
    gl.useProgram(link(gl, 'attribute vec2 at; void main() { gl_Position = vec4(at, 0.0, 1.0); }', 'void main() {}'));
    buffer(gl, quad);
    return () => {
      gl.enable(0x1234);
      gl.drawArrays(gl.TRIANGLES, -1, 3);
      gl.clear(gl.COLOR_BUFFER_BIT);
      seen.push(gl.getError(), gl.getError(), gl.getError());
    };
  };
  const gl = await headlessGl();
  await record(gl, program, 1, path);
  assert.deepEqual(seen, [gl.INVALID_ENUM, gl.INVALID_VALUE, gl.NO_ERROR]);
  await opened(path, async (capture) => assert.deepEqual(names(await capture.frame(1)), ['glClear']));
});

test('several frames of one recording replay in order', async () => {
  const path = join(folder, 'frames.cap');
  const drawn = await record(await headlessGl(), webgl1Programs.pingPong, 7, path, 4);
  await opened(path, async ({ manifest }) => assert.equal(manifest.frames.length, 4));
  const played = await play(path, 'headless-gl');
  assert.deepEqual(played.pixels, drawn);
  assert.deepEqual(played.glErrors, []);
});

test('markers are recorded in their place', async () => {
  const path = join(folder, 'markers.cap');
  await record(
    await headlessGl(),
    (gl) => () => {
      gl.pushGroupMarkerEXT('outer, "ä"');
      gl.clear(gl.COLOR_BUFFER_BIT);
      gl.insertEventMarkerEXT('here');
      gl.popGroupMarkerEXT();
    },
    2,
    path,
  );
  await opened(path, async (capture) => {
    const calls = [...(await capture.frame(1))];
    assert.deepEqual(
      calls.map(({ signature, args }) => [signature.name, args.at(-1)]),
      [
        ['glPushGroupMarkerEXT', 'outer, "ä"'],
        ['glClear', 0x4000],
        ['glInsertEventMarkerEXT', 'here'],
        ['glPopGroupMarkerEXT', undefined],
      ],
    );
  });
});

test('a program that throws leaves no capture and an unrecorded context', async () => {
  const gl = await headlessGl();
  const recorder = attachProgramRecorder(gl, { producer });
  const path = join(folder, 'thrown', 'never.cap');
  const step = () => {
    throw new Error('the program failed');
  };
  await assert.rejects(
    recordFrames(recorder, { path: join(folder, 'never.cap'), frame: 1, step }),
    /the program failed/,
  );
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('never')),
    [],
  );
  await assert.rejects(recordFrames(recorder, { path, frame: 0, step }), /count from 1/);
  recorder.detach();
});
