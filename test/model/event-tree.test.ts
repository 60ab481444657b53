import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bindings } from '../../src/model/bindings.ts';
import type { Argument } from '../../src/model/call.ts';
import { CallStream } from '../../src/model/call-stream.ts';
import { encodeCall } from '../../src/model/call-words.ts';
import type { Manifest } from '../../src/model/capture.ts';
import { coarsen } from '../../src/model/coarsen.ts';
import type { EventTree } from '../../src/model/event-tree.ts';
import { buildEventTree } from '../../src/model/event-tree-builder.ts';
import type { Signature } from '../../src/model/signature.ts';
import { head, signature } from '../capture/sample.ts';
import { integersFrom } from '../helpers/random.ts';

type Line = readonly [name: string, ...args: Argument[]];

function stream(lines: readonly Line[]): CallStream {
  const words: number[] = [];
  const starts: number[] = [];
  const signatures: Signature[] = [];
  for (const [name, ...args] of lines) {
    const found = signature(name);
    if (!signatures.includes(found)) signatures.push(found);
    starts.push(words.length);
    encodeCall(words, signatures.indexOf(found), found, args);
  }
  return new CallStream(signatures, Uint32Array.from(words), Uint32Array.from(starts));
}

const manifest = (samples = 0): Manifest => ({ ...head, canvas: { ...head.canvas, samples } }) as unknown as Manifest;

function treeOf(frame: readonly Line[], setup: readonly Line[] = [], samples = 0): EventTree {
  const bindings = new Bindings();
  for (const call of stream(setup)) bindings.apply(call);
  return buildEventTree(bindings, stream(frame), manifest(samples));
}

/** `  5 draw glDrawArrays(3) [1 draw, program 2, canvas]`, indented by depth; spans of several events as 3-5. */
function show(tree: EventTree): readonly string[] {
  return tree.nodes.map((node) => {
    const span = node.firstEventId === node.lastEventId ? '' : ` ${node.firstEventId}-${node.lastEventId}`;
    const leaf = node.isLeaf ? ` program ${node.program} -> ${node.target}` : '';
    return `${'  '.repeat(node.depth)}${node.eventId}${span} ${node.kind} ${node.name} x${node.draws}${leaf}`;
  });
}

const draw: Line = ['glDrawArrays', 4, 0, 3];
const push = (name: string): Line => ['glPushGroupMarkerEXT', 0, name];
const pop: Line = ['glPopGroupMarkerEXT'];

test('markers nest; pops without a push, empty and unclosed markers do no harm', () => {
  const tree = treeOf([
    pop,
    push('scene'),
    push('empty'),
    pop,
    ['glUseProgram', 2],
    ['glPushDebugGroup', 0x824a, 0, -1, 'a/b\nc'],
    draw,
    ['glPopDebugGroup'],
    ['glDrawElementsInstanced', 4, 36, 0x1403, { kind: 'offset', offset: 0 }, 4],
    pop,
    push(''),
    draw,
  ]);
  assert.deepEqual(show(tree), [
    'null 1-12 frame Frame x3',
    '  2 2-10 marker scene x2',
    '    6 6-8 marker a/b c x1',
    '      7 draw glDrawArrays(3) x1 program 2 -> canvas',
    '    9 draw glDrawElementsInstanced(36, 4) x1 program 2 -> canvas',
    '  11 11-12 marker (unnamed) x1',
    '    12 draw glDrawArrays(3) x1 program 2 -> canvas',
  ]);
  assert.deepEqual(tree.leaves, [3, 4, 6]);
  assert.equal(tree.nodes[3].path, 'scene/a\\/b c/glDrawArrays(3)');
  assert.deepEqual(
    tree.nodes.map(({ parent }) => parent),
    [-1, 0, 1, 2, 1, 0, 5],
  );
});

