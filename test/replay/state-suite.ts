import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Api, DriverName, GlContext } from '../../src/gl/context.ts';
import { openContext } from '../../src/gl/open.ts';
import type { Argument } from '../../src/model/call.ts';
import { Replayer } from '../../src/replay/replayer.ts';
import { CaptureBuilder, floats } from './memory-capture.ts';

interface StateCase {
  readonly command: string;
  /** Its arguments in the setup, then in the frame. */
  readonly before: readonly Argument[];
  readonly during: readonly Argument[];
  readonly read: (context: GlContext) => number[];
  /** What `read` gives before the frame; `before` itself by default. */
  readonly expected?: readonly number[];
}

const integers =
  (name: number, count = 1) =>
  ({ gl, scratch }: GlContext) => {
    gl.glGetIntegerv(name, scratch.address);
    return [...scratch.i32.slice(0, count)];
  };
const floatValues =
  (name: number, count = 1) =>
  ({ gl, scratch }: GlContext) => {
    gl.glGetFloatv(name, scratch.address);
    return [...scratch.f32.slice(0, count)];
  };
const indexed =
  (index: number, names: readonly number[], count = 1) =>
  ({ gl, scratch }: GlContext) =>
    names.flatMap((name) => {
      gl.glGetIntegeri_v(name, index, scratch.address);
      return [...scratch.i32.slice(0, count)];
    });
const attribute =
  (getter: `gl${string}`, list: 'i32' | 'u32' | 'f64') =>
  ({ gl, scratch }: GlContext) => {
    gl[getter](3, 0x8626, scratch.address);
    return [...scratch[list].slice(0, 4)];
  };

const cases: readonly StateCase[] = [
  {
    command: 'glVertexAttribI4i',
    before: [3, -5, 6, 2 ** 30 + 1, 8],
    during: [3, 1, 1, 1, 1],
    read: attribute('glGetVertexAttribIiv', 'i32'),
    expected: [-5, 6, 2 ** 30 + 1, 8],
  },
  {
    command: 'glVertexAttribI4ui',
    before: [3, 2 ** 32 - 3, 6, 7, 8],
    during: [3, 1, 1, 1, 1],
    read: attribute('glGetVertexAttribIuiv', 'u32'),
    expected: [2 ** 32 - 3, 6, 7, 8],
  },
  {
    command: 'glVertexAttribL4d',
    before: [3, 0.1, 6, 7, 8],
    during: [3, 1, 1, 1, 1],
    read: attribute('glGetVertexAttribLdv', 'f64'),
    expected: [0.1, 6, 7, 8],
  },
  {
    command: 'glBlendFuncSeparatei',
    before: [1, 0x0302, 1, 0, 0x0303],
    during: [1, 1, 1, 1, 1],
    read: indexed(1, [0x80c9, 0x80c8, 0x80cb, 0x80ca]),
    expected: [0x0302, 1, 0, 0x0303],
  },
  {
    command: 'glBlendEquationSeparatei',
    before: [1, 0x800a, 0x800b],
    during: [1, 0x8006, 0x8006],
    read: indexed(1, [0x8009, 0x883d]),
    expected: [0x800a, 0x800b],
  },
  {
    command: 'glColorMaski',
    before: [1, 1, 0, 1, 0],
    during: [1, 0, 1, 0, 1],
    read({ gl, scratch }) {
      gl.glGetBooleani_v(0x0c23, 1, scratch.address);
      return [...scratch.u8.slice(0, 4)];
    },
    expected: [1, 0, 1, 0],
  },
  {
    command: 'glEnablei',
    before: [0x0be2, 1],
    during: [0x0be2, 2],
    read: ({ gl }) => [0, 1, 2].map((index) => gl.glIsEnabledi(0x0be2, index)),
    expected: [0, 1, 0],
  },
  {
    command: 'glViewportIndexedf',
    before: [2, 1.5, 2, 3, 4],
    during: [2, 5, 6, 7, 8],
    read({ gl, scratch }) {
      gl.glGetFloati_v(0x0ba2, 2, scratch.address);
      return [...scratch.f32.slice(0, 4)];
    },
    expected: [1.5, 2, 3, 4],
  },
  {
    command: 'glScissorIndexed',
    before: [2, 1, 2, 3, 4],
    during: [2, 5, 6, 7, 8],
    read: indexed(2, [0x0c10], 4),
    expected: [1, 2, 3, 4],
  },
  {
    command: 'glDepthRangeIndexed',
    before: [2, 0.25, 0.5],
    during: [2, 0, 1],
    read({ gl, scratch }) {
      gl.glGetFloati_v(0x0b70, 2, scratch.address);
      return [...scratch.f32.slice(0, 2)];
    },
    expected: [0.25, 0.5],
  },
  {
    command: 'glSampleMaski',
    before: [0, 0x55],
    during: [0, 0xaa],
    read: indexed(0, [0x8e52]),
    expected: [0x55],
  },
  {
    command: 'glPolygonOffsetClamp',
    before: [1, 2, 0.5],
    during: [3, 4, 5],
    read: (c) => [0x8038, 0x2a00, 0x8e1b].flatMap((name) => floatValues(name)(c)),
  },
  {
    command: 'glClipControl',
    before: [0x8ca2, 0x935f],
    during: [0x8ca1, 0x935e],
    read: (c) => [0x935c, 0x935d].flatMap((name) => integers(name)(c)),
  },
  { command: 'glProvokingVertex', before: [0x8e4d], during: [0x8e4e], read: integers(0x8e4f) },
  {
    command: 'glPolygonMode',
    before: [0x0408, 0x1b01],
    during: [0x0408, 0x1b02],
    read: integers(0x0b40),
    expected: [0x1b01],
  },
  { command: 'glPatchParameteri', before: [0x8e72, 5], during: [0x8e72, 7], read: integers(0x8e72), expected: [5] },
  {
    command: 'glPatchParameterfv',
    before: [0x8e74, floats(2, 3, 4, 5)],
    during: [0x8e74, floats(1, 1, 1, 1)],
    read: floatValues(0x8e74, 4),
    expected: [2, 3, 4, 5],
  },
  {
    command: 'glPrimitiveBoundingBox',
    before: [-2, -2, -2, 2, 2, 2, 2, 3],
    during: [-1, -1, -1, 1, 1, 1, 1, 1],
    read: floatValues(0x92be, 8),
  },
  { command: 'glMinSampleShading', before: [0.5], during: [1], read: floatValues(0x8c37) },
  { command: 'glPrimitiveRestartIndex', before: [0xfffe], during: [7], read: integers(0x8f9e) },
  { command: 'glLogicOp', before: [0x1506], during: [0x1501], read: integers(0x0bf0) },
  { command: 'glPointParameterf', before: [0x8128, 3], during: [0x8128, 5], read: floatValues(0x8128), expected: [3] },
  { command: 'glClampColor', before: [0x891c, 0], during: [0x891c, 1], read: integers(0x891c), expected: [0] },
  ...[0x864f, 0x3000, 0x3007, 0x8037, 0x8e51].map(
    (cap): StateCase => ({
      command: 'glEnable',
      before: [cap],
      during: [cap],
      read: ({ gl }) => [gl.glIsEnabled(cap)],
      expected: [1],
    }),
  ),
];

