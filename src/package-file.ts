/** Files of this package. A module's own place does not tell where they are: the build puts many into one file. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const root = dirname(createRequire(import.meta.url).resolve('gpuprof/package.json'));

/** The path of a file, by its path in the package. */
export const packageFile = (path: string): string => join(root, path);

/**
 * The path of a module that a process starts with, by its path in src/ without extension. From source it is TypeScript,
 * which the same loader reads that this process was started with.
 */
export const programFile = (name: string): string =>
  packageFile(import.meta.url.endsWith('.ts') ? `src/${name}.ts` : `dist/${name}.js`);
