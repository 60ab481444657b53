import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CaptureBuilder } from '../../src/import/capture-builder.ts';
import type { FrameRange } from '../../src/import/formats.ts';
import { MemoryCaptureBuilder } from '../../src/import/memory-capture.ts';
import type { Capture } from '../../src/model/capture.ts';

const head = {
  api: 'gl',
  apiVersion: [4, 5],
  origin: { producer: '', driver: '', vendor: '', renderer: '', version: '' },
  requires: { extensions: [], limits: {} },
} as const;

/** `s` sets state, `d` draws, `b` and `e` are a display list's begin and end, `i` and `j` glBegin and glEnd, `t` begins transform feedback, `(` and `)` are a group's, `<` and `>` save attributes and put them back, `|` shows a frame. */
function build(program: string, frames?: FrameRange) {
  const target = new MemoryCaptureBuilder();
  const builder = new CaptureBuilder(target, frames);
  const step: Readonly<Record<string, () => void>> = {
    s: () => builder.named('glEnable', [0xb71]),
    d: () => builder.named('glDrawArrays', [4, 0, 3]),
    b: () => builder.named('glNewList', [1, 0x1300]),
    e: () => builder.named('glEndList', []),
    t: () => builder.named('glBeginTransformFeedback', [0]),
    i: () => builder.named('glBegin', [4]),
    j: () => builder.named('glEnd', []),
    '(': () => builder.named('glPushDebugGroup', [0x824a, 0, -1, 'group']),
    ')': () => builder.named('glPopDebugGroup', []),
    '<': () => builder.named('glPushAttrib', [1]),
    '>': () => builder.named('glPopAttrib', []),
    '|': () => builder.endFrame(),
  };
  for (const letter of program) if (!builder.isFull) step[letter]();
  const summary = builder.finish({ sourceCalls: 0, isComplete: true, ending: null });
  return { summary, finish: () => target.finish('x', { ...head, canvas: builder.canvas }) };
}

const letters: Readonly<Record<string, string>> = {
  glEnable: 's',
  glDrawArrays: 'd',
  glNewList: 'b',
  glEndList: 'e',
  glBeginTransformFeedback: 't',
  glBegin: 'i',
  glEnd: 'j',
  glPushDebugGroup: '(',
  glPopDebugGroup: ')',
  glPushAttrib: '<',
  glPopAttrib: '>',
};

async function streams(capture: Capture): Promise<string[]> {
  const all = [await capture.setup()];
  for (let frame = 1; frame <= capture.manifest.frames.length; frame++) all.push(await capture.frame(frame));
  return all.map((stream) => [...stream].map(({ signature }) => letters[signature.name]).join(''));
}

async function assertStreams(program: string, frames: FrameRange | undefined, expected: readonly string[]) {
  const { summary, finish } = build(program, frames);
  const found = await streams(finish());
  assert.deepEqual(found, expected, program);
  assert.equal(summary.frames, expected.length - 1);
  assert.equal(summary.calls, expected.join('').length);
}

test('the setup ends with the first action, and frames with what shows them', async () => {
  await assertStreams('ssdsd|sd|', undefined, ['ss', 'dsd', 'sd']);
});

test('a frame without actions is a frame all the same', async () => {
  await assertStreams('ss|sd|s|', undefined, ['ss', '', 'sd', 's']);
});

test('without anything that shows a frame there is one', async () => {
  await assertStreams('ssdsds', undefined, ['ss', 'dsds']);
});

test('calls after the last frame are no frame, unless they draw', async () => {
  await assertStreams('sd|d|sss', undefined, ['s', 'd', 'd']);
  await assertStreams('sd|d|ssd', undefined, ['s', 'd', 'd', 'ssd']);
  assert.deepEqual(build('sd|d|ssd').summary.notes, ['frame 3, the last one, does not end with a swap']);
});

test('what comes before the frames asked for is their setup, draws and all', async () => {
  await assertStreams('sd|sdd|sddd|d|', { first: 3, last: 3 }, ['sdsdd', 'sddd']);
  await assertStreams('sd|sdd|sddd|d|', { first: 2, last: 3 }, ['sd', 'sdd', 'sddd']);
  await assertStreams('sd|sdd|sddd|d|', { first: 1, last: 1 }, ['s', 'd']);
});

test('the setup is not cut inside glBegin and transform feedback', async () => {
  await assertStreams('stsd|', undefined, ['s', 'tsd']);
  await assertStreams('sisj|', undefined, ['s', 'isj']);
  assert.equal(build('sijijd|').summary.draws, 3);
});

test('what is saved around the first action, and a list that it is in, belong to the first frame', async () => {
  await assertStreams('s<s>s<s<s>d>|', undefined, ['s<s>s', '<s<s>d>']);
  await assertStreams('<s|d>|', undefined, ['', '<s', 'd>']);
  await assertStreams('<sd|d>|', { first: 2, last: 2 }, ['<sd', 'd>']);
});

test('frames that are not there are an error', () => {
  for (const program of ['sd|', 'sd|d|ss']) {
    assert.equal(build(program, { first: 3, last: 3 }).summary.sourceFrames, program === 'sd|' ? 1 : 2);
    assert.throws(() => build(program, { first: 3, last: 3 }).finish(), { code: 'bad-input', message: /has no frame/ });
  }
});

test('draws that a display list only records are none', () => {
  assert.equal(build('sbdded|').summary.draws, 1);
});

test('a trace that draws nothing is no capture', () => {
  assert.throws(() => build('sss').finish(), { code: 'bad-input', message: 'x has no frame: it draws nothing' });
});

test('groups around the first action belong to the first frame; groups without any do not begin it', async () => {
  await assertStreams('s(s)s(s(sd)sd)s|(d)|', undefined, ['s(s)s', '(s(sd)sd)s', '(d)']);
  await assertStreams('s(s(s)', undefined, ['s(s(s)']).catch((error: Error) => assert.match(error.message, /no frame/));
  await assertStreams('s(s|d)|', undefined, ['s', '(s', 'd)']);
  await assertStreams('s(d)|(d)|', { first: 2, last: 2 }, ['s(d)', '(d)']);
});
