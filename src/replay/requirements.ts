import { GpuprofError } from '../errors.ts';
import type { GlContext } from '../gl/context.ts';
import { enumValue } from '../gl/enums.ts';
import type { Manifest } from '../model/capture.ts';
import { baseName } from '../model/gl-constants.ts';
import { inCore } from './core-extensions.ts';
import { handlerFor } from './handlers/index.ts';
import { skippedHandler } from './handlers/skipped.ts';

/** Multi-draws are replayed one by one where a driver lacks them (handlers/multi-draws.ts). */
function has(context: GlContext, extension: string): boolean {
  if (context.extensions.has(extension) || extension === 'GL_ANGLE_multi_draw') return true;
  const core = inCore(extension);
  const least = context.api === 'gl' ? core?.gl : core?.es;
  return least !== undefined && context.atLeast(least[0], least[1]);
}

function lacking(context: GlContext, what: string): GpuprofError {
  return new GpuprofError(
    'missing-feature',
    `the capture needs ${what}; ${context.renderer} (${context.versionText}) lacks it`,
    {
      hint: 'try another --driver or --api; `gpuprof doctor` shows what there is',
    },
  );
}

/**
 * Throws GpuprofError `missing-feature` that names the version, extension, limit or command a capture needs and the
 * context lacks; nothing has been played by then.
 */
export function checkRequirements(context: GlContext, manifest: Manifest): void {
  const [major, minor] = manifest.apiVersion;
  if (manifest.api === 'gl') {
    if (context.api !== 'gl') throw lacking(context, `desktop OpenGL ${major}.${minor}`);
    if (!context.atLeast(major, minor)) throw lacking(context, `OpenGL ${major}.${minor}`);
  } else if (context.api === 'es') {
    if (!context.atLeast(Math.max(3, major), minor)) throw lacking(context, `OpenGL ES ${Math.max(3, major)}.${minor}`);
  } else if (!context.atLeast(4, 3)) throw lacking(context, 'OpenGL 4.3 (for ES shaders)');
  for (const extension of manifest.requires.extensions)
    if (!has(context, extension)) throw lacking(context, `the extension ${extension}`);
  for (const [name, least] of Object.entries(manifest.requires.limits)) {
    const value = enumValue(name);
    if (value === undefined)
      throw new GpuprofError('bad-capture', `the capture has a limit that GL does not know: ${name}`);
    context.scratch.i32[0] = 0;
    const available = context.integer(value);
    context.gl.glGetError();
    if (available < least) throw lacking(context, `${name} of ${least} (here ${available})`);
  }
  for (const { name } of manifest.signatures) {
    const base = baseName(name);
    const called = !base.startsWith('gpuprof') && !skippedHandler(base) && !handlerFor(base);
    if (called && context.find(name) === undefined) throw lacking(context, name);
  }
}
