import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type GatePlan, pathOf } from './read-config.ts';

/** The folder and those that it is in, from the inside. */
function foldersAround(folder: string): string[] {
  const around = [folder];
  for (let next = dirname(folder); next !== around[around.length - 1]; next = dirname(next)) around.push(next);
  return around;
}

/**
 * The root of the repository that a folder is in: the working folder where it is in none. On GitHub a checkout lies in
 * GITHUB_WORKSPACE, or is that itself, and a submodule's paths are those of its parent.
 */
function repositoryRoot(folder: string): string {
  const around = foldersAround(folder);
  const isRoot = (each: string) => existsSync(join(each, '.git'));
  const workspace = around.indexOf(resolve(process.env.GITHUB_WORKSPACE ?? ''));
  if (!process.env.GITHUB_WORKSPACE || workspace < 0) return around.find(isRoot) ?? resolve('');
  return around.slice(0, workspace + 1).findLast(isRoot) ?? around[workspace];
}

/** A file of the configuration as annotations name it: from the repository's root, whatever the working folder. */
export const fileInRepository = (plan: GatePlan, file: string): string =>
  relative(repositoryRoot(plan.folder), pathOf(plan, file));
