import { openCapture } from '../../src/capture/open.ts';

/** Reads everything in a capture that gpuprof itself has written: a refusal is a failure. */
export async function readWhole(path: string): Promise<void> {
  try {
    const capture = await openCapture(path);
    try {
      await capture.setup();
      for (const index of capture.manifest.frames.keys()) await capture.frame(index + 1);
      for (const index of capture.manifest.resources.keys()) await capture.resource(index);
    } finally {
      await capture.close();
    }
  } catch (error) {
    throw new Error(`what was written cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
