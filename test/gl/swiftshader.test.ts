/** The swiftshader driver on an installed Chromium's SwiftShader. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it, test } from 'node:test';
import { openContext } from '../../src/gl/open.ts';
import { setSoftwareThreads, softwareThreads } from '../../src/gl/software-threads.ts';
import type { Report } from '../../src/model/report.ts';
import { chromium, noChromium } from '../helpers/chromium.ts';
import { run } from '../helpers/cli.ts';
import { samplePath } from '../helpers/files.ts';

const scratch = mkdtempSync(join(tmpdir(), 'gpuprof-swift-test-'));
after(() => rmSync(scratch, { recursive: true }));

/** A folder with some of a browser's files. */
function folderWith(name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(scratch, name);
  mkdirSync(folder);
  for (const [file, target] of Object.entries(files)) symlinkSync(target, join(folder, file));
  return folder;
}

const replay = (browser: string | undefined, ...more: string[]) =>
  run(
    [
      ...['replay', samplePath('triangle'), '--driver', 'swiftshader', '--verify', '--no-timing'],
      ...(browser === undefined ? [] : ['--browser', browser]),
      ...more,
    ],
    { env: { TMPDIR: scratch } },
  );

describe('replay --driver swiftshader', { skip: noChromium }, () => {
  const temporary = () => readdirSync(scratch).filter((name) => name.startsWith('gpuprof-'));

  it('draws with the SwiftShader of the browser on PATH, and leaves no files behind', async () => {
    const { code, stderr } = await replay(undefined);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^gpuprof: verification passed: .*\n$/);
    assert.deepEqual(temporary(), []);
  });

  it('reports the renderer and its threads', async () => {
    const json = ['--driver', 'swiftshader', '--timer', 'finish', '--runs', '1', '--format', 'json'];
    const { code, stdout, stderr } = await run(['replay', samplePath('draws-2000'), ...json]);
    assert.equal(code, 0, stderr);
    const { driver, renderer, software, softwareThreads: threads } = (JSON.parse(stdout) as Report).environment;
    assert.match(renderer, /SwiftShader Device/);
    assert.deepEqual([driver, software, threads], ['swiftshader', true, 1]);
  });

  it("takes a browser's own ANGLE where it is a library, and its program for its folder", async () => {
    const angle = join(dirname(createRequire(import.meta.url).resolve('gl/package.json')), 'build', 'Release');
    const files = ['libvk_swiftshader.so', 'libvulkan.so.1'].map((name) => [name, join(chromium as string, name)]);
    const own = ['libEGL.so', 'libGLESv2.so'].map((name) => [name, join(angle, name)]);
    const folder = folderWith('own-angle', Object.fromEntries([...files, ...own]));
    writeFileSync(join(folder, 'chrome'), '');
    for (const browser of [folder, join(folder, 'chrome')]) {
      const { code, stderr } = await replay(browser);
      assert.equal(code, 0, stderr);
    }
  });

  it('says what is wrong with a browser whose libraries do not load', async () => {
    const library = join(scratch, 'junk');
    writeFileSync(library, 'no library');
    const folder = folderWith('broken', {
      'libvk_swiftshader.so': library,
      'libvulkan.so.1': library,
      'libEGL.so': library,
    });
    const { code, stderr } = await replay(folder);
    assert.equal(code, 3);
    const said = `the SwiftShader of ${folder} does not load: ANGLE does not start on it`;
    assert.equal(
      stderr.trim().split('\n').pop(),
      `gpuprof: ${said}; name another browser with --browser, or use --driver egl`,
    );
    assert.deepEqual(temporary(), []);
  });

  it('is listed by doctor', async () => {
    const { stdout } = await run(['doctor', '--format', 'json', '--browser', chromium as string]);
    const probe = JSON.parse(stdout).drivers.find(({ driver }: { driver: string }) => driver === 'swiftshader');
    assert.equal(probe.problem, null);
    assert.match(probe.environment.renderer, /SwiftShader Device/);
  });
});

describe('contexts of the swiftshader driver', { skip: noChromium }, () => {
  it('live beside those of other drivers, whichever came first', async () => {
    setSoftwareThreads(2);
    const first = await openContext('headless-gl', { api: 'es' });
    const second = await openContext('swiftshader', { api: 'es' });
    const third = await openContext('egl', { api: 'es' });
    assert.equal(softwareThreads(second), 2);
    const renderers = [first, second, third].map((context) => {
      context.makeCurrent();
      context.gl.glFinish();
      assert.equal(context.gl.glGetError(), 0);
      return /llvmpipe|SwiftShader/.exec(context.renderer)?.[0];
    });
    assert.deepEqual(renderers, ['llvmpipe', 'SwiftShader', 'llvmpipe']);
    for (const context of [first, second, third]) context.destroy();
  });

  it('are of one browser in a process, and of OpenGL ES', async () => {
    const other = folderWith('other', { 'libvk_swiftshader.so': join(chromium as string, 'libvk_swiftshader.so') });
    await assert.rejects(openContext('swiftshader', { api: 'es', browser: other }), {
      code: 'gl-unavailable',
      message: `this process already draws with the SwiftShader of ${chromium}`,
    });
    await assert.rejects(openContext('swiftshader', { api: 'gl' }), { code: 'gl-unavailable' });
  });
});

test('a browser that is none, or has no SwiftShader, is a usage error', async () => {
  const nowhere = join(scratch, 'nowhere');
  const missing = await replay(nowhere);
  assert.deepEqual([missing.code, missing.stderr], [2, `gpuprof: there is no browser at ${nowhere}\n`]);
  const empty = await replay(folderWith('empty', {}));
  assert.equal(empty.code, 2);
  assert.match(empty.stderr, /^gpuprof: \S+ comes without SwiftShader \(libvk_swiftshader\.so\); name the browser/);
  const idle = await run(['replay', samplePath('triangle'), '--driver', 'egl', '--browser', scratch]);
  assert.equal(idle.code, 2);
  assert.equal(idle.stderr, 'gpuprof: --browser is for --driver swiftshader; add --driver swiftshader\n');
});

test('without a browser it says how to install one', async () => {
  const { code, stderr } = await run(['replay', samplePath('triangle'), '--driver', 'swiftshader'], {
    env: { PATH: '/nonexistent' },
  });
  assert.equal(code, 3);
  assert.equal(
    stderr,
    'gpuprof: the swiftshader driver needs a Chromium or Chrome with its SwiftShader, and none is on PATH; ' +
      'apt-get install chromium-headless-shell, or name another with --browser\n',
  );
});
