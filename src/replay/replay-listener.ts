/** Told of an event that has been made; whether the next one is to be. */
export type GoesOn = (eventId: number) => boolean | Promise<boolean>;

/** Told of a replay as it goes on. What it does while a run is played is measured with it. */
export interface ReplayListener {
  /** A call of the setup has been made; `index` counts from 0. The setup goes on when a promise is kept. */
  setupCall(index: number): Promise<void> | undefined;
  runBegins(): void;
  /** `frame` counts from 1. */
  runEnds(frame: number): void;
  /** What the frame changes has been put back: its next run begins as the one before did. */
  restored(): void;
  /** The frame has been played for the last time, and its changes stay. */
  frameLeft(): void;
  /** All of the canvas has been read. */
  canvasRead(): void;
}
