import { replayReader } from '../replay-reader.ts';

/** The replayer, on ANGLE. */
export const reader = replayReader('headless-gl');