/** State that not every context has: as set before the frame once the frame's own setting has been undone. */
export function stateSuite(driver: DriverName, api: Api, least: number): void {
  test(`${driver} ${api}: state of the context that a frame sets is put back`, async () => {
    const context = await openContext(driver, { api });
    let found = 0;
    for (const { command, before, during, read, expected } of cases) {
      if (!context.find(command)) continue;
      const b = new CaptureBuilder();
      // A capability the context lacks is an error of the setup.
      b.call(command, ...before).frame();
      if (command === 'glEnable') b.call('glDisable', during[0]);
      else b.call(command, ...during);
      const replayer = await Replayer.create(context, b.capture());
      if (replayer.glErrors.length > 0) {
        assert.equal(command, 'glEnable');
        replayer.destroy();
        continue;
      }
      found++;
      const frame = await replayer.loadFrame(1);
      for (let run = 0; run < 2; run++) {
        const name = `${command}(${before}), run ${run}`;
        assert.deepEqual(read(context), expected ?? before, name);
        frame.play();
        assert.notDeepEqual(read(context), expected ?? before, name);
        frame.restore();
      }
      assert.deepEqual(read(context), expected ?? before, command);
      assert.deepEqual(replayer.glErrors, [], command);
      replayer.destroy();
    }
    assert.ok(found >= least, `only ${found} of ${cases.length} kinds of state are there`);
    context.destroy();
  });

  test(`${driver} ${api}: a storage block's binding is put back`, async () => {
    const context = await openContext(driver, { api });
    if (!context.find('glShaderStorageBlockBinding')) {
      assert.equal(context.api, 'es', 'desktop GL 4.3 has it, OpenGL ES never');
      context.destroy();
      return;
    }
    const fragment =
      '#version 310 es\nprecision highp float; layout(std430) buffer B { vec4 c; }; out vec4 o; void main() { o = c; }';
    const b = new CaptureBuilder();
    b.program(1, '#version 310 es\nvoid main() { gl_Position = vec4(0.0); }', fragment);
    b.call('glShaderStorageBlockBinding', 1, 0, 3).frame().call('glShaderStorageBlockBinding', 1, 0, 5);
    const replayer = await Replayer.create(context, b.capture());
    const frame = await replayer.loadFrame(1);
    const { gl, scratch } = context;
    const binding = () => {
      // The only program of this context.
      scratch.u32[0] = 0x9302;
      for (let name = 1; name < 20; name++)
        if (gl.glIsProgram(name)) {
          gl.glGetProgramResourceiv(name, 0x92e6, 0, 1, scratch.address, 1, 0, scratch.address + 8);
          return scratch.i32[2];
        }
      return undefined;
    };
    frame.play();
    assert.equal(binding(), 5);
    frame.restore();
    assert.equal(binding(), 3);
    assert.deepEqual(replayer.glErrors, []);
    context.destroy();
  });
}
