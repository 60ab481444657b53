import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../helpers/cli.ts';
import { tempFolder } from '../helpers/files.ts';
import { page, painter, recordPage, type Site, serve } from './page-kit.ts';

const loop = `${painter}
const gl = begin(document.querySelector('canvas'));
const draw = () => { paint(gl, 1); requestAnimationFrame(draw); };
requestAnimationFrame(draw);
`;

/** Pages that give no frame: the arguments, and the one line that is said. */
const cases: Readonly<Record<string, readonly [Site, readonly string[], RegExp]>> = {
  'throws before it draws': [
    page("console.error('first, ' + '\\u001b[31m' + 'é'.repeat(300)); throw new TypeError('no such shader');"),
    [],
    /^gpuprof: the page made no WebGL context; its own errors: "first, \S*31mé{80,}[^"]*", "TypeError: no such shader"\n$/,
  ],
  'makes a context and draws nothing': [
    page(`${painter} begin(document.querySelector('canvas')).enable(3042);`),
    ['--frame', '2'],
    /^gpuprof: the page made a WebGL context and drew nothing with it\n$/,
  ],
  'draws fewer frames': [
    page(
      `${painter} const gl = begin(document.querySelector('canvas')); paint(gl, 1); setTimeout(() => paint(gl, 2), 300);`,
    ),
    ['--frame', '7'],
    /^gpuprof: the page drew 2 frames, and frame 7 never came\n$/,
  ],
  'gets no WebGL from the browser': [
    page(`${painter} if (begin(document.querySelector('canvas')) === null) console.error('sorry');`),
    ['--browser-arg=--disable-3d-apis'],
    /^gpuprof: the page asked for WebGL and the browser gave none \(.+\); its own errors: "sorry"; without a GPU, pass --browser-arg=--use-angle=swiftshader --browser-arg=--enable-unsafe-swiftshader\n$/,
  ],
  'never makes the trigger true': [
    page(loop),
    ['--trigger', 'app.ready', '--timeout', '8'],
    /^gpuprof: gave up after 8 s: the page drew \d+ frames?, and one with the trigger true never came \(the trigger's last error: ReferenceError: app is not defined\)\n$/,
  ],
  'keeps itself busy': [
    page(`${loop} setTimeout(() => { for (;;); }, 0);`),
    ['--frame', '1000000', '--timeout', '8'],
    /^gpuprof: gave up after 8 s: the page is too busy to answer\n$/,
  ],
  'goes elsewhere in the middle': [
    page(`${loop} setTimeout(() => { alert('stop'); confirm('go?'); location.href = 'about:blank'; }, 1500);`),
    ['--frame', '1', '--frames', '1000'],
    /^gpuprof: the window or worker that was being recorded went away: the page went elsewhere or closed it\n$/,
  ],
  'loses its context for good': [
    page(`${painter} const gl = begin(document.querySelector('canvas')); paint(gl, 1);
      setTimeout(() => gl.getExtension('WEBGL_lose_context').loseContext(), 300);`),
    ['--frame', '9'],
    /^gpuprof: the page lost its WebGL context after 1 frame and did not get it back\n$/,
  ],
};

for (const [name, [site, args, line]] of Object.entries(cases))
  test(`a page that ${name}`, async (t) => {
    const { code, stderr, left } = await recordPage(t, site, args);
    assert.match(stderr, line);
    assert.deepEqual([code, left], [2, []]);
  });

test('pages that do not load', async (t) => {
  const origin = await serve(t, () => ({ status: 503, body: 'later' }));
  const port = /:(\d+)$/.exec(origin)?.[1];
  const problems: readonly (readonly [string, string])[] = [
    [`${origin}/x`, `${origin}/x does not load: the server answers 503`],
    ['http://127.0.0.1:1/', 'http://127.0.0.1:1/ does not load: browsers refuse that port (net::ERR_UNSAFE_PORT)'],
    [
      'http://gpuprof.invalid/',
      'http://gpuprof.invalid/ does not load: its host is not known (net::ERR_NAME_NOT_RESOLVED)',
    ],
    [join('absent', 'page.html'), `${join('absent', 'page.html')} does not exist`],
    [projectRoot, `${projectRoot} is no file; name an HTML file or a URL`],
  ];
  assert.ok(port);
  for (const [target, line] of problems) {
    const { code, stderr, left } = await recordPage(t, target);
    assert.equal(stderr, `gpuprof: ${line}\n`);
    assert.deepEqual([code, left], [2, []]);
  }
});

test('usage: expressions, browsers and choices that make no sense', async (t) => {
  const site = page('');
  const trigger = await recordPage(t, site, ['--trigger', 'a ; b']);
  assert.equal(trigger.code, 2);
  assert.match(
    trigger.stderr,
    /--trigger.*It must be a JavaScript expression \(.*\); see gpuprof record page --help\n$/,
  );
  const both = await recordPage(t, site, ['--trigger', 'a', '--frame', '2']);
  assert.deepEqual([both.code, /cannot be used with/.test(both.stderr)], [2, true]);
  const selector = await recordPage(t, site, ['--canvas', 'a[']);
  assert.equal(selector.code, 2);
  assert.match(selector.stderr, /^gpuprof: --canvas "a\[" is no CSS selector\n$/);
  const named = await recordPage(t, site, ['--browser', 'absent-browser']);
  assert.equal(named.stderr, 'gpuprof: --browser names absent-browser, which is no program\n');
  const env = {
    PATH: await tempFolder(t),
    HOME: await tempFolder(t),
    GPUPROF_BROWSER: undefined,
    CHROME_PATH: undefined,
  };
  const odd = await recordPage(t, site, [], { env: { ...env, CHROME_PATH: process.execPath } });
  assert.equal(odd.code, 3);
  assert.match(odd.stderr, /^gpuprof: \S+ does not start: .*; name another Chromium or Chrome with --browser\n$/);
});
