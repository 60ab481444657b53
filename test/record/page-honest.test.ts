import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chromium } from 'playwright-core';
import { findBrowser } from '../../src/record/page/find-browser.ts';
import { recordPage, serve } from './page-kit.ts';

/**
 * What a page can see of its own context, said as lines. It asks for everything that a recorder might change: values,
 * errors and when they come, lists, objects, and the functions themselves.
 */
const look = `
const said = [];
const say = (name, value) => said.push(name + ': ' + (typeof value === 'function' ? String(value) : JSON.stringify(value)));
const kind = (value) => value === null || typeof value !== 'object' ? String(value)
  : ArrayBuffer.isView(value) || Array.isArray(value) ? '[' + [...value] + ']' : Object.prototype.toString.call(value);
const attempt = (name, work) => {
  try { say(name, kind(work())); } catch (error) { say(name, error.name + ' ' + error.message); }
};
const describe = (name, owner, property) => {
  const found = Object.getOwnPropertyDescriptor(owner, property);
  say(name, [found.configurable, found.enumerable, found.writable, found.value.name, found.value.length, String(found.value),
    Object.getOwnPropertyNames(found.value), 'prototype' in found.value]);
};
const prototypes = [HTMLCanvasElement.prototype, OffscreenCanvas.prototype];
for (const prototype of prototypes) {
  describe('getContext', prototype, 'getContext');
  say('keys', Object.getOwnPropertyNames(prototype).sort());
}
for (const name of ['requestAnimationFrame', 'cancelAnimationFrame', 'Worker']) describe(name, globalThis, name);
describe('toString', Function.prototype, 'toString');
say('globals', Object.keys(globalThis).filter((name) => /gpuprof/i.test(name)).concat(Object.getOwnPropertyNames(globalThis).length - names0));
attempt('illegal', () => HTMLCanvasElement.prototype.getContext.call({}, 'webgl'));
attempt('new', () => new HTMLCanvasElement.prototype.getContext('webgl'));
attempt('nothing', () => document.createElement('canvas').getContext());
attempt('unknown', () => document.createElement('canvas').getContext('webgl7'));
const flat = document.createElement('canvas');
flat.getContext('2d');
attempt('another kind', () => flat.getContext('webgl'));
attempt('no context', () => new OffscreenCanvas(1, 1).transferToImageBitmap());

// The page's own wrapper, as frameworks and debuggers put on.
const original = HTMLCanvasElement.prototype.getContext;
let asked = 0;
HTMLCanvasElement.prototype.getContext = function (type, attributes) {
  asked++;
  return original.call(this, type, { ...attributes, stencil: true });
};
for (const type of ['webgl', 'webgl2']) {
  const canvas = document.createElement('canvas');
  const gl = canvas.getContext(type, { antialias: false });
  say('asked', asked);
  say('same', [gl === canvas.getContext(type), gl.canvas === canvas, gl instanceof (type === 'webgl' ? WebGLRenderingContext : WebGL2RenderingContext)]);
  say('attributes', gl.getContextAttributes());
  const all = [];
  for (const name in gl) all.push(name);
  say('all keys', all.sort());
  const supported = gl.getSupportedExtensions();
  say('extensions', supported);
  // What an extension brings is refused until the page asks for it.
  const parameters = [];
  const every = () => {
    for (const name in gl) if (/^[A-Z0-9_]+$/.test(name) && typeof gl[name] === 'number') parameters.push(name + ' ' + kind(gl.getParameter(gl[name])));
    parameters.push(gl.getParameter(0x9246), gl.getParameter(0x84ff), gl.getParameter(0x8824));
    const errors = [];
    for (let error = gl.getError(); error !== 0; error = gl.getError()) errors.push(error);
    parameters.push('errors ' + errors);
  };
  every();
  for (const name of supported) {
    const extension = gl.getExtension(name);
    say(name, [kind(extension), extension === gl.getExtension(name.toLowerCase()), Object.keys(Object.getPrototypeOf(extension))]);
  }
  every();
  say('parameters', parameters);
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  say('binding', gl.getParameter(gl.ARRAY_BUFFER_BINDING) === buffer);
  gl.enable(1);
  gl.bindBuffer(gl.ARRAY_BUFFER, null);
  gl.bufferData(gl.ARRAY_BUFFER, 8, gl.STATIC_DRAW);
  say('errors', [gl.getError(), gl.getError(), gl.getError()]);
  attempt('too few', () => gl.bindBuffer(gl.ARRAY_BUFFER));
  attempt('wrong type', () => gl.bindBuffer(gl.ARRAY_BUFFER, {}));
  attempt('wrong source', () => gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, {}));
  attempt('illegal call', () => gl.clear.call({}, 1));
  attempt('undefined', () => gl.clear(gl.COLOR_BUFFER_BIT));
  const program = gl.createProgram();
  attempt('not linked', () => gl.getUniformLocation(program, 'x'));
  attempt('no attribute', () => gl.getAttribLocation(program, 'x'));
  attempt('lengths', () => ['texImage2D', 'uniform4fv', 'getError', 'drawArrays'].map((name) => gl[name].length + gl[name].name));
  gl.getError();
  gl.getError();
  contexts.push(gl);
}
`;

const html = `<!doctype html><canvas id="view" width="30" height="20"></canvas><script>
const names0 = Object.getOwnPropertyNames(globalThis).length;
const contexts = [];
${look}
const [gl] = contexts;
let n = 0;
const draw = () => {
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.enable(1);
  if (++n < 6) requestAnimationFrame(draw);
  // Errors of the frame that was recorded are still there, each once.
  else {
    say('errors of the frames', [gl.getError(), gl.getError()]);
    fetch('/said', { method: 'POST', body: said.join('\\n') }).then(() => requestAnimationFrame(() => gl.clear(gl.COLOR_BUFFER_BIT)));
  }
};
requestAnimationFrame(draw);
</script>`;

test('a page sees the same context, functions, values and errors with the recorder as without', async (t) => {
  const reports: string[] = [];
  const told = new Promise<void>((resolve) => {
    reports.push = (...items: string[]) => {
      resolve();
      return Array.prototype.push.apply(reports, items);
    };
  });
  const origin = await serve(t, (path, body) => {
    if (path === '/said') reports.push(body);
    return { body: path === '/' ? html : '' };
  });
  const args = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'];
  const browser = await chromium.launch({ executablePath: findBrowser(), args });
  t.after(() => browser.close());
  const plain = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await plain.goto(`${origin}/`);
  await told;
  // The last frame comes after the report, so that the report has a recorded frame behind it.
  const { code, stderr } = await recordPage(t, `${origin}/`, ['--frame', '4', '--frames', '3']);
  assert.equal(code, 0, stderr);
  const [without, within] = reports.map((report) => report.split('\n'));
  assert.ok(without.length > 100, String(without.length));
  assert.deepEqual(within, without);
});
