import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signatureOf } from '../../src/gl/command-table.ts';
import type { GlContext } from '../../src/gl/context.ts';
import { addressOf } from '../../src/gl/native.ts';
import { openContext } from '../../src/gl/open.ts';
import { ContextState } from '../../src/import/context-state/context-state.ts';
import type { StateCall } from '../../src/import/context-state/matrices.ts';
import { switchCalls } from '../../src/import/context-state/switch-context.ts';
import type { Argument, DataArgument } from '../../src/model/call.ts';
import { integersFrom, pick } from '../helpers/random.ts';

/** A call that can be made with random arguments. */
type Maker = (pick: (count: number) => number) => readonly [string, ...Argument[]];

const floats = (...values: number[]): DataArgument => ({
  kind: 'inline',
  bytes: new Uint8Array(Float32Array.from(values).buffer),
});
const caps = [
  0xbe2, 0xb71, 0xb90, 0xc11, 0xb44, 0xbd0, 0x809d, 0xb50, 0x4000, 0x4001, 0xb60, 0xde1, 0xbc0, 0x3000, 0xc60,
];
const makers: readonly Maker[] = [
  (n) => [n(2) ? 'glEnable' : 'glDisable', caps[n(caps.length)]],
  (n) => [n(2) ? 'glEnablei' : 'glDisablei', 0xbe2, n(4)],
  (n) => ['glClearColor', n(5) / 4, 0, n(5) / 4, 1],
  (n) => ['glClearDepth', n(5) / 4],
  (n) => ['glBlendFunc', 0x300 + n(8), 0x300 + n(8)],
  (n) => ['glBlendFunci', n(4), 0x300 + n(8), 0x300 + n(8)],
  (n) => ['glBlendEquation', 0x8006 + n(3)],
  (n) => ['glBlendEquationi', n(4), 0x8006 + n(3)],
  (n) => ['glColorMask', n(2), n(2), n(2), n(2)],
  (n) => ['glColorMaski', n(4), n(2), n(2), n(2), n(2)],
  (n) => ['glDepthFunc', 0x200 + n(8)],
  (n) => ['glDepthMask', n(2)],
  (n) => ['glStencilFunc', 0x200 + n(8), n(4), 255],
  (n) => ['glStencilFuncSeparate', [0x404, 0x405, 0x408][n(3)], 0x200 + n(8), n(4), 255],
  (n) => ['glStencilMaskSeparate', [0x404, 0x405, 0x408][n(3)], n(256)],
  (n) => ['glViewport', n(9), n(9), n(99), n(99)],
  (n) => ['glViewportIndexedf', n(4), n(9), n(9), n(99), n(99)],
  (n) => ['glScissor', n(9), n(9), n(99), n(99)],
  (n) => ['glPolygonMode', 0x408, 0x1b00 + n(3)],
  (n) => ['glCullFace', [0x404, 0x405, 0x408][n(3)]],
  (n) => ['glLineWidth', 1 + n(4)],
  (n) => ['glShadeModel', 0x1d00 + n(2)],
  (n) => ['glAlphaFunc', 0x200 + n(8), n(5) / 4],
  (n) => ['glHint', 0xc54, 0x1100 + n(3)],
  (n) => ['glPixelStorei', [0xcf5, 0xd05][n(2)], [1, 2, 4, 8][n(4)]],
  (n) => ['glActiveTexture', 0x84c0 + n(4)],
  (n) => ['glBindTexture', [0xde1, 0x806f][n(2)], 0],
  (n) => ['glTexEnvi', 0x2300, 0x2200, [0x2100, 0x2101, 0xbe2][n(3)]],
  (n) => ['glFogi', 0xb65, [0x800, 0x801, 0x2601][n(3)]],
  (n) => ['glFogf', 0xb62, n(9)],
  (n) => ['glLightfv', 0x4000 + n(2), 0x1201, floats(n(5), n(5), n(5), 1)],
  (n) => ['glLightfv', 0x4000 + n(2), 0x1203, floats(n(5), n(5), n(5), 1)],
  (n) => ['glMaterialfv', [0x404, 0x405, 0x408][n(3)], 0x1201, floats(n(5), n(5), n(5), 1)],
  (n) => [
    'glClipPlane',
    0x3000,
    { kind: 'inline', bytes: new Uint8Array(Float64Array.of(n(4), n(4), n(4), 1).buffer) },
  ],
  (n) => ['glMatrixMode', 0x1700 + n(3)],
  () => ['glLoadIdentity'],
  (n) => ['glTranslatef', n(5), n(5), n(5)],
  (n) => ['glRotatef', n(360), 1, n(2), 0],
  (n) => ['glScalef', 1 + n(3), 1, 1],
  () => ['glPushMatrix'],
  () => ['glPopMatrix'],
  (n) => ['glColor4f', n(5) / 4, n(5) / 4, n(5) / 4, 1],
  (n) => ['glColor3ub', n(256), n(256), n(256)],
  (n) => ['glNormal3f', n(5), n(5), n(5)],
  (n) => ['glTexCoord2f', n(5), n(5)],
  (n) => ['glMultiTexCoord2f', 0x84c0 + n(4), n(5), n(5)],
  (n) => ['glVertexAttrib2f', 1 + n(4), n(5), n(5)],
  (n) => ['glEnableVertexAttribArray', n(4)],
  (n) => ['glDisableVertexAttribArray', n(4)],
  (n) => ['glVertexAttribDivisor', n(4), n(3)],
  (n) => ['glEnableClientState', [0x8074, 0x8078][n(2)]],
  (n) => ['glClientActiveTexture', 0x84c0 + n(4)],
  (n) => ['glDrawBuffer', [0, 0x404, 0x405][n(3)]],
  // Neither GL_CURRENT_BIT nor GL_LIGHTING_BIT: Mesa 22.3 does not put back values and materials that no draw has used.
  (n) => ['glPushAttrib', [0x2000, 0x4000, 0x1000, 0x40000, 0xfffbe][n(5)]],
  () => ['glPopAttrib'],
  (n) => ['glPushClientAttrib', [1, 2, 3][n(3)]],
  () => ['glPopClientAttrib'],
  (n) => ['glSampleMaski', 0, n(16)],
  (n) => ['glPatchParameteri', 0x8e72, 1 + n(4)],
  (n) => ['glPrimitiveRestartIndex', n(9)],
];

