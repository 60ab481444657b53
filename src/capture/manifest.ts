import { GpuprofError } from '../errors.ts';
import type { Canvas, Manifest, Origin, ResourceInfo } from '../model/capture.ts';
import { memoryHint } from '../model/memory-limit.ts';
import {
  type ElementType,
  type ObjectClass,
  objectClasses,
  type Param,
  type ParamType,
  type Result,
  type Signature,
} from '../model/signature.ts';
import { boolean, fail, fields, integer, list, number, oneOf, text, unique } from './fields.ts';
import { type CaptureLimits, defaultLimits } from './limits.ts';
import { upgradeManifest } from './upgrade.ts';

const apis = ['webgl1', 'webgl2', 'gles', 'gl'] as const;

const paramTypes: readonly ParamType[] = [
  'bool',
  'i32',
  'u32',
  'f32',
  'f64',
  'i64',
  'u64',
  'enum',
  'bitfield',
  'object',
  'objects',
  'location',
  'data',
  'string',
  'strings',
  'out',
  'pointer',
];
const elementTypes: readonly ElementType[] = [
  'i8',
  'u8',
  'i16',
  'u16',
  'i32',
  'u32',
  'f32',
  'f64',
  'i64',
  'u64',
  'enum',
  'pointer',
];
const resultTypes: readonly Result['type'][] = [
  'void',
  'bool',
  'i32',
  'u32',
  'enum',
  'object',
  'string',
  'pointer',
  'f32',
  'i64',
  'u64',
];

const maxObjectId = 0x7fffffff;
const maxCalls = 100_000_000;
const maxNotes = 1000;
const word = /^[A-Za-z_][A-Za-z0-9_]*$/;

function canvas(value: unknown): Canvas {
  const { width, height, alpha, depth, stencil, samples, preserved } = fields(value, 'canvas', [
    'width',
    'height',
    'alpha',
    'depth',
    'stencil',
    'samples',
    'preserved',
  ]);
  return {
    width: integer(width, 'canvas.width', 1, 16384),
    height: integer(height, 'canvas.height', 1, 16384),
    alpha: boolean(alpha, 'canvas.alpha'),
    depth: boolean(depth, 'canvas.depth'),
    stencil: boolean(stencil, 'canvas.stencil'),
    samples: integer(samples, 'canvas.samples', 0, 64),
    preserved: boolean(preserved, 'canvas.preserved'),
  };
}

function origin(value: unknown): Origin {
  const { producer, driver, vendor, renderer, version } = fields(value, 'origin', [
    'producer',
    'driver',
    'vendor',
    'renderer',
    'version',
  ]);
  return {
    producer: text(producer, 'origin.producer', 1000),
    driver: text(driver, 'origin.driver', 1000),
    vendor: text(vendor, 'origin.vendor', 1000),
    renderer: text(renderer, 'origin.renderer', 1000),
    version: text(version, 'origin.version', 1000),
  };
}

function requires(value: unknown): Manifest['requires'] {
  const { extensions, limits } = fields(value, 'requires', ['extensions', 'limits']);
  const names = list(extensions, 'requires.extensions', 1000, (name, path) =>
    text(name, path, 200, word, 'an extension name'),
  );
  const entries = Object.entries(fields(limits, 'requires.limits', [], Object.keys((limits ?? {}) as object)));
  list(entries, 'requires.limits', 1000, (entry) => entry);
  return {
    extensions: unique(names, 'requires.extensions', (name) => name),
    limits: Object.fromEntries(
      entries.map(([name, least]) => [
        text(name, 'requires.limits', 200, /^GL_[A-Z0-9_]+$/, 'a GL limit (GL_MAX_...)'),
        number(least, `requires.limits.${name}`),
      ]),
    ),
  };
}

function objectClass(type: string, value: unknown, path: string): ObjectClass | undefined {
  const needed = type === 'object' || type === 'objects';
  if (!needed && value === undefined) return undefined;
  if (!needed) return fail(`${path}.objectClass`, 'left out: it is only for objects', value);
  return oneOf(value, `${path}.objectClass`, objectClasses);
}

function param(value: unknown, path: string): Param {
  const raw = fields(value, path, ['name', 'type'], ['objectClass', 'group', 'element']);
  const type = oneOf(raw.type, `${path}.type`, paramTypes);
  const inClass = objectClass(type, raw.objectClass, path);
  return {
    name: text(raw.name, `${path}.name`, 200, word, 'a parameter name'),
    type,
    ...(inClass && { objectClass: inClass }),
    ...(raw.group !== undefined && { group: text(raw.group, `${path}.group`, 200, word, 'an enum group') }),
    ...(raw.element !== undefined && { element: oneOf(raw.element, `${path}.element`, elementTypes) }),
  };
}

