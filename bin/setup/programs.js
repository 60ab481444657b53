import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether a program is on the PATH. @param {string} name */
export function hasProgram(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder || '.', name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** What node-gyp needs to compile headless-gl's addon. */
export function hasCompiler() {
  return hasProgram('make') && hasProgram('python3') && (hasProgram('g++') || hasProgram('clang++'));
}

/**
 * Runs a program whose output goes to stderr; true when it ended well.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 */
export function runProgram(command, args, options = {}) {
  const { status } = spawnSync(command, args, { ...options, stdio: ['ignore', 2, 2] });
  return status === 0;
}
