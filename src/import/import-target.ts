import type { CaptureSink } from '../model/sink.ts';

/** Where an importer puts a capture: everything stays changeable until the end. */
export interface ImportTarget extends CaptureSink {
  /** Takes the frame begun last away, with its calls. */
  dropFrame(): void;
}
