import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = new URL('../../node_modules/.cache/gpuprof-test/', import.meta.url);

/** A file's JavaScript, which is kept by the file's address and text. @param {string} address */
async function compiled(address) {
  const text = await readFile(new URL(address), 'utf8');
  const kept = new URL(`${createHash('sha256').update(address).update(text).digest('hex')}.js`, folder);
  try {
    return await readFile(kept, 'utf8');
  } catch {
    const { transform } = await import('esbuild');
    const { code } = await transform(text, {
      loader: 'ts',
      format: 'esm',
      target: 'node20',
      sourcemap: 'inline',
      sourcesContent: false,
      sourcefile: fileURLToPath(address),
    });
    await mkdir(folder, { recursive: true });
    const part = new URL(`${process.pid}-${basename(kept.pathname)}`, folder);
    await writeFile(part, code);
    await rename(part, kept);
    return code;
  }
}

/** @type {import('node:module').LoadHook} */
export async function load(address, context, next) {
  if (!address.startsWith('file:') || !address.endsWith('.ts')) return next(address, context);
  return { format: 'module', source: await compiled(address), shortCircuit: true };
}
