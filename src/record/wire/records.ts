/**
 * How a capture travels from the recorded program to the tool: a stream of records, each a kind and a byte length (32-bit
 * little-endian words) and that many bytes, padded to whole words. Indexes of signatures, resources and locations count
 * from 0 in the order in which their records come.
 */
export const recordKinds = {
  /** JSON of a CaptureHead; begins a capture. */
  head: 1,
  /** A GL command's name. */
  signature: 2,
  resource: 3,
  /** The program's id as a word, then the uniform's name. */
  location: 4,
  /** Any number of calls as model/call-words.ts encodes them. */
  calls: 5,
  frame: 6,
  /** Width and height as words, then RGBA bytes, top row first. */
  reference: 7,
  /** JSON of what the capture requires and of its notes; ends the capture. */
  end: 8,
  /** Takes the capture back. */
  discard: 9,
} as const;
export type RecordKind = (typeof recordKinds)[keyof typeof recordKinds];

export const recordHeaderBytes = 8;
export const paddedBytes = (byteLength: number): number => Math.ceil(byteLength / 4) * 4;
