#!/usr/bin/env node
/**
 * Makes a checkout ready: npm packages, GL libraries, dist/. Does nothing, quickly, when all is there.
 *   node bin/bootstrap.js build   what compiling needs
 *   node bin/bootstrap.js demo    and the libraries of the egl driver
 *   node bin/bootstrap.js test    and those of headless-gl, a browser, and a C compiler
 *   node bin/bootstrap.js pack    like build, from nothing
 * Plain JavaScript without packages, since none are installed when it starts. Exits 3 when this machine lacks something
 * that it cannot install itself, 1 when npm or the compiler fails.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { browserNeed } from './setup/browser.js';
import { ensureBuild } from './setup/build.js';
import { glNeeds } from './setup/gl-libraries.js';
import { ensureNpmPackages, hasHeadlessGl } from './setup/npm-packages.js';
import { compilesC, hasCompiler } from './setup/programs.js';
import { SetupError, say } from './setup/report.js';
import { ensureSystemPackages } from './setup/system-packages.js';

/** @typedef {import('./setup/gl-libraries.js').Need} Need */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** An installed package has neither a lock file nor sources to build. */
const isCheckout = existsSync(join(root, 'package-lock.json')) && existsSync(join(root, 'tsconfig.json'));

/** @type {Record<string, readonly Need['use'][]>} */
const required = { build: [], pack: [], demo: ['egl'], test: ['egl', 'headless-gl', 'page', 'double'] };

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    throw new SetupError(`gpuprof needs Node.js 20.19 or newer, and this is ${process.versions.node}`);
}

/** @param {string} purpose */
function bootstrap(purpose) {
  const uses = required[purpose];
  if (!uses)
    throw new SetupError(`unknown purpose "${purpose}"; known: ${Object.keys(required).join(' ')}`, { exitCode: 2 });
  checkNode();
  if (uses.length > 0) {
    const needs = glNeeds();
    if (isCheckout && !hasHeadlessGl(root))
      needs.push({
        what: 'python3, make and a C++ compiler',
        packages: ['python3', 'make', 'g++'],
        use: 'headless-gl',
        found: hasCompiler(),
      });
    if (uses.includes('page')) needs.push(browserNeed());
    if (uses.includes('double'))
      needs.push({ what: 'a C compiler', packages: ['gcc', 'libc6-dev'], use: 'double', found: compilesC() });
    ensureSystemPackages(needs, new Set(uses));
  }
  if (!isCheckout) return;
  ensureNpmPackages(root);
  ensureBuild(root, { clean: purpose === 'pack' });
}

try {
  bootstrap(process.argv[2] ?? 'build');
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  say(error.message);
  if (error.remedy) say(`remedy: ${error.remedy}`);
  process.exitCode = error.exitCode;
}
