import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openTrace } from '../../../src/import/apitrace/open-trace.ts';
import { type TraceCall, TracePointer, TraceStruct, type TraceValue } from '../../../src/import/apitrace/trace.ts';
import { pick, type Random } from '../../helpers/random.ts';
import { everyKind, oddValues } from '../../import/malformed-calls.ts';
import { manyCalls, sampleTrace, typeSamples } from '../../import/sample-trace.ts';
import { containers, pack } from '../../import/trace-packer.ts';
import * as w from '../../import/trace-writer.ts';
import { command } from '../command.ts';
import { damagedBytes, damagedText, tellingNumbers } from '../damage.ts';
import { readWhole } from '../read-whole.ts';
import type { Reader } from '../reader.ts';

const traces = [
  'es-2.0',
  'es-3.0',
  'es-contexts',
  'es-gl-compat',
  'es-threads',
  'gl-client-arrays',
  'gl-contexts-lists',
  'gl-contexts-state',
  'gl-core-4.5',
  'gl-lists',
  'gl-mapping',
  'gl-pbuffer',
  'gl-persistent-mapping',
  'gl-pixel-buffers',
  'gl-selection',
  'gl-texture-formats',
  'gl-windows',
].map((name) => fileURLToPath(new URL(`../../import/traces/${name}.trace`, import.meta.url)));

type Call = Pick<TraceCall, 'thread' | 'args' | 'result'> & {
  readonly name: string;
  readonly names: readonly string[];
};

const callsOf = (path: string): Call[] =>
  Array.from(openTrace(path).calls(), ({ thread, args, result, function: { name, args: names } }) => ({
    thread,
    args,
    result,
    name,
    names,
  }));

function written(value: TraceValue): w.Written {
  if (value === null) return w.none;
  if (typeof value === 'boolean') return w.bool(value);
  if (typeof value === 'bigint') return w.int(value);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? w.int(value) : w.f64(value);
  if (typeof value === 'string') return w.text(value);
  if (value instanceof Uint8Array) return w.blob(value);
  if (value instanceof TracePointer) return w.pointer(value.address);
  if (value instanceof TraceStruct)
    return w.struct(
      value.name,
      Object.fromEntries(value.members.map((name, index) => [name, written(value.values[index])])),
    );
  return w.array(...value.map(written));
}

function bytesOf(calls: readonly Call[], version: number): Buffer {
  const writer = new w.TraceWriter(version);
  for (const { name, names, args, result, thread } of calls)
    writer.call([name, ...names], {
      args: args.map(written),
      thread,
      ...(result !== undefined && { result: written(result) }),
    });
  return writer.toBytes();
}

/** Another value: of the same kind most of the time. */
function damagedArgument(random: Random, value: TraceValue): TraceValue {
  if (random(4) === 0) return pick(random, oddValues);
  if (typeof value === 'number')
    return pick(random, [value + 1, value - 1, -value, value * 4, random(32), pick(random, tellingNumbers)]);
  if (typeof value === 'string') return damagedText(random, value);
  if (value instanceof Uint8Array) return damagedBytes(random, value);
  if (Array.isArray(value) && value.length > 0) {
    const at = random(value.length);
    if (random(3) === 0) return value.slice(0, at);
    return value.map((one, index) => (index === at ? damagedArgument(random, one) : one));
  }
  return pick(random, oddValues);
}

/** A call is changed, left out, made twice, made elsewhere, or comes from another trace. */
function damageCalls(random: Random, calls: Call[], others: readonly Call[]): void {
  const at = random(calls.length);
  const call = calls[at];
  const change = () => {
    const place = random(call.args.length + 1);
    if (place === call.args.length) calls[at] = { ...call, result: damagedArgument(random, call.result ?? null) };
    else
      calls[at] = {
        ...call,
        args: call.args.map((arg, index) => (index === place ? damagedArgument(random, arg) : arg)),
      };
  };
  const ways = [
    () => calls.splice(at, 1),
    () => calls.splice(at, 1 + random(20)),
    () => calls.splice(random(calls.length), 0, call),
    () => calls.splice(random(calls.length), 0, ...calls.splice(at, 1 + random(5))),
    () => calls.splice(at, 0, pick(random, others)),
    () => calls.splice(at, 1, { ...call, name: pick(random, others).name }),
    () => calls.splice(at, 1, { ...call, args: call.args.slice(0, random(call.args.length + 1)) }),
    () => calls.splice(at, 1, { ...call, thread: random(3) }),
  ];
  if (random(2) === 0) change();
  else pick(random, ways)();
}

/** apitrace: every version and container; calls with other arguments, in another order, and damaged bytes of any layer. */
export const reader: Reader = {
  async open() {
    const types = new w.TraceWriter(6);
    for (const [, value] of typeSamples) types.call(['f', 'value'], { args: [value], result: value });
    const made = [0, 1, 2, 3, 4, 5, 6].map((version) => sampleTrace(version).toBytes());
    const contents = [...made, types.toBytes(), manyCalls().toBytes()];
    const recorded = [
      ...traces.map(callsOf),
      everyKind.map(
        ([name, args, result]): Call => ({ name, names: args.map((_, at) => `a${at}`), args, result, thread: 0 }),
      ),
    ];
    const all = recorded.flat();
    /** As a program left them, or not. */
    const source = (random: Random): Buffer => {
      if (random(3) === 0) return pick(random, contents);
      const calls = pick(random, recorded).slice();
      for (let times = random(6); times > 0 && calls.length > 0; times--) damageCalls(random, calls, all);
      return bytesOf(calls, random(3) === 0 ? random(7) : 6);
    };
    return {
      async make(random, folder) {
        const path = join(folder, 'hostile.trace');
        const container = pick(random, containers);
        const unpacked = source(random);
        const ways = [
          () => pack(unpacked, container, 1 + random(2 ** 16)),
          () => pack(damagedBytes(random, unpacked), container, 1 + random(2 ** 12)),
          () => damagedBytes(random, pack(unpacked, container, 1 + random(2 ** 12))),
        ];
        await writeFile(path, ways[Math.min(random(4), 2)]());
        return path;
      },
      async read(path, random) {
        const out = path.replace('hostile.trace', 'out.cap');
        const options = pick(random, [[], [], ['--trim'], ['--frame', '1'], ['--frames', '1-2', '--trim']]);
        await command('import', path, '-o', out, ...options);
        await readWhole(out);
      },
    };
  },
};
