import { GpuprofError } from '../errors.ts';

/**
 * Throws GpuprofError `bad-usage` for a frame that is not there, or comes before what has been played. `last` is the last
 * frame that was loaded or played through, and `isLoaded` which of the two.
 */
export function refuseUnloadable(frame: number, count: number, last: number, isLoaded: boolean): void {
  if (!(frame >= 1 && frame <= count))
    throw new GpuprofError(
      'bad-usage',
      `the capture has ${count} frame${count === 1 ? '' : 's'}; there is no frame ${frame}`,
    );
  if (frame < last || (frame === last && !isLoaded))
    throw new GpuprofError(
      'bad-usage',
      isLoaded
        ? `frame ${frame} comes before frame ${last}, which is loaded already`
        : `frame ${frame} has been played through already`,
    );
}

/** Says which call an error is about, or a frame as a whole; a null frame is the setup. `index` counts from 0. */
export function located(error: unknown, frame: number | null, index?: number): unknown {
  if (!(error instanceof GpuprofError)) return error;
  const event = index === undefined ? '' : `, event ${index + 1}`;
  const place = frame === null ? `setup call ${(index ?? 0) + 1}` : `frame ${frame}${event}`;
  return new GpuprofError(error.code, `${place}: ${error.message}`, {
    ...(error.hint && { hint: error.hint }),
    cause: error,
  });
}
