import { constants as c } from '../../gl/webgl2/constants.ts';
import type { ProgramShadow } from '../observe/shadows.ts';
import { activeInfos, type WebGl } from '../webgl.ts';

/** Names of active uniforms as GL lists them, for each link of a program. */
const activeNames = new WeakMap<object, ReadonlySet<string>>();

function namesOf(gl: WebGl, program: ProgramShadow): ReadonlySet<string> {
  const link = program.linked;
  const known = link && activeNames.get(link);
  if (known) return known;
  const infos = activeInfos(gl, program.handle, c.ACTIVE_UNIFORMS, 'getActiveUniform');
  const names = new Set(infos.map(({ name }) => name));
  if (link) activeNames.set(link, names);
  return names;
}

/**
 * The name under which every driver knows a uniform: Mesa also takes `scale[0]` for a `scale` that is no array, others
 * do not. Arrays are `name[0]`, their elements `name[3]`.
 */
export function uniformName(gl: WebGl, program: ProgramShadow, asked: string): string {
  const names = namesOf(gl, program);
  if (names.has(asked)) return asked;
  if (names.has(`${asked}[0]`)) return `${asked}[0]`;
  const base = asked.replace(/\[0\]$/, '');
  return names.has(base) ? base : asked;
}
