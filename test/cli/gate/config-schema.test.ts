import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { configJsonSchema } from '../../../src/cli/gate/config-schema.ts';
import { projectRoot } from '../../helpers/cli.ts';

const path = join(projectRoot, 'src', 'cli', 'gate', 'config.schema.json');

test('the JSON schema in the package is that of the reader; UPDATE_SCHEMA=1 writes it anew', async () => {
  const wanted = configJsonSchema();
  if (process.env.UPDATE_SCHEMA) await writeFile(path, `${JSON.stringify(wanted, null, 2)}\n`);
  assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), wanted);
});
