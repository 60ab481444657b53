import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openContext } from '../../src/gl/open.ts';
import { setSoftwareThreads } from '../../src/gl/software-threads.ts';
import { chooseTimer } from '../../src/query/choose-timer.ts';
import { chromium, noChromium } from '../helpers/chromium.ts';

test("SwiftShader's own queries follow the host clock; finish is chosen, since it carries CPU time", {
  skip: noChromium,
}, async () => {
  setSoftwareThreads(0);
  const context = await openContext('swiftshader', { api: 'es', browser: chromium });
  const { method, trust } = chooseTimer(context, 'auto');
  assert.equal(method.name, 'finish');
  for (const { method: name, trusted, bits, reason, ratio } of trust.methods) {
    assert.deepEqual([name, trusted, bits], [name, true, name === 'finish' ? null : 64], reason);
    assert.ok(ratio !== null && ratio > 0.9 && ratio < 1.1, `${name} ${ratio}`);
  }
  assert.equal(context.gl.glGetError(), 0);
  context.destroy();
});
