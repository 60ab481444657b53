import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { hasProgram } from './programs.js';

/**
 * Something that gpuprof needs on this machine.
 * @typedef {object} Need
 * @property {string} what shown to people
 * @property {readonly string[]} packages Debian packages that bring it
 * @property {'egl' | 'headless-gl' | 'page' | 'double' | 'extra'} use what does not work without it; `double`: the tests'
 *   double of vendors' extensions; `extra`: nothing
 * @property {boolean} found
 */

/**
 * By this process's architecture: how `ldconfig -p` marks its libraries, and Debian's name for its library folder.
 * @type {Record<string, readonly [string, string]>}
 */
const architectures = {
  x64: ['x86-64', 'x86_64-linux-gnu'],
  arm64: ['AArch64', 'aarch64-linux-gnu'],
  arm: ['hard-float', 'arm-linux-gnueabihf'],
};
const [linkerMark, triplet] = architectures[process.arch] ?? ['', ''];

/** Paths of the shared libraries that the dynamic linker knows, without loading any of them. */
function linkerPaths() {
  for (const ldconfig of ['/sbin/ldconfig', '/usr/sbin/ldconfig', 'ldconfig']) {
    const { status, stdout } = spawnSync(ldconfig, ['-p'], { encoding: 'utf8' });
    if (status !== 0) continue;
    const lines = stdout.split('\n').filter((line) => line.includes(' => ') && line.includes(linkerMark));
    return lines.map((line) => line.slice(line.indexOf(' => ') + 4).trim());
  }
  return [];
}

const standardFolders = [
  `/usr/lib/${triplet}`,
  `/lib/${triplet}`,
  '/usr/lib64',
  '/lib64',
  '/usr/lib',
  '/usr/local/lib',
];

/** Finds shared libraries by file name: the linker's cache first, then the usual folders. */
function libraryFinder() {
  const paths = linkerPaths();
  const known = new Map(paths.map((path) => [basename(path), path]));
  const extra = (process.env.LD_LIBRARY_PATH ?? '').split(delimiter).filter(Boolean);
  const folders = [...extra, ...new Set(paths.map(dirname)), ...standardFolders];
  return {
    folders,
    /** @param {string} name */
    find: (name) => known.get(name) ?? folders.map((folder) => join(folder, name)).find((path) => existsSync(path)),
  };
}

/** @param {string} folder */
function list(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The EGL drivers that libglvnd would load: the libraries its vendor files name. Undefined: libEGL is not libglvnd's. */
function vendorLibraries() {
  const { __EGL_VENDOR_LIBRARY_FILENAMES: files, __EGL_VENDOR_LIBRARY_DIRS: dirs } = process.env;
  const folders = dirs ? dirs.split(delimiter) : ['/etc/glvnd/egl_vendor.d', '/usr/share/glvnd/egl_vendor.d'];
  const paths = files
    ? files.split(delimiter)
    : folders.flatMap((folder) =>
        list(folder)
          .filter((name) => name.endsWith('.json'))
          .map((name) => join(folder, name)),
      );
  if (paths.length === 0) return undefined;
  return paths.flatMap((path) => {
    try {
      return [String(JSON.parse(readFileSync(path, 'utf8')).ICD.library_path)];
    } catch {
      return [];
    }
  });
}

/** Mesa's drivers are `dri/*_dri.so`, one file for all from 24.2 on (`libgallium-*.so`). */
function hasMesaDriver(/** @type {readonly string[]} */ folders) {
  const dri = (process.env.LIBGL_DRIVERS_PATH ?? '').split(delimiter).filter(Boolean);
  return (
    [...dri, ...folders.map((folder) => join(folder, 'dri'))].some((folder) =>
      list(folder).some((name) => name.endsWith('_dri.so')),
    ) || folders.some((folder) => list(folder).some((name) => name.startsWith('libgallium-')))
  );
}

/** What the drivers need here, found or not. Looks at files only: no native code is loaded. @returns {Need[]} */
export function glNeeds() {
  const { find, folders } = libraryFinder();
  const vendors = vendorLibraries();
  const hasVendor =
    find('libEGL.so.1') !== undefined &&
    (vendors === undefined
      ? !find('libGLdispatch.so.0') || hasMesaDriver(folders)
      : vendors.some(
          (vendor) =>
            (existsSync(vendor) || find(vendor)) && (!vendor.includes('libEGL_mesa') || hasMesaDriver(folders)),
        ));
  return [
    { what: 'libEGL.so.1', packages: ['libegl1'], use: 'egl', found: find('libEGL.so.1') !== undefined },
    {
      what: 'a GL driver for EGL (Mesa’s or the GPU vendor’s)',
      packages: ['libgl1-mesa-dri'],
      use: 'egl',
      found: hasVendor,
    },
    { what: 'libGLESv2.so.2', packages: ['libgles2'], use: 'extra', found: find('libGLESv2.so.2') !== undefined },
    {
      what: 'libGL.so.1, libX11.so.6 and libXext.so.6',
      packages: ['libgl1', 'libx11-6', 'libxext6'],
      use: 'headless-gl',
      found: ['libGL.so.1', 'libX11.so.6', 'libXext.so.6'].every((name) => find(name) !== undefined),
    },
    { what: 'libdrm.so.2', packages: ['libdrm2'], use: 'headless-gl', found: find('libdrm.so.2') !== undefined },
    {
      what: 'an X server (Xvfb)',
      packages: ['xvfb'],
      use: 'headless-gl',
      found: hasProgram('Xvfb') || Boolean(process.env.DISPLAY),
    },
  ];
}
