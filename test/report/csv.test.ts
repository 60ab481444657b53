import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csv } from '../../src/report/csv.ts';
import { defaultOptions, type ReportOptions } from '../../src/report/options.ts';
import { frame, node, report, softwareReport, withNodes } from './sample.ts';

const render = (of = report, options: Partial<ReportOptions> = {}) =>
  [...csv(of, { ...defaultOptions, ...options })].join('');
const header =
  'frame,eventId,parentId,depth,leaf,kind,name,path,draws,durationNs,minNs,maxNs,madNs,low95Ns,high95Ns,rawNs,cpuNs,' +
  'cpuMadNs,share,runs,timer,status,reason';

test('one header, a row a node, whole nanoseconds, empty cells for what is not known', () => {
  assert.deepEqual(render().split('\r\n'), [
    header,
    '1,,,0,0,frame,frame,,4,10000000,9800000,10200000,100000,9800000,10200000,10001000,,,1,5,elapsed,ok,',
    '1,2,,1,0,marker,shadow,shadow,1,1500000,1470000,1530000,15000,1470000,1530000,1501000,,,0.15,5,elapsed,ok,',
    '1,4,2,2,1,draw,cube,shadow/cube,1,1500000,1470000,1530000,15000,1470000,1530000,1501000,,,0.15,5,elapsed,ok,',
    '1,6,,1,0,marker,scene,scene,3,8500000,8330000,8670000,85000,8330000,8670000,8501000,,,0.85,5,elapsed,ok,',
    '1,7,6,2,1,clear,clear,scene/clear,0,250000,245000,255000,2500,245000,255000,251000,,,0.025,5,elapsed,ok,',
    '1,9,6,2,1,draw,floor,scene/floor,1,8249500,8084510,8414490,82495,8084510,8414490,8250500,,,0.82495,5,elapsed,ok,',
    '1,12,6,2,1,draw,lamp,scene/lamp,1,500,490,510,5,490,510,1500,,,0.00005,5,elapsed,below-resolution,it reads 1.1 times what an empty bracket reads',
    '1,15,6,2,1,draw,sky,scene/sky,1,,,,,,,,,,,0,elapsed,failed,its queries gave no result in any run',
    '',
  ]);
});

test('CPU times stand in columns of their own', () => {
  const row = render(softwareReport).split('\r\n')[3];
  assert.equal(
    row,
    '1,4,2,2,1,draw,cube,shadow/cube,1,1500000,1470000,1530000,15000,1470000,1530000,1501000,750000,7500,0.15,5,elapsed,ok,',
  );
});

test('text with commas and quotes is quoted', () => {
  const [, row] = render(withNodes([node({ name: 'a "b", c', depth: 0 }, 5)])).split('\r\n');
  assert.ok(row.startsWith('1,1,,0,1,draw,"a ""b"", c","a ""b"", c",1,5,'), row);
});

test('what a spreadsheet would run is disarmed; numbers stay numbers', () => {
  const names = ['=1+1', '+1', '-1', '@SUM(A1)'];
  const rows = render(withNodes(names.map((name) => node({ name, depth: 0 }, 5)))).split('\r\n');
  assert.deepEqual(
    rows.slice(1, 5).map((row) => row.split(',')[6]),
    ["'=1+1", "'+1", "'-1", "'@SUM(A1)"],
  );
});

test('a record is one line without control characters, whatever a name holds', () => {
  const text = render(withNodes([node({ name: '\t=a\r\nb\u001b[2J', depth: 0 }, 5)]));
  assert.equal(text.split('\n').length, 3);
  assert.match(text, /␉=a␍␊b␛\[2J/);
});

test('several frames follow one header', () => {
  const rows = render({ ...report, frames: [frame, { ...frame, frame: 2 }] }, { depth: 0 }).split('\r\n');
  assert.deepEqual(
    rows.map((row) => row.split(',')[0]),
    ['frame', '1', '2', ''],
  );
});

test('no nodes leave the header', () => {
  assert.equal(render(withNodes([])), `${header}\r\n`);
});

test('rows are those asked for', () => {
  const rows = render(report, { top: 2, sort: 'duration' }).split('\r\n');
  assert.deepEqual(
    rows.map((row) => row.split(',')[7]),
    ['path', 'scene/floor', 'shadow/cube', undefined],
  );
});
