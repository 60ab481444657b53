/** Metric source: bytes that leaves bind and touch, told from the capture alone. */
import { type CounterColumn, type CounterInfo, type MetricSet, newColumn } from '../model/counter.ts';
import type { CountedObject } from '../model/counter-sample.ts';
import { type MemoryClass, memoryClasses } from '../model/memory/classes.ts';
import type { LeafMemory } from '../model/memory/ledger.ts';
import type { MetricSource, OpenSet, SetResults } from './metric-source.ts';

const set = 'memory';

const titles: Readonly<Record<MemoryClass, string>> = {
  vertex: 'Vertex',
  index: 'Index',
  uniform: 'Uniform',
  texture: 'Texture',
  target: 'Target',
  storage: 'Storage',
};

const bound: Readonly<Record<MemoryClass, string>> = {
  vertex: 'Size of the buffers that enabled vertex attributes read, and of uploads to such buffers.',
  index: 'Size of the element buffers, and of uploads to such buffers.',
  uniform: 'Uniform buffer ranges that the program uses, and the bytes of its own uniforms.',
  texture: 'Size of the textures that the samplers of the program point to, all levels; of uploads and copies, theirs.',
  target: 'Size of what is attached to the framebuffer and drawn to, cleared, or blitted; the canvas, too.',
  storage: 'Storage buffers, atomic counters, images, transform feedback, indirect parameters, and pixel buffers.',
};

const touched: Readonly<Record<MemoryClass, string>> = {
  vertex: 'attribute bytes of the vertices drawn, each vertex that an index can mean once; padding is left out',
  index: 'bytes of the indices drawn',
  uniform: 'the uniform buffer ranges whole, and the bytes of the uniforms of the program itself',
  texture: 'the levels that the filters can reach, or what is uploaded, copied or made',
  target:
    'pixels in viewport and scissor times bytes per pixel and samples, of the attachments that the state lets be read or written, each once however often it is drawn over',
  storage: 'the bound ranges, images and parameters whole',
};

/** A counter with what it takes of a leaf. */
interface Column {
  readonly info: CounterInfo;
  readonly value: (leaf: LeafMemory) => bigint;
  readonly objects?: (leaf: LeafMemory) => readonly CountedObject[];
}

const sumOf = (amounts: Iterable<number>): bigint => {
  let sum = 0n;
  for (const amount of amounts) sum += BigInt(amount);
  return sum;
};

const counter = (name: string, unit: string, kind: CounterInfo['kind'], description: string): CounterInfo => ({
  id: `${set}/${name}`,
  set,
  name,
  description,
  unit,
  dataType: 'u64',
  kind,
  exact: true,
});

function distinct(info: CounterInfo, objects: (leaf: LeafMemory) => readonly CountedObject[]): Column {
  return { info, objects, value: (leaf) => sumOf(objects(leaf).map(({ amount }) => amount)) };
}

/** Objects of all classes; one that serves several counts once. */
function allBound(leaf: LeafMemory): readonly CountedObject[] {
  const objects = new Map<string, CountedObject>();
  for (const name of memoryClasses) for (const object of leaf.bound[name]) objects.set(object.key, object);
  return [...objects.values()];
}

const atMost = 'At most, told from the capture:';

const columns: readonly Column[] = [
  ...memoryClasses.flatMap((name): Column[] => [
    distinct(
      counter(`${titles[name]} Bytes Bound`, 'bytes', 'distinct', `${bound[name]} Each object counts once.`),
      (leaf) => leaf.bound[name],
    ),
    {
      info: counter(`${titles[name]} Bytes Touched`, 'bytes', 'sum', `${atMost} ${touched[name]}.`),
      value: (leaf) => BigInt(leaf.touched[name]),
    },
  ]),
  distinct(
    counter('Bytes Bound', 'bytes', 'distinct', 'Size of all that the action can reach, each object once.'),
    allBound,
  ),
  {
    info: counter('Bytes Touched', 'bytes', 'sum', `${atMost} what the action reads or writes, all classes together.`),
    value: (leaf) => sumOf(memoryClasses.map((name) => leaf.touched[name])),
  },
  distinct(
    counter(
      'Target Samples',
      'samples',
      'distinct',
      'Pixels of what is drawn into, times layers and samples, each target once.',
    ),
    (leaf) => leaf.targetSamples,
  ),
];

/** The `memory` set: what this source counts of any capture. */
export const memorySet: MetricSet = {
  id: set,
  source: 'memory',
  name: 'Memory',
  description: 'Bytes bound and touched, told from the capture: sizes as GL defines them, without padding or caches',
  scope: 'context',
  counters: columns.map(({ info }) => info),
};

class MemoryOpenSet implements OpenSet {
  readonly counters: readonly CounterInfo[];
  readonly #leaves: readonly LeafMemory[];
  readonly #columns: readonly Column[];
  #queries = 0;

  constructor(leaves: readonly LeafMemory[], counters: readonly CounterInfo[]) {
    this.#leaves = leaves;
    this.counters = counters;
    this.#columns = counters.flatMap(({ id }) => columns.find(({ info }) => info.id === id) ?? []);
  }

  subscribe(queries: number): void {
    this.#queries = queries;
  }

  beginQuery(): void {}

  endQuery(): void {}

  unsubscribe(order: Uint32Array): SetResults {
    const results = this.#columns.map(({ info }) => newColumn(info.dataType, this.#queries) as BigUint64Array);
    const objects = new Map<string, (readonly CountedObject[])[]>();
    const failed = new Map<number, string>();
    for (const { info, objects: found } of this.#columns)
      if (found)
        objects.set(
          info.id,
          Array.from({ length: this.#queries }, () => []),
        );
    for (const id of order) {
      const leaf = this.#leaves[id];
      if (!leaf) {
        failed.set(id, 'the frame has no such leaf');
        continue;
      }
      for (const [at, column] of this.#columns.entries()) {
        results[at][id] = column.value(leaf);
        const list = objects.get(column.info.id);
        if (list && column.objects) list[id] = column.objects(leaf);
      }
    }
    return { columns: results as CounterColumn[], failed, questionable: new Map(), suspect: null, objects };
  }

  dispose(): void {}
}

/** `leaves`: what model/memory's FrameMemory tells of one frame; query ids are their numbers. */
export function memorySource(leaves: readonly LeafMemory[]): MetricSource {
  return {
    type: 'memory',
    information: 'sizes from the capture',
    sets: [memorySet],
    replays: false,
    lost: new Map(),
    maximumQueries: () => Math.max(1, leaves.length),
    split: (_, counters) => (counters.length > 0 ? [counters] : []),
    open: (_, counters) => new MemoryOpenSet(leaves, counters),
  };
}
