import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import koffi from 'koffi';
import { type ContextRequest, GlContext } from '../../../src/gl/context.ts';
import { destroyContext, makeCurrent, releaseOther } from '../../../src/gl/current.ts';
import { createContext, openEgl } from '../../../src/gl/egl-library.ts';
import { type RunResult, run } from '../../helpers/cli.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const EGL_PLATFORM_SURFACELESS_MESA = 0x31dd;

/** Switches of the double, by name: see the heads of the C files. Null takes one away. */
export type Switches = Readonly<Record<string, string | number | null>>;

/** Path of the small table of Intel's query types that the double has without a switch. */
export const smallIntelTable = join(folder, 'intel-table.txt');
const usual: Switches = { INTEL_TABLE: smallIntelTable };

let built: string | undefined;

/** Compiles the double, once a process, and returns the temporary folder with its `libEGL.so.1`. */
function build(): string {
  if (built) return built;
  const into = mkdtempSync(join(tmpdir(), 'gpuprof-double-'));
  process.once('exit', () => rmSync(into, { recursive: true, force: true }));
  const sources = readdirSync(folder).filter((name) => name.endsWith('.c'));
  const flags = ['-std=c11', '-shared', '-fPIC', '-fvisibility=hidden', '-O1', '-Wall', '-Wextra', '-Werror'];
  const compiler = process.env.CC ?? 'cc';
  execFileSync(compiler, [...flags, '-o', join(into, 'libEGL.so.1'), ...sources, '-ldl', '-lm'], { cwd: folder });
  built = into;
  return into;
}

let real: string | undefined;

/** Where the loader finds the real libEGL.so.1. Asked for before the double is loaded, which has the same name. */
function realEgl(): string {
  if (real) return real;
  koffi.load('libEGL.so.1');
  real = /\S*\/libEGL\.so\.1[.\d]*$/m.exec(readFileSync('/proc/self/maps', 'utf8'))?.[0];
  if (!real) throw new Error('the loaded libEGL.so.1 is not among the mapped files');
  return real;
}

/** The double in this process. */
export interface Double {
  /** Forgets everything, then sets switches. */
  reset(switches?: Switches): void;
  /** Sets switches, beside those that are set. */
  set(switches: Switches): void;
  /** How often a function was called since the reset (`BeginPerfQuery`), or what else the double counts under the name. */
  count(what: string): number;
  /** A context with the double's extensions, current. */
  open(request: ContextRequest): GlContext;
}

/** Loads the double into this process. The real EGL, and its contexts, stay usable beside it. */
export function loadDouble(): Double {
  const path = join(build(), 'libEGL.so.1');
  process.env.DOUBLE_EGL = realEgl();
  const library = koffi.load(path);
  const egl = openEgl(path);
  const setSwitch = library.func('void double_set(const char *, const char *)');
  const count = library.func('int64_t double_count(const char *)');
  const forget = library.func('void double_reset()');
  const set = (switches: Switches) => {
    for (const [name, value] of Object.entries(switches)) setSwitch(name, value === null ? null : String(value));
  };
  return {
    set,
    reset(switches = {}) {
      forget();
      set({ ...usual, ...switches });
    },
    count: (what) => Number(count(what)),
    open(request) {
      releaseOther(egl);
      const display = egl.getPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, 0, 0);
      const context = egl.initialize(display, 0, 0) ? createContext(egl, display, request) : undefined;
      if (!context) throw new Error(`the EGL double has no ${request.api} context here`);
      return new GlContext({
        driver: 'egl',
        api: request.api,
        lookup: (name) => egl.getProcAddress(name),
        makeCurrent: () => makeCurrent(egl, display, context),
        destroy: () => destroyContext(egl, display, context),
      });
    },
  };
}

/** Runs the built `gpuprof` in a process whose EGL driver is the double. */
export function runOnDouble(args: readonly string[], switches: Switches = {}): Promise<RunResult> {
  const env: Record<string, string | undefined> = {
    LD_LIBRARY_PATH: [build(), process.env.LD_LIBRARY_PATH].filter(Boolean).join(delimiter),
    DOUBLE_EGL: realEgl(),
  };
  for (const [name, value] of Object.entries({ ...usual, ...switches }))
    env[`DOUBLE_${name}`] = value === null ? undefined : String(value);
  return run(args, { env });
}