test('every kind of action has its name', () => {
  const data: Argument = { kind: 'inline', bytes: new Uint8Array(16) };
  const tree = treeOf(
    [
      push('all'),
      ['glClear', 0x4500],
      ['glClearBufferfv', 0x1800, 1, data],
      ['glClearBufferfi', 0x84f9, 0, 1, 0],
      ['glDispatchCompute', 8, 4, 1],
      ['glBlitFramebuffer', 0, 0, 4, 4, 0, 0, 4, 4, 0x4000, 0x2600],
      ['glBindFramebuffer', 0x8ca8, 1],
      ['glBlitFramebuffer', 0, 0, 4, 4, 0, 0, 4, 4, 0x4100, 0x2600],
      ['glCopyTexSubImage2D', 0xde1, 0, 0, 0, 0, 0, 64, 32],
      ['glReadPixels', 0, 0, 4, 4, 0x1908, 0x1401, 0],
      ['glBindBuffer', 0x88eb, 7],
      ['glReadPixels', 0, 0, 4, 4, 0x1908, 0x1401, 0],
      ['glGenerateMipmap', 0xde1],
      ['glTexImage2D', 0xde1, 0, 0x8058, 256, 128, 0, 0x1908, 0x1401, data],
      ['glTexImage2D', 0xde1, 0, 0x8058, 256, 128, 0, 0x1908, 0x1401, null],
      ['glBufferSubData', 0x88eb, 0, 1024, data],
      ['glBufferData', 0x88eb, 1024, null, 0x88e4],
      ['glMultiDrawArraysANGLE', 4, data, data, 3],
      ['glDrawElementsIndirect', 4, 0x1405, { kind: 'offset', offset: 16 }],
      ['glBegin', 4],
      ['glVertex2f', 0, 0],
      ['glEnd'],
    ],
    [
      ['glBindTexture', 0xde1, 5],
      ['glFramebufferTexture2D', 0x8d40, 0x8ce0, 0xde1, 5, 0],
      ['glBindFramebuffer', 0x8d40, 1],
      ['glBindRenderbuffer', 0x8d41, 3],
      ['glRenderbufferStorageMultisample', 0x8d41, 4, 0x8058, 4, 4],
      ['glFramebufferRenderbuffer', 0x8d40, 0x8ce0, 0x8d41, 3],
      ['glBindFramebuffer', 0x8d40, 0],
      ['glUseProgram', 2],
    ],
  );
  assert.deepEqual(show(tree).slice(2), [
    '    2 clear glClear(Color + Depth + Stencil) x0 program 0 -> canvas',
    '    3 clear glClearBufferfv(Color 1) x0 program 0 -> canvas',
    '    4 clear glClearBufferfi(Depth + Stencil) x0 program 0 -> canvas',
    '    5 dispatch glDispatchCompute(8, 4, 1) x0 program 2 -> ',
    '    6 blit glBlitFramebuffer(Color) x0 program 0 -> canvas',
    '    8 resolve glBlitFramebuffer(Color + Depth) x0 program 0 -> canvas',
    '    9 copy glCopyTexSubImage2D(64x32) x0 program 0 -> texture 5',
    '    12 copy glReadPixels(4x4) x0 program 0 -> buffer 7',
    '    13 mipmap glGenerateMipmap() x0 program 0 -> texture 5',
    '    14 upload glTexImage2D(256x128) x0 program 0 -> texture 5',
    '    16 upload glBufferSubData(1024 B) x0 program 0 -> buffer 7',
    '    18 draw glMultiDrawArraysANGLE(3 draws) x3 program 2 -> canvas',
    '    19 draw glDrawElementsIndirect() x1 program 2 -> canvas',
    '    20 20-22 draw glBegin(TRIANGLES, 1) .. glEnd x1 program 2 -> canvas',
  ]);
  assert.equal(tree.nodes[0].draws, 5);
});

test('a blit from a multisampled canvas is a resolve', () => {
  const blit: Line = ['glBlitFramebuffer', 0, 0, 4, 4, 0, 0, 4, 4, 0x4000, 0x2600];
  assert.equal(treeOf([blit], [], 4).nodes[1].kind, 'resolve');
  assert.equal(treeOf([blit], [], 0).nodes[1].kind, 'blit');
});

const shadowSetup: readonly Line[] = [
  ['glBindFramebuffer', 0x8d40, 1],
  ['glFramebufferTexture2D', 0x8d40, 0x8d00, 0xde1, 1, 0],
  ['glDrawBuffers', 1, { kind: 'inline', bytes: new Uint8Array(4) }],
  ['glBindFramebuffer', 0x8d40, 2],
  ['glFramebufferTexture2D', 0x8d40, 0x8ce0, 0xde1, 2, 0],
];

