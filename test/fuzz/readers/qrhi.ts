import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pick, type Random } from '../../helpers/random.ts';
import { smallStream } from '../../qrhi/kit.ts';
import { command } from '../command.ts';
import { damagedBytes, damagedText, tellingNumbers } from '../damage.ts';
import type { Reader } from '../reader.ts';

const lines = smallStream.trimEnd().split('\n');
const fieldValues = [...tellingNumbers, -1, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n, '1e400', 'nan', '', ' 7 '].map(
  String,
);

/** A field is changed, left out, or comes twice. */
function damageFields(random: Random, line: string): string {
  const fields = line.split(',');
  const at = random(fields.length);
  const ways = [
    () => fields.splice(at, 1, pick(random, fieldValues)),
    () => fields.splice(at, 1, pick(random, fieldValues)),
    () => fields.splice(at, 1, damagedText(random, fields[at])),
    () => fields.splice(at, 1),
    () => fields.splice(at, 0, fields[at]),
    () => fields.splice(0, 1, String(random(20))),
  ];
  pick(random, ways)();
  return fields.join(',');
}

function stream(random: Random): Buffer {
  const damaged = Array.from({ length: 1 + random(60) }, () => {
    const line = pick(random, lines);
    return random(4) === 0 ? damageFields(random, line) : line;
  });
  const ending = pick(random, ['\n', '\n', '\r\n', ',\n']);
  const text = Buffer.from(damaged.join(ending) + pick(random, ['\n', '', ',']));
  return random(4) === 0 ? damagedBytes(random, text) : text;
}

/** QRhiProfiler streams: lines in any order, damaged fields, damaged bytes. */
export const reader: Reader = {
  async open() {
    return {
      async make(random, folder) {
        const path = join(folder, 'hostile.csv');
        await writeFile(path, stream(random));
        return path;
      },
      async read(path, random) {
        const format = pick(random, ['table', 'csv', 'json']);
        const options = pick(random, [[], ['--strict'], ['--qt', '6'], ['--top', '1']]);
        await command('qrhi', path, '--format', format, ...options);
      },
    };
  },
};
