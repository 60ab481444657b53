/** Files that a path or a glob of a configuration means. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathGlob } from '../../analysis/gate/path-glob.ts';

export const isGlob = (text: string): boolean => /[*?]/.test(text);

/** Files below a folder, from it, in order of their names. */
function filesBelow(folder: string, prefix = ''): string[] {
  const entries = readdirSync(join(folder, prefix), { withFileTypes: true });
  return entries
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
      if (!entry.isDirectory()) return [path];
      return entry.name === 'node_modules' || entry.name.startsWith('.') ? [] : filesBelow(folder, path);
    });
}

/** Paths from the configuration's folder, unless written as absolute; empty when there is none. */
export function captureFiles(folder: string, written: string): string[] {
  const here = (path: string) => (path.startsWith('/') ? path : join(folder, path));
  if (!isGlob(written) || existsSync(here(written))) return existsSync(here(written)) ? [written] : [];
  const parts = written.split('/');
  const fixed = parts.findIndex(isGlob);
  const base = parts.slice(0, fixed).join('/');
  const root = here(base === '' && !written.startsWith('/') ? '.' : `${base}/`);
  if (!existsSync(root)) return [];
  const matches = pathGlob(parts.slice(fixed).join('/'));
  const prefix = fixed === 0 ? '' : `${base}/`;
  return filesBelow(root)
    .filter(matches)
    .map((path) => prefix + path);
}
