import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Argument } from '../../src/model/call.ts';
import { CallStream } from '../../src/model/call-stream.ts';
import { encodeCall } from '../../src/model/call-words.ts';
import type { StateWords } from '../../src/model/draw-state.ts';
import { DrawStates } from '../../src/model/draw-states.ts';
import { fragmentFacts, withEarlyDepth } from '../../src/model/early-depth.ts';
import type { EventNode, EventTree } from '../../src/model/event-tree.ts';
import type { Signature } from '../../src/model/signature.ts';
import { signature } from '../capture/sample.ts';

type Line = readonly [name: string, ...args: Argument[]];

function stream(lines: readonly Line[]): CallStream {
  const words: number[] = [];
  const starts: number[] = [];
  const signatures: Signature[] = [];
  for (const [name, ...args] of lines) {
    const found = signature(name);
    if (!signatures.includes(found)) signatures.push(found);
    starts.push(words.length);
    encodeCall(words, signatures.indexOf(found), found, args, 0);
  }
  return new CallStream(signatures, Uint32Array.from(words), Uint32Array.from(starts));
}

const draw: Line = ['glDrawArrays', 4, 0, 3];
const leaf = (firstEventId: number, lastEventId = firstEventId): EventNode => ({
  eventId: firstEventId,
  firstEventId,
  lastEventId,
  kind: 'draw',
  name: '',
  path: '',
  depth: 1,
  parent: 0,
  isLeaf: true,
  draws: 1,
  program: 1,
  target: 'canvas',
});

/** State of each leaf after these calls of the setup and the frame. */
function statesOf(
  setup: readonly Line[],
  frame: readonly Line[],
  leaves: readonly EventNode[],
  canvas = { depth: true, stencil: true },
) {
  const states = new DrawStates(canvas);
  states.follow(stream(setup));
  const calls = states.follow(stream(frame));
  const tree: EventTree = { nodes: leaves, leaves: leaves.map((_, at) => at) };
  const numbers = states.ofLeaves(tree, calls, () => null);
  return { numbers: [...numbers], table: states.table() };
}

const first = (...setup: readonly Line[]): StateWords => statesOf(setup, [draw], [leaf(1)]).table[1];

const initial = {
  'depth test': 'off',
  'stencil test': 'off',
  'alpha test': 'off',
  'alpha to coverage': 'off',
  culling: 'off',
  blending: 'off',
  'colour mask': 'rgba',
  'rasterizer discard': 'off',
};
const depthTest: Line = ['glEnable', 0xb71];

test('state in words; what has no effect is not there', () => {
  assert.deepEqual(first(), initial);
  assert.deepEqual(first(['glDepthFunc', 0x207], ['glDepthMask', 0], ['glCullFace', 0x404]), initial);
  assert.deepEqual(first(depthTest), {
    ...initial,
    'depth test': 'less',
    'depth write': 'on',
    'depth range': '0 to 1',
  });
  assert.deepEqual(first(depthTest, ['glDepthFunc', 0x207], ['glDepthMask', 0]), {
    ...initial,
    'depth test': 'always',
    'depth write': 'off',
    'depth range': '0 to 1',
  });
  assert.equal(first(depthTest, ['glDepthRangef', Math.fround(0.1), 1])['depth range'], '0.1 to 1');
  assert.equal(first(['glEnable', 0xb44], ['glFrontFace', 0x900]).culling, 'back, clockwise is front');
  assert.equal(first(['glColorMask', 1, 0, 1, 0])['colour mask'], 'rb');
  assert.equal(first(['glColorMask', 0, 0, 0, 0])['colour mask'], 'none');
});

test('where there is no buffer to test against, every fragment passes', () => {
  const frame = 0x8d40;
  const renderbuffer = 0x8d41;
  const [color, depth, stencil, both] = [0x8ce0, 0x8d00, 0x8d20, 0x821a];
  const on: Line[] = [depthTest, ['glEnable', 0xb90]];
  const tests = (...setup: readonly Line[]) => {
    const state = first(...on, ...setup);
    return [state['depth test'], state['stencil test'].split(',')[0]];
  };
  const attach = (point: number, id = 7): Line => ['glFramebufferRenderbuffer', frame, point, renderbuffer, id];
  const bind = (id: number): Line => ['glBindFramebuffer', frame, id];
  const kept = 'always 0 & ffffffff';
  assert.deepEqual(tests(), ['less', kept]);
  assert.deepEqual(tests(bind(5), attach(color)), ['no depth buffer', 'no stencil buffer']);
  assert.deepEqual(tests(bind(5), attach(depth)), ['less', 'no stencil buffer']);
  assert.deepEqual(tests(bind(5), attach(stencil)), ['no depth buffer', kept]);
  assert.deepEqual(tests(bind(5), attach(both)), ['less', kept]);
  assert.deepEqual(tests(bind(5), ['glFramebufferTexture2D', frame, depth, 0xde1, 3, 0]), [
    'less',
    'no stencil buffer',
  ]);
  assert.deepEqual(tests(bind(5), attach(both), attach(both, 0)), ['no depth buffer', 'no stencil buffer']);
  assert.deepEqual(tests(bind(5), attach(color), bind(0)), ['less', kept]);
  const bare = statesOf(on, [draw], [leaf(1)], { depth: false, stencil: false }).table[1];
  assert.deepEqual([bare['depth test'], bare['stencil test']], ['no depth buffer', 'no stencil buffer']);
  assert.ok(!('depth write' in bare));
});

