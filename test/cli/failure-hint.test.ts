import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureHint } from '../../src/cli/verify.ts';
import type { Capture } from '../../src/model/capture.ts';

const capture = (driver: string, renderer: string, notes?: string[]) =>
  ({ manifest: { origin: { driver, renderer, version: '' }, ...(notes && { notes }) } }) as unknown as Capture;
const swiftShader = 'ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)), SwiftShader driver)';
const again =
  '--driver swiftshader replays on the renderer that recorded: if it is equal there, it is the renderers that differ';

test('a failed verification names what the recorder noted, and the driver that tells renderers from captures', () => {
  assert.equal(failureHint(capture('egl', 'llvmpipe'), false), undefined);
  assert.equal(failureHint(capture('chromium', swiftShader), true), undefined);
  assert.equal(failureHint(capture('chromium', swiftShader), false), again);
  assert.equal(
    failureHint(capture('chromium', swiftShader, ['one', 'two']), false),
    `the recorder noted: one (and 1 more: see gpuprof info); ${again}`,
  );
});
