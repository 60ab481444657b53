import type { EventNode, EventTree } from '../../src/model/event-tree.ts';
import type { FrameMeasurement, RunSample } from '../../src/model/sample.ts';

const node = (eventId: number | null, name: string, depth: number, parent: number, isLeaf: boolean): EventNode => ({
  eventId,
  firstEventId: eventId ?? 1,
  lastEventId: eventId ?? 9,
  kind: parent < 0 ? 'frame' : isLeaf ? 'draw' : 'marker',
  name,
  path: name,
  depth,
  parent,
  isLeaf,
  draws: 1,
  program: 1,
  target: 'canvas',
});

/** Frame > A > (a1, a2), and b beside A. */
export const smallTree: EventTree = {
  nodes: [
    node(null, 'Frame 1', 0, -1, false),
    node(2, 'A', 1, 0, false),
    node(3, 'a1', 2, 1, true),
    node(4, 'a2', 2, 1, true),
    node(6, 'b', 1, 0, true),
  ],
  leaves: [2, 3, 4],
};

/** A run of {@link smallTree} with a floor of 10 ns and a CPU floor of 5 ns. */
export function runOf(readings: number[], cpu: number[] | null, questionable: string | null = null): RunSample {
  return {
    readingsNs: Float64Array.from(readings),
    cpuNs: cpu && Float64Array.from(cpu),
    floorNs: 10,
    cpuFloorNs: cpu ? 5 : null,
    bracketedNs: 1000,
    questionable,
  };
}

export function measurementOf(runs: RunSample[], plainNs = 500): FrameMeasurement {
  const plain = runs.map(() => ({ durationNs: plainNs, cpuNs: null }));
  return { frame: 1, plain, runs, repeated: 0, warmups: 1, problem: null };
}
