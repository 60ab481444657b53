/**
 * The library's public face: capture, replay, samples, analysis, report, in that order.
 * Importing it starts no GL; a driver's libraries are loaded when its first context is opened.
 */

export { type CountedFrame, countersToMeasure, countFrame } from './analysis/analyse-counters.ts';
export { analyseFrame } from './analysis/analyse-frame.ts';
export { buildReport, type ReportParts } from './analysis/build-report.ts';
export { type ClockFit, clockStep, fitClocks, tightestPair, unwrapNear, unwrapTicks } from './analysis/clock-sync.ts';
export { mergeSets } from './analysis/counter-sets.ts';
export { derivedNeeds, derivedSet } from './analysis/derived.ts';
export * from './analysis/event-timestamps.ts';
export { type ImageDifference, imageDifference, type Pixels } from './analysis/image-difference.ts';
export { statisticsOf } from './analysis/statistics.ts';
export { type CaptureLimits, defaultLimits } from './capture/limits.ts';
export { openCapture } from './capture/open.ts';
export { decodePng, encodePng, type Image } from './capture/png.ts';
export { CaptureWriter } from './capture/write.ts';
export { type ErrorCode, GpuprofError } from './errors.ts';
export { type Api, type ContextRequest, type DriverName, GlContext } from './gl/context.ts';
export { formatCall } from './gl/format-call.ts';
export { openContext } from './gl/open.ts';
export { setSoftwareThreads } from './gl/software-threads.ts';
export { type CanvasOptions, createWebGL2Context, type WebGl2 } from './gl/webgl2-context.ts';
export { Bindings } from './model/bindings.ts';
export type { Argument, Call, DataArgument } from './model/call.ts';
export { CallStream } from './model/call-stream.ts';
export type { Canvas, Capture, CaptureApi, Manifest, Origin, ResourceInfo } from './model/capture.ts';
export { coarsen } from './model/coarsen.ts';
export type * from './model/counter.ts';
export { columnValue } from './model/counter.ts';
export type * from './model/counter-sample.ts';
export type { ActionKind, EventNode, EventTree, NodeKind } from './model/event-tree.ts';
export { buildEventTree } from './model/event-tree-builder.ts';
export * from './model/gate-config.ts';
export { FrameMemory } from './model/memory/frame-memory.ts';
export { limitMemory } from './model/memory-limit.ts';
export type * from './model/report.ts';
export type * from './model/sample.ts';
export type { ElementType, ObjectClass, Param, ParamType, Result, Signature } from './model/signature.ts';
export type { CaptureHead, CaptureSink } from './model/sink.ts';
export type * from './model/timeline.ts';
export { amdSource } from './query/amd/amd-source.ts';
export { chooseTimer, type TimerChoice } from './query/choose-timer.ts';
export { describeEnvironment } from './query/environment.ts';
export { intelSource } from './query/intel/intel-source.ts';
export {
  type CounterRequest,
  type CountersProgress,
  type MeasureCountersOptions,
  measureCounters,
} from './query/measure-counters.ts';
export { type MeasureOptions, type MeasureProgress, measureFrame } from './query/measure-frame.ts';
export { memorySet, memorySource } from './query/memory.ts';
export type { MetricSource, OpenSet, SetResults } from './query/metric-source.ts';
export { type MissingSource, type OpenedSources, openMetricSources } from './query/open-sources.ts';
export {
  type MetricsSource,
  QueryManager,
  type QueryReport,
  type QueryReportEvaluation,
  type QueryResults,
  type QueryResultsCallback,
} from './query/query-manager.ts';
export { type RecordedClock, recordedClock } from './query/run-recorder.ts';
export { type CounterSelection, selectCounters } from './query/select-counters.ts';
export { statisticsSource } from './query/statistics.ts';
export { type TimerMethod, timerMethod, timerMethodNames } from './query/timer-method.ts';
export type { TimerReader, TimerReadings } from './query/timer-reader.ts';
export { timerSource } from './query/timer-source.ts';
export { checkTrust } from './query/trust-check.ts';
export type { RecordPageOptions } from './record/page/options.ts';
export { recordPage } from './record/page/record-page.ts';
export type { BracketHooks, BracketPlan, FrameReplay } from './replay/frame-replay.ts';
export type { ReplayOptions } from './replay/replay-parts.ts';
export { Replayer } from './replay/replayer.ts';
export { type FormatName, formats } from './report/formats.ts';
export { defaultOptions, type ReportOptions } from './report/options.ts';
