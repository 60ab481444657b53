import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyseFrame } from '../../src/analysis/analyse-frame.ts';
import { buildReport, type ReportParts } from '../../src/analysis/build-report.ts';
import type { CounterSetReport, FrameReport, Report } from '../../src/model/report.ts';
import { measurementOf, runOf, smallTree } from './samples.ts';

const canvas = { width: 4, height: 4, alpha: true, depth: true, stencil: false, samples: 0, preserved: false };
const origin = { producer: 'test', driver: 'egl', vendor: 'v', renderer: 'r', version: '3.0' };

function reportOf(frame: FrameReport, change: Partial<ReportParts> = {}): Report {
  return buildReport({
    producer: 'gpuprof 0',
    capture: {
      path: 'x.cap',
      manifest: {
        format: 'gpuprof-capture',
        version: 1,
        api: 'webgl2',
        apiVersion: [3, 0],
        origin,
        canvas,
        requires: { extensions: [], limits: {} },
        setup: { calls: 0 },
        frames: [{ calls: 9 }],
        signatures: [],
        locations: [],
        resources: [],
        objects: {},
        hasReference: false,
      },
    },
    environment: {
      driver: 'egl',
      api: 'es',
      vendor: 'v',
      renderer: 'some GPU',
      version: '3.2',
      software: false,
      softwareThreads: null,
      os: 'Linux',
      cpu: 'c',
      cores: 2,
      node: 'v20',
    },
    trust: { bounds: [0.75, 1.25], methods: [] },
    settings: { timer: 'auto', method: 'elapsed', why: 'w', per: 'draw', warmups: 1 },
    programs: {},
    states: {},
    frames: [frame],
    glErrors: [],
    warnings: [],
    ...change,
  });
}

const messages = (report: Report) => report.warnings.map(({ code, message }) => `${code}: ${message}`);

test('a sound frame on a GPU needs no warning', () => {
  const frame = analyseFrame(smallTree, measurementOf([runOf([110, 210, 310], null)], 600));
  assert.deepEqual(messages(reportOf(frame)), []);
});

test('leaves that are all floor: the frame is not their sum', () => {
  const frame = analyseFrame(smallTree, measurementOf([runOf([15, 15, 15], null)], 5));
  assert.deepEqual(messages(reportOf(frame)), [
    "leaves-exceed-frame: the leaves add up to 3.00 times the frame's own duration; try --per pass",
    'inflation: with brackets the frame takes 200 times as long as without; try --per pass',
    'below-resolution: 3 of 3 leaves are below resolution; try --per pass',
  ]);
});

test('leaves that miss most of the frame', () => {
  const frame = analyseFrame(smallTree, measurementOf([runOf([110, 210, 310], null)], 1200));
  assert.deepEqual(messages(reportOf(frame)), [
    "leaves-miss-frame: the leaves add up to 50% of the frame's own duration; the rest lies between them: state changes, submission, waiting",
  ]);
});

test('what went wrong comes first: own warnings, GL errors, failed leaves, questionable runs', () => {
  const runs = [runOf([110, Number.NaN, 310], null, 'the clock was interrupted')];
  const report = reportOf(analyseFrame(smallTree, measurementOf(runs, 600)), {
    warnings: [{ code: 'untrusted-timer', message: 'm' }],
    glErrors: [{ frame: 1, eventId: 3, call: 'glFoo(1)', error: 'GL_INVALID_ENUM', count: 2 }],
  });
  assert.deepEqual(messages(report), [
    'untrusted-timer: m',
    'gl-errors: event 3 of frame 1 raised GL_INVALID_ENUM: glFoo(1)',
    'failed-leaves: 1 of 3 leaves could not be measured',
    'questionable-runs: 1 of 1 runs stayed questionable: the clock was interrupted',
  ]);
});

test('sets that were lost, are questionable or come from another context say so; derived ones only the last', () => {
  const set = (id: string, parts: Partial<CounterSetReport>): CounterSetReport => ({
    id,
    source: 'statistics',
    name: id,
    description: '',
    scope: 'context',
    counters: [],
    origin: { driver: 'egl', api: 'es', renderer: 'some GPU', version: '3.2' },
    passes: 1,
    runs: 1,
    status: 'ok',
    reason: null,
    ...parts,
  });
  const elsewhere = { driver: 'egl', api: 'gl', renderer: 'llvmpipe', version: '4.5 (Core Profile) Mesa 22.3.6' };
  const counters = [
    set('statistics', { origin: elsewhere }),
    set('intel/A', { status: 'failed', reason: 'it is busy' }),
    set('amd/B', { status: 'questionable', reason: '1 of 3 leaves is questionable: the frequency changed' }),
    set('memory', { origin: null }),
    set('derived', { source: 'derived', origin: elsewhere, status: 'questionable', reason: 'its time' }),
  ];
  const frame = analyseFrame(smallTree, measurementOf([runOf([110, 210, 310], null)], 600));
  const report = reportOf(frame, { counters });
  assert.deepEqual(report.counters, counters);
  assert.deepEqual(messages(report), [
    'counters-lost: intel/A could not be measured: it is busy',
    'counters-questionable: amd/B is questionable: 1 of 3 leaves is questionable: the frequency changed',
    'counters-elsewhere: statistics, derived were measured on OpenGL 4.5 llvmpipe through egl, the times on OpenGL ES 3.2 some GPU through egl',
  ]);
});
