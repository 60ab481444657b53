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

/** Whether C programs compile here: the compiler is there, and the C library's headers. */
export function compilesC() {
  const compiler = process.env.CC ?? 'cc';
  const input = '#include <stdlib.h>\n';
  return (
    spawnSync(compiler, ['-fsyntax-only', '-xc', '-'], { input, stdio: ['pipe', 'ignore', 'ignore'] }).status === 0
  );
}

/**
 * Runs a program whose output goes to stderr, or with `quiet` only when it fails; true when it ended well.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean }} [options]
 */
export function runProgram(command, args, { quiet = false, ...options } = {}) {
  if (!quiet) return spawnSync(command, args, { ...options, stdio: ['ignore', 2, 2] }).status === 0;
  const result = spawnSync(command, args, { ...options, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (result.status !== 0) process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`);
  return result.status === 0;
}
