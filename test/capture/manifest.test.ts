import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseManifest } from '../../src/capture/manifest.ts';
import { upgradeManifest } from '../../src/capture/upgrade.ts';
import { signatureOf } from '../../src/gl/command-table.ts';
import { head } from './sample.ts';

const good = {
  format: 'gpuprof-capture',
  version: 1,
  ...head,
  setup: { calls: 3 },
  frames: [{ calls: 1 }],
  signatures: [signatureOf('glBindTexture'), signatureOf('glCreateShader')],
  locations: [[1, 'uColor']],
  resources: [{ sha256: 'a'.repeat(64), sizeBytes: 10 }],
  objects: { texture: 4, program: 1 },
  hasReference: false,
};

/** The good manifest with the field at a dotted path replaced; undefined removes it. */
function changed(path: string, value: unknown): unknown {
  const copy = structuredClone(good) as unknown as Record<string, unknown>;
  const names = path.split('.');
  const last = names.pop() as string;
  let object = copy;
  for (const name of names) object = object[name] as Record<string, unknown>;
  if (value === undefined) delete object[last];
  else object[last] = value;
  return copy;
}

test('a good manifest is returned as it is', () => {
  assert.deepEqual(parseManifest(structuredClone(good)), good);
  assert.equal(parseManifest(changed('profile', 'core')).profile, 'core');
  assert.deepEqual(parseManifest(changed('notes', ['left out'])).notes, ['left out']);
});

const cases: readonly (readonly [path: string, value: unknown, message: string])[] = [
  ['api', 'vulkan', 'api must be one of webgl1, webgl2, gles, gl, got "vulkan"'],
  ['api', undefined, 'api is missing'],
  ['more', 1, 'more is not a field of this version'],
  ['apiVersion', [3], 'apiVersion.length must be 2 to 2, got 1'],
  ['apiVersion', [3, '0'], 'apiVersion[1] must be 0 to 99, got "0"'],
  ['profile', 'es', 'profile must be one of core, compatibility, got "es"'],
  ['origin.driver', 3, 'origin.driver must be text, got 3'],
  ['origin.vendor', 'v'.repeat(1001), `origin.vendor must be at most 1000 characters long, got "${'v'.repeat(56)}...`],
  ['canvas', null, 'canvas must be an object, got null'],
  ['canvas.width', -3, 'canvas.width must be 1 to 16384, got -3'],
  ['canvas.height', 16385, 'canvas.height must be 1 to 16384, got 16385'],
  ['canvas.height', 1.5, 'canvas.height must be 1 to 16384, got 1.5'],
  ['canvas.alpha', 'yes', 'canvas.alpha must be true or false, got "yes"'],
  ['canvas.samples', undefined, 'canvas.samples is missing'],
  ['canvas.depthBits', 24, 'canvas.depthBits is not a field of this version'],
  ['requires.extensions', {}, 'requires.extensions must be a list, got {}'],
  ['requires.extensions', ['GL A'], 'requires.extensions[0] must be an extension name, got "GL A"'],
  ['requires.extensions', ['GL_A', 'GL_A'], 'requires.extensions[1] repeats an earlier item'],
  ['requires.limits', { a: 1 }, 'requires.limits must be a GL limit (GL_MAX_...), got "a"'],
  ['requires.limits', { GL_MAX_X: '1' }, 'requires.limits.GL_MAX_X must be a number, got "1"'],
  ['setup.calls', -1, 'setup.calls must be 0 to 100000000, got -1'],
  ['frames', [], 'frames.length must be 1 to 100000, got 0'],
  ['frames', [{ calls: 1, x: 1 }], 'frames[0].x is not a field of this version'],
  ['signatures.0.name', 'system', 'signatures[0].name must be a GL command name, got "system"'],
  ['signatures.1', good.signatures[0], 'signatures[1] repeats an earlier item'],
  [
    'signatures.0.params.0.type',
    'struct',
    'signatures[0].params[0].type must be one of bool, i32, u32, f32, f64, i64, u64, enum, bitfield, object, objects, location, data, string, strings, out, pointer, got "struct"',
  ],
  [
    'signatures.0.params.1.objectClass',
    undefined,
    'signatures[0].params[1].objectClass must be one of assemblyProgram, buffer, displayList, framebuffer, program, programPipeline, query, renderbuffer, sampler, shader, sync, texture, transformFeedback, vertexArray, got nothing',
  ],
  [
    'signatures.0.params.0.objectClass',
    'texture',
    'signatures[0].params[0].objectClass must be left out: it is only for objects, got "texture"',
  ],
  ['signatures.0.params.1.name', 'target', 'signatures[0].params[1] repeats an earlier item'],
  ['signatures.0.params', new Array(65).fill({}), 'signatures[0].params has 65 items; at most 64'],
  ['signatures.0.params.0.group', 'a b', 'signatures[0].params[0].group must be an enum group, got "a b"'],
  ['locations', [[2, 'a']], 'locations[0][0] must be 1 to 1, got 2'],
  ['locations', [[1]], 'locations[0][1] must be text, got nothing'],
  [
    'locations',
    [
      [1, 'a'],
      [1, 'a'],
    ],
    'locations[1] repeats an earlier item',
  ],
  ['resources.0.sha256', 'A'.repeat(64), `resources[0].sha256 must be a lower-case SHA-256, got "${'A'.repeat(56)}...`],
  ['resources.0.sizeBytes', 2 ** 32, 'resources[0].sizeBytes must be 0 to 2147483648, got 4294967296'],
  ['resources.1', good.resources[0], 'resources[1] repeats an earlier item'],
  ['objects.cat', 1, 'objects.cat is not a field of this version'],
  ['objects.texture', 2 ** 31, 'objects.texture must be 0 to 2147483647, got 2147483648'],
  ['notes', 'left out', 'notes must be a list, got "left out"'],
  ['notes', [3], 'notes[0] must be text, got 3'],
  ['notes', ['n'.repeat(1001)], `notes[0] must be at most 1000 characters long, got "${'n'.repeat(56)}...`],
  ['notes', new Array(1001).fill('n'), 'notes has 1001 items; at most 1000'],
  ['hasReference', 0, 'hasReference must be true or false, got 0'],
];

for (const [path, value, message] of cases)
  test(message, () => {
    assert.throws(() => parseManifest(changed(path, value)), { code: 'bad-capture', message });
  });

test('a name that JavaScript treats specially is just an unknown field', () => {
  const json = JSON.parse(`{"__proto__": {"api": "gl"}, ${JSON.stringify(good).slice(1)}`);
  assert.throws(() => parseManifest(json), { message: '__proto__ is not a field of this version' });
});

test('older versions go through every step', () => {
  const steps = {
    1: (manifest: object) => ({ ...manifest, first: true }),
    2: (manifest: object) => ({ ...manifest, second: true }),
  };
  assert.deepEqual(upgradeManifest({ format: 'gpuprof-capture', version: 1 }, steps, 3), {
    format: 'gpuprof-capture',
    version: 3,
    first: true,
    second: true,
  });
  assert.deepEqual(upgradeManifest({ format: 'gpuprof-capture', version: 3 }, steps, 3), {
    format: 'gpuprof-capture',
    version: 3,
  });
  assert.throws(() => upgradeManifest({ format: 'gpuprof-capture', version: 4 }, steps, 3), {
    code: 'unsupported-version',
    message: 'made by a newer gpuprof (capture version 4; this one reads up to 3)',
  });
});
