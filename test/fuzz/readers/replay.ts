import { replayReader } from '../replay-reader.ts';

/** The replayer, on the system's own driver. */
export const reader = replayReader('egl');
