import type { CallStream } from '../model/call-stream.ts';
import type { Capture } from '../model/capture.ts';
import { CaptureWriter } from './write.ts';

/** Writes any capture to a `.cap` file, with the same indices. Throws `output-failed` when that cannot be done. */
export async function copyCapture(capture: Capture, path: string): Promise<void> {
  const { manifest } = capture;
  const { api, apiVersion, profile, origin, canvas, requires, notes } = manifest;
  const head = { api, apiVersion, ...(profile && { profile }), origin, canvas, requires };
  const writer = await CaptureWriter.create(path, head);
  try {
    for (let index = 0; index < manifest.resources.length; index++) {
      writer.resource(await capture.resource(index));
      await writer.drain();
    }
    for (const [program, name] of manifest.locations) writer.location(program, name);
    const add = (stream: CallStream) => {
      for (const { signature, args, result } of stream) writer.call(signature, args, result);
    };
    add(await capture.setup());
    for (let frame = 1; frame <= manifest.frames.length; frame++) {
      writer.beginFrame();
      add(await capture.frame(frame));
    }
    const reference = await capture.reference();
    await writer.finish({ ...(reference && { reference }), ...(notes && { notes }) });
  } catch (error) {
    await writer.abort();
    throw error;
  }
}