test('a frame without markers gets passes', () => {
  const upload: Line = ['glBufferSubData', 0x8892, 0, 4, { kind: 'inline', bytes: new Uint8Array(4) }];
  const tree = treeOf(
    [
      upload,
      upload,
      upload,
      ['glBindFramebuffer', 0x8d40, 1],
      ['glClear', 0x100],
      draw,
      upload,
      draw,
      ['glBindFramebuffer', 0x8d40, 2],
      draw,
      draw,
      draw,
      ['glDispatchCompute', 1, 1, 1],
      ['glDispatchCompute', 2, 1, 1],
      ['glDispatchCompute', 3, 1, 1],
      ['glBindFramebuffer', 0x8d40, 0],
      ['glClear', 0x4100],
      draw,
      draw,
      ['glBindFramebuffer', 0x8d40, 2],
      draw,
      draw,
    ],
    shadowSetup,
  );
  assert.deepEqual(
    show(tree).filter((line) => !/ draw | upload | clear | dispatch /.test(line)),
    [
      'null 1-22 frame Frame x9',
      '  0.5 1-3 pass Copy/Clear Pass #1 x0',
      '  4.5 5-8 pass Depth-only Pass #1 x2',
      '  9.5 10-12 pass Colour Pass #1 (1 Targets) x3',
      '  12.5 13-15 pass Compute Pass #1 x0',
      '  16.5 17-19 pass Colour Pass #2 (1 Targets + Depth) x2',
    ],
  );
  assert.deepEqual(show(tree).slice(-2), [
    '  21 draw glDrawArrays(3) x1 program 0 -> framebuffer 2',
    '  22 draw glDrawArrays(3) x1 program 0 -> framebuffer 2',
  ]);
  assert.deepEqual(show(coarsen(tree, 'pass')).slice(-2), [
    '  16.5 17-19 pass Colour Pass #2 (1 Targets + Depth) x2 program 0 -> canvas',
    '  20.5 21-22 pass Pass #1 (framebuffer 2) x2 program 0 -> framebuffer 2',
  ]);
});

test('a framebuffer whose attachment changes begins a pass', () => {
  const attach = (texture: number): Line => ['glFramebufferTexture2D', 0x8d40, 0x8ce0, 0xde1, texture, 0];
  const tree = treeOf([['glBindFramebuffer', 0x8d40, 2], attach(3), draw, draw, draw, attach(4), draw, draw, draw]);
  assert.deepEqual(
    tree.nodes.filter(({ kind }) => kind === 'pass').map(({ name }) => name),
    ['Colour Pass #1 (1 Targets)', 'Colour Pass #2 (1 Targets)'],
  );
});

test('a canvas that no colour is drawn to; draw buffers that change inside a pass', () => {
  const to = (...buffers: number[]): Line => [
    'glDrawBuffers',
    buffers.length,
    { kind: 'inline', bytes: new Uint8Array(Uint32Array.from(buffers).buffer) },
  ];
  const names = (frame: readonly Line[], setup: readonly Line[] = []) =>
    treeOf(frame, setup).nodes.flatMap(({ kind, name }) => (kind === 'pass' ? [name] : []));
  assert.deepEqual(names([to(0), draw, draw, draw]), ['Depth-only Pass #1']);
  const two: readonly Line[] = [
    ['glBindFramebuffer', 0x8d40, 2],
    ['glFramebufferTexture2D', 0x8d40, 0x8ce0, 0xde1, 3, 0],
    ['glFramebufferTexture2D', 0x8d40, 0x8ce1, 0xde1, 4, 0],
  ];
  assert.deepEqual(names([draw, draw, to(0x8ce0, 0x8ce1), draw], two), ['Colour Pass #1 (1-2 Targets)']);
});

