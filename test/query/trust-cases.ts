import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Api, DriverName, GlContext } from '../../src/gl/context.ts';
import { openContext } from '../../src/gl/open.ts';
import { setSoftwareThreads, softwareThreads } from '../../src/gl/software-threads.ts';
import { chooseTimer } from '../../src/query/choose-timer.ts';
import { checkTrust } from '../../src/query/trust-check.ts';
import { llvmpipeThreads } from './llvmpipe-threads.ts';

/** Bindings that the trust check uses: program, texture, framebuffer, vertex array. */
const bindings = [0x8b8d, 0x8069, 0x8ca6, 0x85b5];

const viewport = ({ gl, scratch }: GlContext): number[] => {
  gl.glGetIntegerv(0x0ba2, scratch.address);
  return Array.from(scratch.i32.subarray(0, 4));
};

/** The trust check's verdicts on a driver that draws with llvmpipe; one driver a process. */
export function testTrust(driver: DriverName, api: Api, threads: number | 'default'): void {
  test(`${driver} ${api}, ${threads} threads: queries are refused, finish is trusted, nothing is left behind`, async () => {
    setSoftwareThreads(threads);
    const context = await openContext(driver, { api });
    assert.match(context.renderer, /llvmpipe/, 'this test knows llvmpipe only');
    assert.equal(llvmpipeThreads().length, softwareThreads(context));
    const viewportBefore = viewport(context);
    const trust = checkTrust(context);
    const verdicts = Object.fromEntries(trust.methods.map((method) => [method.method, method]));
    for (const name of ['elapsed', 'timestamp']) {
      const { available, trusted, bits, reason, rungs } = verdicts[name];
      assert.deepEqual([name, available, trusted, bits], [name, true, false, 64]);
      assert.match(reason, /^reads \d+(\.\d)?% of the host clock.*llvmpipe bins the query/);
      assert.equal(rungs.length, 3);
    }
    const { finish } = verdicts;
    assert.equal(finish.trusted, true, finish.reason);
    assert.ok(finish.ratio !== null && finish.ratio > 0.9 && finish.ratio < 1.1, `${finish.ratio}`);
    assert.ok(finish.floorNs !== null && finish.floorNs > 0, `${finish.floorNs}`);
    assert.equal(finish.bits, null);
    for (const binding of bindings) assert.equal(context.integer(binding), 0, binding.toString(16));
    assert.deepEqual(viewport(context), viewportBefore);
    assert.equal(context.gl.glGetError(), 0);

    const auto = chooseTimer(context, 'auto');
    assert.equal(auto.method.name, 'finish');
    assert.match(auto.why, /elapsed reads .* of the host clock/);
    assert.deepEqual(auto.warnings, []);
    const forced = chooseTimer(context, 'elapsed');
    assert.equal(forced.method.name, 'elapsed');
    assert.equal(forced.warnings[0].code, 'untrusted-timer');
    assert.deepEqual(
      forced.trust.methods.map(({ method, trusted }) => [method, trusted]),
      [
        ['elapsed', false],
        ['timestamp', false],
      ],
    );
    assert.equal(context.gl.glGetError(), 0);
    context.destroy();
  });
}
