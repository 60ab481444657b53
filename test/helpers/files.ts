import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { projectRoot } from './cli.ts';

/** An empty folder that is removed when the test ends. */
export async function tempFolder(test: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gpuprof-test-'));
  test.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Path of a sample capture: `samplePath('triangle')`. */
export const samplePath = (name: string): string => join(projectRoot, 'captures', `${name}.cap`);

/** Path of test data kept beside the project, or undefined where that folder is absent. */
export function sharedPath(name: string): string | undefined {
  const path = join(projectRoot, '..', 'shared', name);
  return existsSync(path) ? path : undefined;
}

/** For a test's `skip` option: false when the data is there, else the reason. */
export const skipWithout = (path: string | undefined, name: string): string | false =>
  path === undefined ? `../shared/${name} is absent` : false;
