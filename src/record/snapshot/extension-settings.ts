import { constants as c } from '../../gl/webgl2/constants.ts';
import type { CallList } from '../encode/call-list.ts';
import type { Target } from '../read-back/gl-guard.ts';

interface ExtensionSetting {
  /** Lower-case name. */
  readonly extension: string;
  /** The extension's method, and the GL command. */
  readonly method: string;
  readonly command: string;
  readonly head?: readonly number[];
  readonly reads: readonly number[];
  readonly usual: readonly number[];
}

const POLYGON_OFFSET_CLAMP = 0x8e1b;
const CLIP_ORIGIN = 0x935c;
const CLIP_DEPTH_MODE = 0x935d;
const LOWER_LEFT = 0x8ca1;
const NEGATIVE_ONE_TO_ONE = 0x935e;
const PROVOKING_VERTEX = 0x8e4f;
const LAST_VERTEX_CONVENTION = 0x8e4e;
const POLYGON_MODE = 0x0b40;
const FILL = 0x1b02;
const DEPTH_CLAMP = 0x864f;
const POLYGON_OFFSET_LINE = 0x2a02;
const CLIP_DISTANCE0 = 0x3000;

const settings: readonly ExtensionSetting[] = [
  {
    extension: 'ext_polygon_offset_clamp',
    method: 'polygonOffsetClampEXT',
    command: 'glPolygonOffsetClamp',
    reads: [c.POLYGON_OFFSET_FACTOR, c.POLYGON_OFFSET_UNITS, POLYGON_OFFSET_CLAMP],
    usual: [0],
  },
  {
    extension: 'ext_clip_control',
    method: 'clipControlEXT',
    command: 'glClipControl',
    reads: [CLIP_ORIGIN, CLIP_DEPTH_MODE],
    usual: [LOWER_LEFT, NEGATIVE_ONE_TO_ONE],
  },
  {
    extension: 'webgl_provoking_vertex',
    method: 'provokingVertexWEBGL',
    command: 'glProvokingVertex',
    reads: [PROVOKING_VERTEX],
    usual: [LAST_VERTEX_CONVENTION],
  },
  {
    extension: 'webgl_polygon_mode',
    method: 'polygonModeWEBGL',
    command: 'glPolygonMode',
    head: [c.FRONT_AND_BACK],
    reads: [POLYGON_MODE],
    usual: [FILL],
  },
];

const capabilities: readonly (readonly [extension: string, capability: number])[] = [
  ['ext_depth_clamp', DEPTH_CLAMP],
  ['webgl_polygon_mode', POLYGON_OFFSET_LINE],
  ...[0, 1, 2, 3, 4, 5, 6, 7].map((plane) => ['webgl_clip_cull_distance', CLIP_DISTANCE0 + plane] as const),
];

/** The settings of extensions the program has asked for that are not as GL begins, with their commands' arguments. */
function changed({ gl, extensions }: Target) {
  return settings.flatMap((setting) => {
    const { extension, head = [], reads, usual } = setting;
    if (!extensions.has(extension)) return [];
    const values = reads.map((name) => Number(gl.getParameter(name)));
    // The last values are the extension's own.
    const shared = values.slice(0, values.length - usual.length);
    const own = values.slice(shared.length);
    if (own.every((value, index) => value === usual[index])) return [];
    return [{ ...setting, args: [...head, ...values], usualArgs: [...head, ...shared, ...usual] }];
  });
}

const enabled = ({ gl, extensions }: Target): number[] =>
  capabilities.flatMap(([extension, cap]) => (extensions.has(extension) && gl.isEnabled(cap) ? [cap] : []));

/** Writes the state of extensions, as addSettings of state-settings.ts does that of core WebGL. */
export function addExtensionSettings(target: Target, calls: CallList): void {
  for (const { command, args } of changed(target)) calls.add(command, args);
  for (const capability of enabled(target)) calls.add('glEnable', [capability]);
}

/** Sets the state of extensions as GL begins with it; returns how to put it back. */
export function guardExtensions(target: Target): () => void {
  const { gl, extensions } = target;
  const settings = changed(target);
  const on = enabled(target);
  for (const { extension, method, usualArgs } of settings) extensions.get(extension)?.[method](...usualArgs);
  for (const capability of on) gl.disable(capability);
  return () => {
    for (const { extension, method, args } of settings) extensions.get(extension)?.[method](...args);
    for (const capability of on) gl.enable(capability);
  };
}
