import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { statisticsOf } from '../../../src/analysis/statistics.ts';
import { GpuprofError } from '../../../src/errors.ts';
import type { NodeReport, Report, Statistics } from '../../../src/model/report.ts';
import { json } from '../../../src/report/json.ts';
import { pick } from '../../helpers/random.ts';
import { counterReport } from '../../report/counter-sample.ts';
import { result } from '../../report/gate-sample.ts';
import { report, softwareReport } from '../../report/sample.ts';
import { timedReport } from '../../report/timeline-sample.ts';
import { command } from '../command.ts';
import { damagedJsonText } from '../damage.ts';
import type { Reader } from '../reader.ts';

const samplesOf = (statistics: Statistics | null): number[] | null =>
  statistics && [0.98, 0.99, 1, 1.01, 1.02].map((part) => part * statistics.median);

/** With samples that its statistics are of, as the reader demands. */
function fitted(node: NodeReport): NodeReport {
  const [durationNs, rawNs, cpuNs] = [node.durationNs, node.rawNs, node.cpuNs].map(samplesOf);
  return {
    ...node,
    durationNs: durationNs && statisticsOf(durationNs),
    rawNs: rawNs && statisticsOf(rawNs),
    cpuNs: cpuNs && statisticsOf(cpuNs),
    samples: { durationNs: durationNs ?? [null], rawNs: rawNs ?? [null], cpuNs },
  };
}

const written = (made: Report): unknown => {
  const frames = made.frames.map((frame) => ({ ...frame, nodes: frame.nodes.map(fitted) }));
  return JSON.parse([...json({ ...made, frames })].join(''));
};

const formats = ['table', 'markdown', 'csv', 'json', 'html'];
/** What a comparison or a merge came to is no refusal. */
const verdicts = ['verification-failed', 'cannot-measure'];

/** JSON that compare and merge read: reports, and results of the gate. */
export const reader: Reader = {
  async open() {
    const reports = [report, softwareReport, counterReport, timedReport].map(written);
    return {
      async make(random, folder) {
        const good = pick(random, reports);
        const isResult = random(4) === 0;
        const path = join(folder, isResult ? 'hostile-result.json' : 'hostile.json');
        await writeFile(join(folder, 'good.json'), JSON.stringify(good));
        await writeFile(path, damagedJsonText(random, isResult ? result : good));
        return path;
      },
      async read(path, random) {
        const beside = (name: string) => join(path, '..', name);
        const args = path.endsWith('-result.json')
          ? [
              'merge',
              path,
              '--no-github',
              `--${pick(random, ['table', 'junit', 'comment', 'json'])}`,
              beside('out.txt'),
            ]
          : ['compare', beside('good.json'), path, '-o', beside('out.txt'), '--format', pick(random, formats)];
        await command(...args).catch((error) => {
          if (!(error instanceof GpuprofError && verdicts.includes(error.code))) throw error;
        });
      },
    };
  },
};
