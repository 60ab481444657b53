import type { TextureObserver } from './textures.ts';

/** Whether a call makes something that is not there yet, if it does not fail. */
export type Defines = (args: readonly unknown[]) => boolean;

const always: Defines = () => true;
const n = Number;

/**
 * Calls by core name that may fail, and of which the recorder would then believe what is not so. GL is asked after them,
 * which makes the program wait: only where they define something new, which programs do not do all the time.
 */
export function definitions(textures: TextureObserver): Readonly<Record<string, Defines>> {
  return {
    renderbufferStorage: always,
    renderbufferStorageMultisample: always,
    texStorage2D: always,
    texStorage3D: always,
    copyTexImage2D: ([target, level, internalformat, , , width, height]) =>
      !textures.has(n(target), n(level), { internalformat: n(internalformat), width: n(width), height: n(height) }),
    generateMipmap: ([target]) => !textures.hasLevels(n(target)),
    enablei: always,
    disablei: always,
    colorMaski: always,
    blendFunci: always,
    blendFuncSeparatei: always,
    blendEquationi: always,
    blendEquationSeparatei: always,
  };
}
