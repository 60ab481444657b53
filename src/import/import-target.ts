import type { CaptureSink } from '../model/sink.ts';

/** Where an importer puts a capture: everything stays changeable until the end. */
export interface ImportTarget extends CaptureSink {
  /** Takes the frame begun last away, with its calls. */
  dropFrame(): void;
  /** Makes the frame begun last part of what came before it. */
  joinFrame(): void;
}
