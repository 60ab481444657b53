import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hasCompiler, hasProgram, runProgram } from './programs.js';
import { SetupError, say } from './report.js';

/** @typedef {{ version?: string, integrity?: string, optional?: boolean }} LockEntry */

/** @param {string} path @returns {Record<string, LockEntry> | undefined} */
function readLock(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** Written when headless-gl's addon would not compile although a compiler was there, so that it is tried once only. */
const addonFailed = (/** @type {string} */ root) => join(root, 'node_modules', '.gl-did-not-compile');

/** Whether headless-gl is installed and its addon was built. @param {string} root */
export function hasHeadlessGl(root) {
  return existsSync(join(root, 'node_modules', 'gl', 'build', 'Release', 'webgl.node'));
}

/** Whether headless-gl's addon was compiled for another Node than this one. @param {string} root */
function addonIsForAnotherNode(root) {
  const path = join(root, 'node_modules', 'gl', 'build', 'config.gypi');
  if (!existsSync(path)) return false;
  const built = /"node_module_version": (\d+)/.exec(readFileSync(path, 'utf8'));
  return built !== null && built[1] !== process.versions.modules;
}

/**
 * Why npm has to run, or undefined when what is installed is what package-lock.json asks for. Optional packages may be
 * absent: most belong to other platforms.
 * @param {string} root
 */
function whyInstall(root) {
  const wanted = readLock(join(root, 'package-lock.json'));
  const installed = readLock(join(root, 'node_modules', '.package-lock.json'));
  if (!wanted) throw new SetupError('package-lock.json is missing or damaged', { exitCode: 1 });
  if (!installed) return 'npm packages are not installed';
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '') continue;
    const have = installed[path];
    if (!have && entry.optional) continue;
    if (have?.version !== entry.version || have?.integrity !== entry.integrity || !existsSync(join(root, path)))
      return `${path.replace(/^.*node_modules\//, '')} ${entry.version} is not installed`;
  }
  return undefined;
}

/** Node's headers beside this Node, when it has them, keep node-gyp from downloading them. */
function installEnvironment() {
  const prefix = dirname(dirname(process.execPath));
  const hasHeaders = existsSync(join(prefix, 'include', 'node', 'node.h'));
  /** @type {NodeJS.ProcessEnv} */
  const env = {
    ...process.env,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
  if (hasHeaders) env.npm_config_nodedir ??= prefix;
  // With headers and a compiler the addon is compiled from the package's own source; nothing else is downloaded.
  if (env.npm_config_nodedir && hasCompiler()) env.npm_config_build_from_source = 'gl';
  return env;
}

/**
 * Installs what package-lock.json asks for, when it is not there yet. Throws SetupError when npm fails; headless-gl is
 * optional, and when its addon does not compile everything else still works.
 * @param {string} root
 */
export function ensureNpmPackages(root) {
  let reason = whyInstall(root);
  if (!reason && !hasHeadlessGl(root) && hasCompiler() && !existsSync(addonFailed(root)))
    reason = 'headless-gl is not built';
  if (!reason && addonIsForAnotherNode(root)) reason = 'headless-gl is built for another Node';
  if (!reason) return;
  if (!hasProgram('npm')) throw new SetupError(`${reason}, and npm is not on the PATH`, { remedy: 'install npm' });
  say(`${reason}: npm ci (about a minute)`);
  // npm reads the dev setting from the environment too; the build needs TypeScript.
  const args = ['ci', '--include=dev', '--include=optional', '--loglevel=error'];
  if (!runProgram('npm', args, { cwd: root, env: installEnvironment() }))
    throw new SetupError('npm ci failed; its own message is above', { exitCode: 1 });
  if (!hasHeadlessGl(root)) {
    if (hasCompiler()) writeFileSync(addonFailed(root), '');
    say(
      `headless-gl did not compile, so only the egl driver is available${hasCompiler() ? '' : '; it needs python3, make and g++'}`,
    );
  }
}
