/** Run by round-trip.test.ts under a limit on file sizes: records until writing fails, and prints how. */
import { randomFillSync } from 'node:crypto';
import { CaptureWriter } from '../../src/capture/write.ts';
import type { GpuprofError } from '../../src/errors.ts';
import { head } from './sample.ts';

try {
  const writer = await CaptureWriter.create(process.argv[2], head);
  for (let index = 0; index < 64; index++) {
    writer.resource(randomFillSync(new Uint8Array(2 ** 22)));
    await writer.drain();
  }
  writer.beginFrame();
  await writer.finish();
} catch (error) {
  const { code, message } = error as GpuprofError;
  console.log(`${code}: ${message}`);
}
