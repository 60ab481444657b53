import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findConfig } from '../../../src/cli/gate/config-file.ts';
import { readConfig } from '../../../src/cli/gate/read-config.ts';
import type { GateConfig } from '../../../src/model/gate-config.ts';
import { damagedJsonText } from '../damage.ts';
import type { Reader } from '../reader.ts';

const config: GateConfig = {
  captures: [
    'scene.cap',
    '*.cap',
    {
      file: 'scene.cap',
      name: 'by name',
      baseline: false,
      budgets: { '**/Shadow': '2ms', frame: { duration: '5ms' } },
    },
    {
      file: 'scene.cap',
      name: 'other',
      env: { LP_NUM_THREADS: '2' },
      counters: ['statistics'],
      strict: true,
      frame: 1,
    },
  ],
  baselines: 'baselines',
  budgets: {
    '**': { duration: { warn: '+5%', fail: '+10%' }, drawCalls: 100, 'intel/Render/GpuTime': '1.2M' },
    'scene/*': '+50us',
  },
  threshold: '5%',
  minChange: '50us',
  falseAlarmRate: '1%',
  undecided: 'warn',
  driver: 'egl',
  softwareThreads: 0,
  timer: 'finish',
  per: 'draw',
  warmup: 1,
};
/** Sound ones, as a damaged one of all of them would nearly always fail at the first. */
const configs: readonly GateConfig[] = [config, { captures: ['scene.cap'] }, { captures: [config.captures[2]] }];

/** Configurations of the gate as JSON and in package.json; those that are programs run by design. */
export const reader: Reader = {
  async open() {
    return {
      async make(random, folder) {
        const isPackage = random(3) === 0;
        const path = join(folder, isPackage ? 'package.json' : 'gpuprof.config.json');
        const content = configs[random(configs.length)];
        await writeFile(join(folder, 'scene.cap'), '');
        await writeFile(
          path,
          isPackage ? damagedJsonText(random, { name: 'x', gpuprof: content }) : damagedJsonText(random, content),
        );
        return path;
      },
      async read(path) {
        readConfig(await findConfig(path));
      },
    };
  },
};
