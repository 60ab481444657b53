import { hasProgram, runProgram } from './programs.js';
import { SetupError, say } from './report.js';

/** @typedef {import('./gl-libraries.js').Need} Need */

/** @param {readonly Need[]} needs */
function aptCommand(needs) {
  const packages = [...new Set(needs.flatMap((need) => need.packages))];
  return ['apt-get', 'install', '-y', '--no-install-recommends', ...packages];
}

/** The command that brings what is missing, or the list of it where there is no apt. @param {readonly Need[]} needs */
function remedy(needs) {
  return hasProgram('apt-get')
    ? `apt-get update && ${aptCommand(needs).join(' ')}`
    : `install with this system's package manager: ${needs.map((need) => need.what).join('; ')}`;
}

/**
 * Installs with apt what is missing, when this is root on a Debian system. Otherwise throws SetupError (exit 3) with the
 * exact command if something `required` is missing, and only mentions the rest.
 * @param {readonly Need[]} needs
 * @param {ReadonlySet<Need['use']>} required
 */
export function ensureSystemPackages(needs, required) {
  const missing = needs.filter((need) => !need.found);
  if (missing.length === 0) return;
  const names = missing.map((need) => need.what).join(', ');
  const blocking = missing.some((need) => required.has(need.use));
  if (process.getuid?.() === 0 && hasProgram('apt-get')) {
    const [command, ...args] = aptCommand(missing);
    say(`missing: ${names}; installing: ${args.slice(3).join(' ')}`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    runProgram('apt-get', ['update', '-qq'], { env, quiet: true });
    if (runProgram(command, ['-qq', ...args], { env, quiet: true })) return;
    if (blocking)
      throw new SetupError(`apt-get could not install what is missing: ${names}`, { remedy: remedy(missing) });
    say(`apt-get failed; going on without ${names}`);
    return;
  }
  if (blocking) throw new SetupError(`missing: ${names}`, { remedy: remedy(missing) });
  const uses = [...new Set(missing.map((need) => need.use))].filter((use) => use !== 'extra');
  if (uses.length > 0) say(`missing, for the headless-gl driver: ${names}; to have it: ${remedy(missing)}`);
}