/** What depends on the window, which contexts here have none of. */
const window: readonly ReturnType<Maker>[] = [
  ['glViewport', 0, 0, 64, 64],
  ['glScissor', 0, 0, 64, 64],
  ['glDrawBuffer', 0x405],
];

/** Mesa 22.3 forgets what changed between a push and its pop when another pair with a smaller mask lies between. */
function withoutNestedPushes(calls: readonly StateCall[]): StateCall[] {
  let depth = 0;
  return calls.filter(({ signature: { name } }) => {
    if (name === 'glPopAttrib') depth = 0;
    return name !== 'glPushAttrib' || depth++ === 0;
  });
}

/** A second context's calls: the same commands, other values. */
function sequence(seed: number, length: number): StateCall[] {
  const random = integersFrom(seed);
  const call = ([name, ...args]: ReturnType<Maker>) => ({ signature: signatureOf(name)!, args });
  const calls = Array.from({ length }, () => call(pick(random, makers)(random)));
  return [...window.map(call), ...withoutNestedPushes(calls)];
}

/** Keeps what GL was handed alive. */
const kept: Uint8Array[] = [];

function make(context: GlContext, calls: readonly StateCall[]): void {
  for (const { signature, args } of calls) {
    const plain = args.map((value) => {
      const data = value as DataArgument;
      if (data === null || typeof data !== 'object' || data.kind !== 'inline') return Number(value);
      const bytes = new Uint8Array(new ArrayBuffer(256));
      bytes.set(data.bytes);
      kept.push(bytes);
      return addressOf(bytes);
    });
    context.gl[signature.name as `gl${string}`](...plain);
    context.gl.glGetError();
  }
}

function follow(calls: readonly StateCall[]): ContextState {
  const state = new ContextState();
  for (const { signature, args } of calls) state.apply(signature, args);
  return state;
}

