import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { projectRoot, type RunOptions, type RunResult, run } from '../helpers/cli.ts';
import { drivers } from '../helpers/drivers.ts';
import { tempFolder } from '../helpers/files.ts';
import { runInSession } from '../helpers/session.ts';

export const nodeProgram = (name: string): string => join(projectRoot, 'test', 'record', 'programs', 'node', name);

export interface NodeRecording extends RunResult {
  /** Where the capture is, when there is one. */
  readonly path: string;
  /** Files in the output's folder afterwards. */
  readonly left: readonly string[];
}

/** Runs the built `gpuprof record node` on one of the test programs. */
export async function recordNode(
  t: TestContext,
  name: string,
  args: readonly string[] = [],
  options: RunOptions = {},
): Promise<NodeRecording> {
  const folder = await tempFolder(t);
  const path = join(folder, 'frame.cap');
  const result = await run(['record', 'node', nodeProgram(name), '-o', path, ...args], options);
  return { ...result, path, left: await readdir(folder) };
}

/** Replays a capture on both drivers: on the one that recorded, every pixel is equal. */
export async function verified(path: string): Promise<void> {
  for (const driver of drivers) {
    const { code, stderr } = await runInSession(['replay', path, '--verify', '--no-timing', '--driver', driver]);
    assert.equal(code, 0, `${driver}: ${stderr}`);
    assert.doesNotMatch(stderr, /GL error/, driver);
    if (driver === 'headless-gl') assert.match(stderr, /^gpuprof: verification passed: all \d+ pixels are equal/m);
  }
}

/** A recording that worked, and is verified. */
export async function recordAndVerify(
  t: TestContext,
  name: string,
  args: readonly string[] = [],
): Promise<NodeRecording> {
  const recording = await recordNode(t, name, args);
  assert.equal(recording.code, 0, recording.stderr);
  assert.deepEqual(recording.left, ['frame.cap']);
  await verified(recording.path);
  return recording;
}
