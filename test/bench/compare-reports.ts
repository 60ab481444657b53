/**
 * How long does `gpuprof compare` take for two reports of 10,000 events? Writes them itself: 100 passes of 99 draws, of
 * which one became slower; plain ones of 20 runs, and ones with 23 counters beside, of which one changed. Prints
 * a Markdown table of whole processes.
 *   npm run bench:compare -- [--rounds 5]
 */
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { statisticsOf } from '../../src/analysis/statistics.ts';
import type { CounterCell, CounterSetReport, NodeReport, Report } from '../../src/model/report.ts';
import { json } from '../../src/report/json.ts';
import { run } from '../helpers/cli.ts';
import { randomFrom } from '../helpers/random.ts';
import { counter, setOf } from '../report/counter-sample.ts';
import { softwareReport } from '../report/sample.ts';
import { markdownTable, median } from './processes.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const passes = 100;
const drawsOfPass = 99;
const leafNs = 200_000;

interface Scene {
  readonly runs: number;
  readonly counters: number;
  readonly seed: number;
  /** Whether one draw takes twice as long and has one more of the last counter. */
  readonly isHeavier: boolean;
}

function reportOf({ runs, counters, seed, isHeavier }: Scene): Report {
  const random = randomFrom(seed);
  const infos = Array.from({ length: counters }, (_, index) => counter(`statistics/Counter ${index + 1}`));
  const sets: CounterSetReport[] = [setOf('statistics', infos, { runs })];
  const node = (parts: Partial<NodeReport>, leaves: number, factor = 1, more = 0): NodeReport => {
    const samples = Array.from({ length: runs }, () => leafNs * leaves * factor * (1 + 0.03 * random()));
    const statistics = statisticsOf(samples);
    const cells = infos.map(({ id }, index): [string, CounterCell] => {
      const value = leaves * 10 ** (index % 5) + (index === counters - 1 ? more : 0);
      return [id, { value, samples: samples.map(() => value), status: 'ok', reason: null }];
    });
    return {
      ...softwareReport.frames[0].nodes[0],
      ...parts,
      draws: leaves,
      durationNs: statistics,
      rawNs: statistics,
      cpuNs: statistics,
      share: leaves / (passes * drawsOfPass),
      samples: { durationNs: samples, rawNs: samples, cpuNs: samples },
      ...(counters > 0 && { counters: Object.fromEntries(cells) }),
    };
  };
  const nodes = [node({}, passes * drawsOfPass)];
  for (let pass = 0; pass < passes; pass++) {
    const passId = nodes.length;
    const path = `pass ${pass}`;
    const group = { depth: 1, kind: 'marker', name: path, path, isLeaf: false, program: 0 } as const;
    nodes.push(node({ ...group, eventId: passId, parentId: null }, drawsOfPass));
    for (let draw = 0; draw < drawsOfPass; draw++) {
      const name = `glDrawArrays(${3 * (1 + (draw % 7))})`;
      const leaf = { depth: 2, kind: 'draw', name, path: `${path}/${name}`, isLeaf: true, program: 1 } as const;
      const isIt = isHeavier && pass === 50 && draw === 3;
      nodes.push(node({ ...leaf, eventId: nodes.length, parentId: passId }, 1, isIt ? 2 : 1, isIt ? 1 : 0));
    }
  }
  const frame = { ...softwareReport.frames[0], runs, nodes };
  return { ...softwareReport, ...(counters > 0 && { counters: sets }), frames: [frame] };
}

const folder = await mkdtemp(join(tmpdir(), 'gpuprof-bench-'));
const rows: string[][] = [];
try {
  for (const [what, scene] of [
    ['20 runs', { runs: 20, counters: 0 }],
    ['20 runs, 23 counters', { runs: 20, counters: 23 }],
  ] as const) {
    const files = [join(folder, 'before.json'), join(folder, 'after.json')];
    await writeFile(files[0], json(reportOf({ ...scene, seed: 1, isHeavier: false })));
    await writeFile(files[1], json(reportOf({ ...scene, seed: 2, isHeavier: true })));
    const seconds: number[] = [];
    for (let round = 0; round < Number(values.rounds); round++) {
      const start = performance.now();
      const { code, stderr } = await run(['compare', ...files]);
      seconds.push((performance.now() - start) / 1000);
      if (code !== 1 || !stderr.includes('pass 50/')) throw new Error(`it was not found: exit code ${code}, ${stderr}`);
    }
    const { size } = await stat(files[0]);
    rows.push([
      what,
      (size / 1e6).toFixed(0),
      median(seconds).toFixed(2),
      Math.min(...seconds).toFixed(2),
      Math.max(...seconds).toFixed(2),
    ]);
  }
} finally {
  await rm(folder, { recursive: true });
}
process.stdout.write(
  markdownTable(['two reports of 10,000 events', 'MB each', 'median s', 'shortest s', 'longest s'], rows),
);
