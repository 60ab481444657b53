import { TracePointer, TraceStruct, type TraceValue } from '../../src/import/apitrace/trace.ts';
import * as w from './trace-writer.ts';

const modes = { GL_POINTS: 0, GL_LINES: 1, GL_TRIANGLES: 4 };
const bits = { GL_NONE: 0, GL_DEPTH_BUFFER_BIT: 0x100, GL_COLOR_BUFFER_BIT: 0x4000 };

/** Every type of value, as it is written and as it must be read. */
export const typeSamples: readonly (readonly [label: string, written: w.Written, read: TraceValue])[] = [
  ['null', w.none, null],
  ['false', w.bool(false), false],
  ['true', w.bool(true), true],
  ['zero', w.int(0), 0],
  ['127', w.int(127), 127],
  ['128', w.int(128), 128],
  ['2^14', w.int(2 ** 14), 2 ** 14],
  ['2^28 - 1', w.int(2 ** 28 - 1), 2 ** 28 - 1],
  ['2^28', w.int(2 ** 28), 2 ** 28],
  ['2^31', w.int(2 ** 31), 2 ** 31],
  ['2^32 - 1', w.int(2 ** 32 - 1), 2 ** 32 - 1],
  ['2^53 - 1', w.int(2 ** 53 - 1), 2 ** 53 - 1],
  ['2^53', w.int(2n ** 53n), 2n ** 53n],
  ['2^64 - 1', w.int(2n ** 64n - 1n), 2n ** 64n - 1n],
  ['-1', w.int(-1), -1],
  ['-2^31', w.int(-(2 ** 31)), -(2 ** 31)],
  ['-(2^53 - 1)', w.int(-(2 ** 53 - 1)), -(2 ** 53 - 1)],
  ['-2^63', w.int(-(2n ** 63n)), -(2n ** 63n)],
  ['negative zero as an integer', (writer) => writer.byte(3).uint(0), 0],
  ['float', w.f32(0.1), Math.fround(0.1)],
  ['float infinity', w.f32(Number.NEGATIVE_INFINITY), Number.NEGATIVE_INFINITY],
  ['double', w.f64(Math.PI), Math.PI],
  ['double NaN', w.f64(Number.NaN), Number.NaN],
  ['empty text', w.text(''), ''],
  ['text', w.text('void main() {}\n'), 'void main() {}\n'],
  ['UTF-8', w.text('Bærentzen 🌍'), 'Bærentzen 🌍'],
  ['Latin-1', (writer) => writer.byte(7).uint(3).raw(Buffer.from('é é', 'latin1')), 'é é'],
  ['text with a NUL', w.text('end\0not seen'), 'end'],
  ['empty blob', w.blob(new Uint8Array()), new Uint8Array()],
  ['blob', w.blob(Uint8Array.of(0, 1, 254, 255)), Uint8Array.of(0, 1, 254, 255)],
  ['enum', w.enumeration('mode', modes, 4), 4],
  ['the same enum', w.enumeration('mode', modes, 1), 1],
  ['enum that is not among its values', w.enumeration('mode', modes, 77), 77],
  ['negative enum', w.enumeration('error', { BAD: -3 }, -3), -3],
  ['bitmask', w.bitmask('buffers', bits, 0x4100), 0x4100],
  ['the same bitmask', w.bitmask('buffers', bits, 0), 0],
  ['empty array', w.array(), []],
  ['array', w.array(w.int(1), w.none, w.f32(0.5), w.text('x')), [1, null, 0.5, 'x']],
  ['arrays in arrays', w.array(w.array(w.int(1)), w.array()), [[1], []]],
  [
    'structure',
    w.struct('Rect', { x: w.int(-5), size: w.array(w.int(2), w.int(3)) }),
    new TraceStruct('Rect', ['x', 'size'], [-5, [2, 3]]),
  ],
  [
    'the same structure',
    w.struct('Rect', { x: w.int(6), size: w.none }),
    new TraceStruct('Rect', ['x', 'size'], [6, null]),
  ],
  ['pointer', w.pointer(0x7fff_1234_5678), new TracePointer(0x7fff_1234_5678)],
  ['pointer of all bits', w.pointer(2n ** 64n - 1n), new TracePointer(2n ** 64n - 1n)],
  ['two forms', w.shown(w.text('shader source'), w.array(w.int(9))), [9]],
  ['wide text', w.wide([0x48, 0xe6, 0x1f30d]), 'Hæ🌍'],
  ['wide text in 16 bits', w.wide([0xd83c, 0xdf0d]), '🌍'],
  ['wide text with a NUL', w.wide([0x48, 0, 0x49]), 'H'],
];

/** A little trace with all that a version has: calls inside calls, threads, outputs, all types. */
export function sampleTrace(version: number): w.TraceWriter {
  const writer = new w.TraceWriter(version, { 'process.name': '/usr/bin/app', 'OS.name': 'Linux' });
  writer.call(['glClear', 'mask'], { args: [w.bitmask('buffers', bits, 0x4000)] });
  writer.call(['glGenBuffers', 'n', 'buffers'], { args: [w.int(2)], outputs: { 1: w.array(w.int(1), w.int(2)) } });
  const details = (out: w.TraceWriter): void => {
    if (version >= 5) w.backtrace('libGL.so', 'main', 12)(out);
    if (version >= 6) w.fake(out);
  };
  writer.call(['memcpy', 'dest', 'src', 'n'], {
    args: [w.pointer(4096), w.blob(Buffer.from('abcdefgh')), w.int(8)],
    details,
  });
  const outer = writer.enter(['glXSwapBuffers', 'dpy', 'drawable'], {
    args: [w.pointer(2 ** 40), w.int(7)],
    thread: 1,
  });
  writer.call(['glDrawArrays', 'mode', 'first', 'count'], {
    args: [w.enumeration('mode', modes, 4), w.int(0), w.int(3)],
    details,
  });
  writer.leave(outer);
  writer.call(['glGetError'], { result: w.enumeration('error', { GL_NO_ERROR: 0 }, 0), thread: 1 });
  return writer;
}

/** Enough calls, alike but not the same, that packing them needs matches and entropy codes. */
export function manyCalls(): w.TraceWriter {
  const writer = new w.TraceWriter(6);
  for (let index = 0; index < 400; index++) {
    writer.call(['glUniform4f', 'location', 'v0', 'v1'], {
      args: [w.int(index % 7), w.f32(index), w.f64(1 / (index + 1))],
    });
    const shader = `void main() { color = vec4(${index}, ${(index * 7919) % 1000}, 0, 1); }`;
    writer.call(['glShaderSource', 'string'], { args: [w.array(w.text(shader))] });
  }
  return writer;
}
