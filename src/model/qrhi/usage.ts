/** What a QRhiProfiler stream says about the program that wrote it. Sizes are bytes and exact, times milliseconds. */
import type { QrhiOpNumber } from './ops.ts';

export const qrhiKinds = [
  'buffer',
  'renderbuffer',
  'texture',
  'swapchain',
  'buffer staging',
  'texture staging',
  'readback',
] as const;
export type QrhiKind = (typeof qrhiKinds)[number];

/** The memory of one kind. Something created again while it is live takes the place of what it was. */
export interface QrhiMemory {
  readonly created: number;
  readonly released: number;
  /** Of the created: those that were live already. */
  readonly recreated: number;
  /** Releases of what was not live. */
  readonly strayReleases: number;
  readonly liveCount: number;
  readonly peakCount: number;
  readonly liveBytes: bigint;
  readonly peakBytes: bigint;
}

/** Something that was created, as its line says. */
export interface QrhiResource {
  readonly kind: QrhiKind;
  readonly res: bigint;
  readonly name: string;
  /** What it counts for: textures that own nothing and buffers without a copy on the GPU count 0. */
  readonly sizeBytes: bigint;
  readonly line: number;
  readonly timestampMs: bigint;
  /** Values of the line, by key. */
  readonly values: Readonly<Record<string, bigint>>;
  readonly isLive: boolean;
}

/** Frame times of one kind: each line is a window of frames with its own minimum, maximum and average. */
export interface QrhiWindows {
  readonly windows: number;
  readonly minMs: number;
  readonly maxMs: number;
  /** Of the windows' averages. */
  readonly avgMs: number;
  /** Windows whose minimum is above their average: in Qt a sample of 0 makes the running minimum begin anew. */
  readonly minimumAboveAverage: number;
  readonly last: { readonly minMs: number; readonly maxMs: number; readonly avgMs: number };
}

/** GPU times of one event of a frame, which streams of gpuprof have (`--qrhi-events`). */
export interface QrhiEventTimes extends QrhiWindows {
  /** The event's id in the capture. */
  readonly res: bigint;
  /** Its path in the event tree. */
  readonly name: string;
}

/** The allocator's own figures (op 15), of which Qt's total_size is what is used. */
export interface QrhiAllocator {
  readonly reports: number;
  readonly blocks: bigint | null;
  readonly allocations: bigint | null;
  readonly usedBytes: bigint;
  readonly unusedBytes: bigint | null;
  readonly peakUsedBytes: bigint;
}

/** What the six labels of Qt's viewer, qrhiprof, show after the last line; null: no line has filled the label. */
export interface QrhiViewer {
  readonly buffers: ViewerMemory;
  readonly textures: ViewerMemory;
  readonly swapchains: { readonly totalBytes: bigint; readonly peakBytes: bigint };
  readonly frames: ViewerFrames | null;
  readonly gpu: { readonly minMs: number; readonly maxMs: number; readonly avgMs: number } | null;
  readonly allocator: ViewerAllocator | null;
}

export interface ViewerFrames {
  readonly framesSinceResize: bigint;
  readonly minMs: bigint;
  readonly maxMs: bigint;
  readonly avgMs: number;
}

export interface ViewerAllocator {
  readonly blocks: bigint;
  readonly allocations: bigint;
  readonly usedBytes: bigint;
  readonly unusedBytes: bigint;
}

export interface ViewerMemory {
  readonly count: number;
  readonly totalBytes: bigint;
  readonly peakBytes: bigint;
  readonly stagingBytes: bigint;
  readonly peakStagingBytes: bigint;
}

export interface QrhiFault {
  readonly line: number;
  readonly fault: string;
  readonly text: string;
}

export interface QrhiUsage {
  readonly lines: number;
  readonly malformed: number;
  /** The first of the malformed lines. */
  readonly faults: readonly QrhiFault[];
  readonly firstMs: bigint | null;
  readonly lastMs: bigint | null;
  /** Lines whose timestamp is before that of the line above. */
  readonly clockSteps: number;
  readonly events: ReadonlyMap<QrhiOpNumber, number>;
  readonly memory: ReadonlyMap<QrhiKind, QrhiMemory>;
  /** All kinds together; its peak is that of the sum. */
  readonly total: QrhiMemory;
  readonly allocator: QrhiAllocator | null;
  readonly largest: readonly QrhiResource[];
  /** What is live after the last line, the largest first. */
  readonly live: readonly QrhiResource[];
  readonly gpuFrame: QrhiWindows | null;
  readonly frameToFrame: QrhiWindows | null;
  readonly frameBuild: QrhiWindows | null;
  /** GPU times (op 16) of what no line has announced. */
  readonly gpuOther: QrhiWindows | null;
  /** The heaviest first. */
  readonly eventTimes: readonly QrhiEventTimes[];
  readonly viewer: QrhiViewer;
  /** What to know before trusting the figures, a sentence each. */
  readonly notes: readonly string[];
}