function signature(value: unknown, path: string): Signature {
  const raw = fields(value, path, ['name', 'result', 'params']);
  const result = fields(raw.result, `${path}.result`, ['type'], ['objectClass']);
  const type = oneOf(result.type, `${path}.result.type`, resultTypes);
  const inClass = objectClass(type, result.objectClass, `${path}.result`);
  return {
    name: text(raw.name, `${path}.name`, 200, /^(gl|gpuprof)[A-Z0-9][A-Za-z0-9_]*$/, 'a GL command name'),
    result: inClass ? { type, objectClass: inClass } : { type },
    params: unique(list(raw.params, `${path}.params`, 64, param), `${path}.params`, ({ name }) => name),
  };
}

function objects(value: unknown): Manifest['objects'] {
  const raw = fields(value, 'objects', [], objectClasses);
  return Object.fromEntries(
    Object.entries(raw).map(([name, highest]) => [name, integer(highest, `objects.${name}`, 0, maxObjectId)]),
  );
}

function resource(limits: CaptureLimits): (value: unknown, path: string) => ResourceInfo {
  return (value, path) => {
    const { sha256, sizeBytes } = fields(value, path, ['sha256', 'sizeBytes']);
    const size = integer(sizeBytes, `${path}.sizeBytes`, 0, Number.MAX_SAFE_INTEGER);
    if (size > limits.resourceBytes)
      throw new GpuprofError('bad-capture', `${path}.sizeBytes must be 0 to ${limits.resourceBytes}, got ${size}`, {
        hint: memoryHint,
      });
    return {
      sha256: text(sha256, `${path}.sha256`, 64, /^[0-9a-f]{64}$/, 'a lower-case SHA-256'),
      sizeBytes: size,
    };
  };
}

const calls = (value: unknown, path: string): { calls: number } => ({
  calls: integer(fields(value, path, ['calls']).calls, `${path}.calls`, 0, maxCalls),
});

const note = (value: unknown, path: string): string => text(value, path, 1000);

/** Checks every field of a parsed capture.json, upgrading older versions first. Errors name the field. */
export function parseManifest(json: unknown, limits: CaptureLimits = defaultLimits): Manifest {
  const required = ['format', 'version', 'api', 'apiVersion', 'origin', 'canvas', 'requires', 'setup', 'frames'];
  required.push('signatures', 'locations', 'resources', 'objects', 'hasReference');
  const raw = fields(upgradeManifest(json), '', required, ['profile', 'notes']);
  const api = oneOf(raw.api, 'api', apis);
  const versions = list(raw.apiVersion, 'apiVersion', 2, (part, path) => integer(part, path, 0, 99));
  const frames = list(raw.frames, 'frames', 100_000, calls);
  integer(versions.length, 'apiVersion.length', 2, 2);
  integer(frames.length, 'frames.length', 1, 100_000);
  const highest = objects(raw.objects);
  const location = (value: unknown, path: string): readonly [number, string] => {
    const pair = list(value, path, 2, (part) => part);
    return [integer(pair[0], `${path}[0]`, 1, highest.program ?? 0), text(pair[1], `${path}[1]`, 4096)];
  };
  return {
    format: 'gpuprof-capture',
    version: raw.version as number,
    api,
    apiVersion: [versions[0], versions[1]],
    ...(raw.profile !== undefined && { profile: oneOf(raw.profile, 'profile', ['core', 'compatibility'] as const) }),
    origin: origin(raw.origin),
    canvas: canvas(raw.canvas),
    requires: requires(raw.requires),
    setup: calls(raw.setup, 'setup'),
    frames,
    signatures: unique(list(raw.signatures, 'signatures', 10_000, signature), 'signatures', ({ name }) => name),
    locations: unique(list(raw.locations, 'locations', 1_000_000, location), 'locations', (pair) => pair.join(' ')),
    resources: unique(
      list(raw.resources, 'resources', limits.entries, resource(limits)),
      'resources',
      ({ sha256 }) => sha256,
    ),
    objects: highest,
    hasReference: boolean(raw.hasReference, 'hasReference'),
    ...(raw.notes !== undefined && { notes: list(raw.notes, 'notes', maxNotes, note) }),
  };
}