test('stencil: both faces, told apart where they differ', () => {
  const on: Line = ['glEnable', 0xb90];
  assert.equal(
    first(on, ['glStencilFunc', 0x202, 1, 0xff], ['glStencilOp', 0x1e00, 0x1e00, 0x1e01])['stencil test'],
    'equal 1 & ff, keep keep replace, writes ffffffff',
  );
  assert.equal(
    first(on, ['glStencilMaskSeparate', 0x405, 15])['stencil test'],
    'always 0 & ffffffff, keep keep keep, writes ffffffff; back: always 0 & ffffffff, keep keep keep, writes f',
  );
});

test('blending: of all draw buffers, then of those that differ', () => {
  const on: Line = ['glEnable', 0xbe2];
  assert.equal(first(on).blending, 'one zero add');
  assert.equal(first(on, ['glBlendFunc', 0x302, 0x303]).blending, 'src_alpha one_minus_src_alpha add');
  assert.equal(first(on, ['glBlendFuncSeparate', 1, 1, 0, 1]).blending, 'one one add (alpha zero one add)');
  assert.equal(first(on, ['glDisablei', 0xbe2, 2]).blending, 'one zero add; buffer 2: off');
  assert.equal(first(['glEnablei', 0xbe2, 1], ['glBlendEquationi', 1, 0x8008]).blending, 'off; buffer 1: one zero max');
  assert.equal(first(on, ['glDisablei', 0xbe2, 2], on).blending, 'one zero add');
});

test('the same state has the same number; several under one bracket have none', () => {
  const frame: Line[] = [draw, depthTest, draw, ['glClear', 0x4000], ['glDisable', 0xb71], draw];
  const leaves = [leaf(1), leaf(3), leaf(4), leaf(6), leaf(1, 3), leaf(3, 5)];
  const { numbers, table } = statesOf([], frame, leaves);
  assert.deepEqual(numbers, [1, 2, 0, 1, 0, 2]);
  assert.deepEqual(Object.keys(table), ['1', '2']);
});

test('what a depth buffer is cleared to, which hides what is drawn or shows it', () => {
  const clear: Line = ['glClear', 0x4100];
  const clearLeaf = { ...leaf(1), kind: 'clear' } as const;
  const of = (setup: readonly Line[], mask = clear) => statesOf(setup, [mask, draw], [clearLeaf, leaf(2)]);
  const { numbers, table } = of([]);
  assert.deepEqual([numbers, table[1]], [[1, 2], { 'clear depth': '1', 'depth write': 'on' }]);
  assert.deepEqual(
    of([
      ['glClearDepthf', 0],
      ['glDepthMask', 0],
    ]).table[1],
    { 'clear depth': '0', 'depth write': 'off' },
  );
  assert.deepEqual(of([], ['glClear', 0x4000]).numbers, [0, 1]);
  // One bracket around both has the state of the draw.
  assert.deepEqual(Object.keys(statesOf([], [clear, draw], [{ ...leaf(1, 2), kind: 'pass' }]).table), ['1']);
  assert.equal(statesOf([], [clear, draw], [{ ...leaf(1, 2), kind: 'pass' }]).table[1].blending, 'off');
});

test('what keeps the depth test behind the fragment shader', () => {
  const shader = (body: string, head = '') =>
    fragmentFacts([`#version 300 es\n${head}\nout vec4 c;\nvoid main() { c = vec4(1.0); ${body} }`], true);
  const tested = { 'depth test': 'less', 'depth write': 'on', 'stencil test': 'off', 'alpha to coverage': 'off' };
  const of = (facts: ReturnType<typeof shader>, state: StateWords = tested) =>
    withEarlyDepth(state, facts)['early depth'];
  assert.equal(of(shader('')), 'possible');
  assert.equal(of(shader('// discard')), 'possible');
  assert.equal(of(shader('if (c.x > 2.0) discard;')), 'prevented by discard');
  assert.equal(of(shader('if (c.x > 2.0) discard;'), { ...tested, 'depth write': 'off' }), 'possible');
  assert.equal(of(shader('gl_FragDepth = 0.5;')), 'prevented by gl_FragDepth');
  assert.equal(of(shader('gl_FragDepth = 0.5; discard;')), 'prevented by gl_FragDepth, discard');
  assert.equal(of(shader('gl_FragDepth = 0.5;', 'layout(depth_less) out float gl_FragDepth;')), 'possible');
  assert.equal(of(shader('\n#ifdef CUT\ndiscard;\n#endif\n')), 'possible');
  assert.equal(of(shader('\n#ifdef CUT\ndiscard;\n#endif\n', '#define CUT')), 'prevented by discard');
  assert.equal(of(shader('discard;', 'layout(early_fragment_tests) in;')), 'forced');
  assert.equal(of(shader(''), { ...tested, 'alpha to coverage': 'on' }), 'prevented by alpha to coverage');
  assert.equal(of(shader('discard;'), { 'depth test': 'off', 'stencil test': 'off' }), undefined);
  assert.equal(of(shader('discard;'), { 'depth test': 'no depth buffer', 'stencil test': 'off' }), undefined);
});
