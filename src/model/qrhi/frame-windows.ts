/** QRhiProfiler's windows over frame times (qrhiprofiler.cpp), which do not overlap. */

export interface FrameWindow {
  readonly min: number;
  readonly max: number;
  /** A float32 sum over the number of samples. */
  readonly average: number;
}

/**
 * Qt's minimum, maximum and average. To Qt 0 is "none so far", so a sample of 0 makes its running minimum begin anew;
 * where that leaves a minimum above the average, which no minimum can be, this is the least sample.
 */
export function frameWindow(samples: readonly number[]): FrameWindow {
  let [min, max, sum] = [0, 0, 0];
  for (const sample of samples) {
    if (min === 0 || sample < min) min = sample;
    if (max === 0 || sample > max) max = sample;
    sum = Math.fround(sum + sample);
  }
  // Float32 sums of many samples drift.
  const average = Math.min(max, Math.fround(sum / samples.length));
  return { min: min > average ? Math.min(average, ...samples) : min, max, average };
}

/** Gathers the samples of one kind of time until there are enough for a window. */
export class WindowSamples {
  #samples: number[] = [];

  /** A window when this sample completes one of `interval` samples. */
  add(sample: number, interval: number): FrameWindow | null {
    this.#samples.push(sample);
    if (this.#samples.length < interval) return null;
    const window = frameWindow(this.#samples);
    this.#samples = [];
    return window;
  }
}

/** One line of op 17 and one of op 18. */
export interface FrameTimes {
  readonly framesSinceResize: number;
  readonly delta: FrameWindow;
  readonly build: FrameWindow;
}

/** The two clocks of a swapchain; all times in whole milliseconds, as QElapsedTimer gives them. */
export class FrameClock {
  readonly #deltas = new WindowSamples();
  readonly #builds = new WindowSamples();
  #framesSinceResize = 0;
  #hasEnded = false;

  /** The samples stay. */
  resized(): void {
    this.#framesSinceResize = 0;
  }

  /** A frame's end; the first only starts the clock. `deltaMs` is the time since the end before. */
  endFrame(deltaMs: number, buildMs: number, interval: number): FrameTimes | null {
    this.#framesSinceResize++;
    if (!this.#hasEnded) {
      this.#hasEnded = true;
      return null;
    }
    const delta = this.#deltas.add(deltaMs, interval);
    const build = this.#builds.add(buildMs, interval);
    return delta && build && { framesSinceResize: this.#framesSinceResize, delta, build };
  }
}
