import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { GpuprofError } from '../../errors.ts';
import { browserNames, shellNames } from '../../gl/chromium-folder.ts';

const variables = ['GPUPROF_BROWSER', 'CHROME_PATH'];

/** Where installers put browsers without putting them on PATH. */
function usualPlaces(): string[] {
  const { env, platform } = process;
  if (platform === 'darwin')
    return ['/Applications', join(homedir(), 'Applications')].flatMap((folder) =>
      ['Google Chrome', 'Chromium'].map((name) => join(folder, `${name}.app`, 'Contents', 'MacOS', name)),
    );
  if (platform === 'win32')
    return [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].flatMap((folder) =>
      folder === undefined
        ? []
        : ['Google\\Chrome', 'Chromium'].map((name) => join(folder, name, 'Application', 'chrome.exe')),
    );
  const flatpak = ['/var/lib/flatpak', join(homedir(), '.local/share/flatpak')].flatMap((folder) =>
    ['org.chromium.Chromium', 'com.google.Chrome'].map((name) => join(folder, 'exports', 'bin', name)),
  );
  return ['/opt/google/chrome/chrome', '/usr/lib/chromium/chromium', '/snap/bin/chromium', ...flatpak];
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function installHint(): string {
  if (process.platform === 'darwin') return 'brew install --cask chromium, or name another with --browser';
  if (process.platform === 'win32') return 'winget install Google.Chrome, or name another with --browser';
  return 'apt-get install chromium, or name another with --browser';
}

/**
 * The browser to use: `path`, else what GPUPROF_BROWSER or CHROME_PATH names, else the first found on PATH or in the
 * usual places; one without windows unless it is to be seen. Throws GpuprofError `bad-usage` when the named one is no
 * program, `missing-feature` when there is none.
 */
export function findBrowser(path?: string, headed = false): string {
  const named = [['--browser', path], ...variables.map((name) => [name, process.env[name]])] as const;
  for (const [what, program] of named) {
    if (!program) continue;
    if (isProgram(program)) return program;
    throw new GpuprofError('bad-usage', `${what} names ${program}, which is no program`);
  }
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const ending = process.platform === 'win32' ? '.exe' : '';
  const wanted = headed ? browserNames : [...shellNames, ...browserNames];
  const onPath = wanted.flatMap((name) => folders.map((folder) => join(folder, name + ending)));
  const found = [...onPath, ...usualPlaces()].find(isProgram);
  if (found !== undefined) return found;
  throw new GpuprofError(
    'missing-feature',
    `recording a page needs Chromium or Chrome, and none was found: not on PATH as ${wanted.join(', ')}, nor at ${usualPlaces().join(', ')}`,
    { hint: installHint() },
  );
}
