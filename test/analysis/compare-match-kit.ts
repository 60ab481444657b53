/** Frames in a few words, and rows of their comparison as lines. */
import { type MatchedRow, matchEvents, type SidePrograms } from '../../src/analysis/compare/match-events.ts';
import type { NodeReport } from '../../src/model/report.ts';

export interface Spec {
  readonly name: string;
  readonly kind: NodeReport['kind'];
  readonly program: number;
  readonly target: string;
  readonly inside: readonly Spec[] | null;
  readonly counters?: NodeReport['counters'];
  readonly state?: number;
}

export const draw = (name: string, program = 1, target = 'canvas'): Spec => ({
  name,
  kind: 'draw',
  program,
  target,
  inside: null,
});

export const action = (kind: NodeReport['kind'], name: string, target = 'canvas'): Spec => ({
  name,
  kind,
  program: 0,
  target,
  inside: null,
});

export const group = (name: string, ...inside: readonly Spec[]): Spec => ({
  name,
  kind: 'marker',
  program: 0,
  target: '',
  inside,
});

export const renderPass = (name: string, ...inside: readonly Spec[]): Spec => ({
  ...group(name, ...inside),
  kind: 'pass',
});

const none = { durationNs: null, rawNs: null, cpuNs: null };

/** The nodes of a frame that holds these. */
export function frameOf(...inside: readonly Spec[]): NodeReport[] {
  const nodes: NodeReport[] = [];
  const add = (spec: Spec, depth: number, parentId: number | null, path: string): number => {
    const index = nodes.length;
    const eventId = index === 0 ? null : index;
    nodes.push({
      ...none,
      eventId,
      parentId,
      depth,
      kind: spec.kind,
      name: spec.name,
      path,
      draws: 0,
      isLeaf: spec.inside === null,
      program: spec.program,
      target: spec.target,
      share: null,
      status: 'ok',
      reason: null,
      samples: { durationNs: [], rawNs: [], cpuNs: null },
      ...(spec.counters && { counters: spec.counters }),
      ...(spec.state !== undefined && { state: spec.state }),
    });
    let draws = spec.kind === 'draw' ? 1 : 0;
    for (const child of spec.inside ?? [])
      draws += add(child, depth + 1, eventId, path === '' ? child.name : `${path}/${child.name}`);
    nodes[index] = { ...nodes[index], draws };
    return draws;
  };
  add({ ...group('Frame', ...inside), kind: 'frame' }, 0, null, '');
  return nodes;
}

const signs = { matched: '=', moved: '>', new: '+', gone: '-' } as const;

/** Of each row below the frame: `=`, `>` (moved), `+` or `-`, then its name, or both names where they differ. */
export function lines(base: readonly NodeReport[], next: readonly NodeReport[], programs?: SidePrograms): string[] {
  const rows = matchEvents(base, next, programs);
  return rows.slice(1).map((row: MatchedRow) => {
    const [one, other] = [base[row.base]?.name, next[row.next]?.name];
    const name = one === undefined || other === undefined || one === other ? (one ?? other) : `${one} -> ${other}`;
    return `${signs[row.match]} ${'  '.repeat(row.depth - 1)}${name}`;
  });
}
