import { hostNs } from '../gl/clock.ts';
import type { GlContext } from '../gl/context.ts';

const GL_COPY_READ_BUFFER = 0x8f36;
const GL_COPY_WRITE_BUFFER = 0x8f37;
const GL_STATIC_COPY = 0x88e6;

const bufferBytes = 32 * 1024 * 1024;
/** A calibration shorter than this says little about one copy. */
const leastCalibrationNs = 2e6;
const mostCalibrationCopies = 1024;
/** A GPU is not kept busy for longer than this: a frame that takes longer to submit is measured with its gaps. */
const mostLeadNs = 100e6;
/** Submission varies from run to run, so the lead is longer than the last one took. */
const margin = 1.5;
const marginNs = 200_000;

/**
 * Work in front of a frame that keeps the GPU busy while the frame's calls are submitted. Without it a GPU that is quicker
 * than the submission waits between draws, and the waiting is measured: 2,000 small draws read 937 us instead of 58 us on
 * an NVIDIA H200. The work is buffer copies, since those touch no drawing state.
 */
export class GpuLead {
  readonly #context: GlContext;
  readonly #from: number;
  readonly #to: number;
  readonly #copyNs: number;

  /** Allocates two buffers of 32 MiB and times a copy between them. The GPU should be idle. */
  constructor(context: GlContext) {
    this.#context = context;
    const { gl, scratch } = context;
    gl.glGenBuffers(2, scratch.address);
    [this.#from, this.#to] = scratch.u32;
    this.#bound(() => {
      gl.glBufferData(GL_COPY_READ_BUFFER, bufferBytes, 0, GL_STATIC_COPY);
      gl.glBufferData(GL_COPY_WRITE_BUFFER, bufferBytes, 0, GL_STATIC_COPY);
    });
    this.#copyNs = this.#calibrate();
  }

  #bound(action: () => void): void {
    const { gl } = this.#context;
    const read = this.#context.integer(GL_COPY_READ_BUFFER);
    const write = this.#context.integer(GL_COPY_WRITE_BUFFER);
    gl.glBindBuffer(GL_COPY_READ_BUFFER, this.#from);
    gl.glBindBuffer(GL_COPY_WRITE_BUFFER, this.#to);
    action();
    gl.glBindBuffer(GL_COPY_READ_BUFFER, read);
    gl.glBindBuffer(GL_COPY_WRITE_BUFFER, write);
  }

  #copy(times: number): void {
    const { gl } = this.#context;
    this.#bound(() => {
      for (let count = 0; count < times; count++)
        gl.glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, bufferBytes);
    });
  }

  /** Time of one copy, from the slope between few and many, so that the cost of a finish does not count. */
  #calibrate(): number {
    const { glFinish } = this.#context.gl;
    const timeOf = (copies: number): number => {
      glFinish();
      const start = hostNs();
      this.#copy(copies);
      glFinish();
      return hostNs() - start;
    };
    timeOf(1);
    let copies = 4;
    while (timeOf(copies) < leastCalibrationNs && copies < mostCalibrationCopies) copies *= 2;
    return Math.max(1000, (timeOf(2 * copies) - timeOf(copies)) / copies);
  }

  /** Keeps the GPU busy for about as long as a submission of `submissionNs` may take; returns at once. */
  occupy(submissionNs: number): void {
    const wantedNs = submissionNs * margin + marginNs;
    if (wantedNs <= mostLeadNs) this.#copy(Math.ceil(wantedNs / this.#copyNs));
  }

  dispose(): void {
    const { gl, scratch } = this.#context;
    scratch.u32[0] = this.#from;
    scratch.u32[1] = this.#to;
    gl.glDeleteBuffers(2, scratch.address);
  }
}
