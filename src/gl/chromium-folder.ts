import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { GpuprofError } from '../errors.ts';

/** Programs that are Chromium or Chrome, by name. */
export const browserNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
/** The browser without its windows: starts three times as fast. */
export const shellNames = ['chromium-headless-shell', 'chrome-headless-shell', 'headless_shell'];
export const swiftShaderLibrary = 'libvk_swiftshader.so';

const hasSwiftShader = (folder: string): boolean => existsSync(join(folder, swiftShaderLibrary));

/** Where a browser's libraries may lie: beside the program, or where distributions keep them for their start script. */
function foldersOf(program: string): string[] {
  const folder = dirname(program);
  const name = basename(program);
  const apart = [name, name.replace(/-headless-shell$/, '')].flatMap((product) =>
    ['lib', 'lib64'].map((lib) => join(dirname(folder), lib, product)),
  );
  return [dirname(realpathSync(program)), folder, ...apart];
}

/**
 * The folder that has an installed Chromium's SwiftShader. `browser` is the program or its folder; without it what
 * GPUPROF_BROWSER or CHROME_PATH names is taken, as for recording, else the first on PATH. Throws GpuprofError
 * `bad-usage` when that is none, `gl-unavailable` when no browser is found.
 */
export function chromiumFolder(browser?: string): string {
  const named = browser || process.env.GPUPROF_BROWSER || process.env.CHROME_PATH;
  if (named) {
    if (!existsSync(named)) throw new GpuprofError('bad-usage', `there is no browser at ${named}`);
    const folder = (statSync(named).isDirectory() ? [named] : foldersOf(named)).find(hasSwiftShader);
    if (folder !== undefined) return realpathSync(folder);
    throw new GpuprofError('bad-usage', `${named} comes without SwiftShader (${swiftShaderLibrary})`, {
      hint: 'name the browser program of a Chromium or Chrome for Linux, or the folder that has the library',
    });
  }
  const onPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const program of [...browserNames, ...shellNames])
    for (const path of onPath.map((folder) => join(folder, program)).filter((path) => existsSync(path))) {
      const folder = foldersOf(path).find(hasSwiftShader);
      if (folder !== undefined) return folder;
    }
  throw new GpuprofError(
    'gl-unavailable',
    'the swiftshader driver needs a Chromium or Chrome with its SwiftShader, and none is on PATH',
    { hint: 'apt-get install chromium-headless-shell, or name another with --browser' },
  );
}