function read(context: GlContext): Record<string, number[]> {
  const { gl, scratch } = context;
  const state: Record<string, number[]> = {};
  const float = (name: number, count: number, label = name.toString(16)) => {
    gl.glGetFloatv(name, scratch.address);
    state[label] = [...scratch.f32.slice(0, count)];
  };
  for (const cap of caps) state[`cap ${cap.toString(16)}`] = [gl.glIsEnabled(cap)];
  for (let index = 0; index < 4; index++) {
    state[`blend ${index}`] = [gl.glIsEnabledi(0xbe2, index)];
    for (const name of [0x80c9, 0x80c8, 0x8009, 0xc23]) {
      gl.glGetIntegeri_v(name, index, scratch.address);
      state[`${name.toString(16)} ${index}`] = [...scratch.i32.slice(0, name === 0xc23 ? 1 : 1)];
    }
    gl.glGetFloati_v(0xba2, index, scratch.address);
    state[`viewport ${index}`] = [...scratch.f32.slice(0, 4)];
  }
  for (const [name, count] of [
    [0xc22, 4],
    [0xb73, 1],
    [0xb74, 1],
    [0xb72, 1],
    [0xb92, 1],
    [0xb97, 1],
    [0x8ca3, 1],
    [0x8800, 1],
    [0xc10, 4],
    [0xb40, 2],
    [0xb45, 1],
    [0xb21, 1],
    [0xb54, 1],
    [0xbc1, 1],
    [0xbc2, 1],
    [0xc54, 1],
    [0xcf5, 1],
    [0xd05, 1],
    [0x84e0, 1],
    [0xb65, 1],
    [0xb62, 1],
    [0xba0, 1],
    [0xba6, 16],
    [0xba7, 16],
    [0xba8, 16],
    [0xba3, 1],
    [0xba4, 1],
    [0xb00, 4],
    [0xb02, 3],
    [0xb03, 4],
    [0x84e1, 1],
    [0xc01, 1],
    [0x8e72, 1],

    [0x8f9e, 1],
  ] as const)
    float(name, count);
  // Eight bits of stencil: Mesa has the others of the mask clear at first, unlike the specification.
  for (const name of [0xb98, 0x8ca5]) state[`stencil mask ${name.toString(16)}`] = [context.integer(name) & 255];
  gl.glGetIntegeri_v(0x8e52, 0, scratch.address);
  state['sample mask'] = [scratch.i32[0]];
  const unit = context.integer(0x84e0);
  for (let index = 0; index < 4; index++) {
    gl.glActiveTexture(0x84c0 + index);
    gl.glGetTexEnviv(0x2300, 0x2200, scratch.address);
    state[`texenv ${index}`] = [scratch.i32[0], gl.glIsEnabled(0xde1), gl.glIsEnabled(0xc60)];
    float(0xb03, 4, `texcoord ${index}`);
    float(0xba8, 16, `texture matrix ${index}`);
    for (const name of [0x8622, 0x88fe]) {
      gl.glGetVertexAttribiv(index, name, scratch.address);
      state[`attribute ${index} ${name.toString(16)}`] = [scratch.i32[0]];
    }
    gl.glGetVertexAttribfv(1 + index, 0x8626, scratch.address);
    state[`value ${1 + index}`] = [...scratch.f32.slice(0, 4)];
  }
  gl.glActiveTexture(unit);
  for (const light of [0x4000, 0x4001])
    for (const name of [0x1201, 0x1203]) {
      gl.glGetLightfv(light, name, scratch.address);
      state[`light ${light.toString(16)} ${name.toString(16)}`] = [...scratch.f32.slice(0, 4)];
    }
  for (const side of [0x404, 0x405]) {
    gl.glGetMaterialfv(side, 0x1201, scratch.address);
    state[`material ${side.toString(16)}`] = [...scratch.f32.slice(0, 4)];
  }
  gl.glGetClipPlane(0x3000, scratch.address);
  // The driver inverts the matrix in single precision.
  state['clip plane'] = Array.from(scratch.f64.slice(0, 4), (value) => Number(value.toFixed(4)));
  gl.glGetError();
  return state;
}

const fresh = () => openContext('egl', { api: 'gl', profile: 'compatibility' });

async function stateAfter(calls: readonly StateCall[]): Promise<Record<string, number[]>> {
  const context = await fresh();
  make(context, calls);
  const state = read(context);
  context.destroy();
  return state;
}

test('one context can take the place of two: after a switch, everything is as the other context left it', async () => {
  for (let seed = 1; seed <= 25; seed++) {
    const [one, other] = [sequence(2 * seed, 60), sequence(2 * seed + 1, 60)];
    const [stateOfOne, stateOfOther] = [follow(one), follow(other)];
    const [wantedOne, wantedOther] = [await stateAfter(one), await stateAfter(other)];
    const context = await fresh();
    make(context, one);
    make(context, switchCalls(stateOfOne, stateOfOther, signatureOf));
    assert.deepEqual(read(context), wantedOther, `seed ${seed}`);
    make(context, switchCalls(stateOfOther, stateOfOne, signatureOf));
    assert.deepEqual(read(context), wantedOne, `seed ${seed}, and back`);
    assert.deepEqual(switchCalls(stateOfOne, stateOfOne, signatureOf), []);
    context.destroy();
  }
});

test('matrices of many calls are compared without recursion', () => {
  const translate = signatureOf('glTranslatef');
  assert.ok(translate);
  const [from, to] = [new ContextState(), new ContextState()];
  for (let count = 0; count < 20_000; count++) for (const state of [from, to]) state.apply(translate, [1, 0, 0]);
  assert.deepEqual(switchCalls(from, to, signatureOf), []);
});