test('coarser brackets', () => {
  const tree = treeOf(
    [
      push('a'),
      draw,
      draw,
      ['glBindFramebuffer', 0x8d40, 2],
      draw,
      push('b'),
      ['glUseProgram', 3],
      draw,
      draw,
      pop,
      draw,
      pop,
      draw,
      draw,
    ],
    shadowSetup.concat([['glBindFramebuffer', 0x8d40, 0]]),
  );
  assert.equal(coarsen(tree, 'draw'), tree);
  assert.deepEqual(show(coarsen(tree, 'frame')), ['null 1-14 frame Frame x8 program 0 -> ']);
  assert.deepEqual(show(coarsen(tree, 'marker')), [
    'null 1-14 frame Frame x8',
    '  1 1-12 marker a x6',
    '    1.5 2-5 pass Pass #1 x3 program 0 -> ',
    '    6 6-10 marker b x2 program 3 -> framebuffer 2',
    '    11 draw glDrawArrays(3) x1 program 3 -> framebuffer 2',
    '  12.5 13-14 pass Pass #2 (framebuffer 2) x2 program 3 -> framebuffer 2',
  ]);
  assert.deepEqual(show(coarsen(tree, 'pass')), [
    'null 1-14 frame Frame x8',
    '  1 1-12 marker a x6',
    '    1.5 2-3 pass Pass #1 (canvas) x2 program 0 -> canvas',
    '    5 draw glDrawArrays(3) x1 program 0 -> framebuffer 2',
    '    6 6-10 marker b x2',
    '      7.5 8-9 pass Pass #2 (framebuffer 2) x2 program 3 -> framebuffer 2',
    '    11 draw glDrawArrays(3) x1 program 3 -> framebuffer 2',
    '  12.5 13-14 pass Pass #3 (framebuffer 2) x2 program 3 -> framebuffer 2',
  ]);
});

test('100,000 nested markers', () => {
  const lines: Line[] = Array.from({ length: 100_000 }, (_, index) => push(`m${index}`));
  lines.push(draw, ...Array.from({ length: 100_000 }, () => pop), draw);
  const tree = treeOf(lines);
  assert.equal(tree.nodes.length, 103);
  assert.equal(tree.nodes[101].depth, 101);
  assert.equal(tree.nodes[101].kind, 'draw');
  assert.equal(tree.nodes[100].lastEventId, 199_902);
  assert.equal(tree.nodes[1].lastEventId, 200_001);
  assert.deepEqual(tree.nodes[102].parent, 0);
});

test('an empty frame', () => {
  assert.deepEqual(show(treeOf([])), ['null 1-0 frame Frame x0']);
  assert.deepEqual(coarsen(treeOf([]), 'marker').leaves, []);
});

/** Frames of random markers, target changes and actions, valid and not. */
function randomFrame(random: (below: number) => number): Line[] {
  const data: Argument = { kind: 'inline', bytes: new Uint8Array(4) };
  const lines: readonly (() => Line)[] = [
    () => draw,
    () => draw,
    () => ['glClear', 0x4100],
    () => ['glDispatchCompute', 1, 1, 1],
    () => ['glBufferSubData', 0x8892, 0, 4, data],
    () => ['glBindFramebuffer', 0x8d40, random(3)],
    () => ['glUseProgram', random(3)],
    () => push(`m${random(3)}`),
    () => pop,
  ];
  const kinds = random(2) === 0 ? lines.length : lines.length - 2;
  return Array.from({ length: random(60) }, () => lines[random(kinds)]());
}

test('in any frame: eventIds are unique and rise, parents and depths agree, leaves are in order', () => {
  const random = integersFrom(7);
  let passes = 0;
  for (let round = 0; round < 2000; round++) {
    const whole = treeOf(randomFrame(random), shadowSetup);
    for (const per of ['draw', 'pass', 'marker', 'frame'] as const) {
      const { nodes, leaves } = coarsen(whole, per);
      const ids = nodes.slice(1).map(({ eventId }) => eventId as number);
      assert.deepEqual(
        ids,
        [...new Set(ids)].sort((a, b) => a - b),
        `round ${round}, ${per}`,
      );
      for (const [index, { parent, depth, isLeaf, kind }] of nodes.entries()) {
        passes += kind === 'pass' ? 1 : 0;
        assert.equal(depth, index === 0 ? 0 : nodes[parent].depth + 1);
        assert.ok(parent < index && (index === 0 || !nodes[parent].isLeaf));
        assert.equal(isLeaf, leaves.includes(index));
      }
      assert.deepEqual(
        leaves,
        [...leaves].sort((a, b) => nodes[a].firstEventId - nodes[b].firstEventId),
      );
    }
  }
  assert.ok(passes > 1000);
});
