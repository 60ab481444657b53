import { chromiumFolder } from '../../src/gl/chromium-folder.ts';

/** The folder of the Chromium on PATH, which has its SwiftShader; undefined where none is installed. */
export const chromium = (() => {
  try {
    return chromiumFolder();
  } catch {
    return undefined;
  }
})();

/** For `skip`: why, or false. */
export const noChromium = chromium === undefined && 'no Chromium with SwiftShader is installed';
