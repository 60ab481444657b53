import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GpuprofError } from '../errors.ts';

const chunkLength = 2 ** 16;

async function* chunks(lines: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for await (const line of lines) {
    chunk += `${line}\n`;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk) yield chunk;
}

/** Prints lines as fast as the reader takes them; a reader that stops early (`| head`) ends it quietly. */
export async function printLines(lines: Iterable<string> | AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(chunks(lines)), process.stdout, { end: false });
  } catch (error) {
    if (error instanceof GpuprofError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    throw new GpuprofError('output-failed', `cannot write the output: ${message}`, { cause: error });
  }
}
