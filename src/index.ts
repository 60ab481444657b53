/** The library's public face. Importing it loads no native code: GL starts when a context is opened. */
export { type ErrorCode, GpuprofError } from './errors.ts';
export type { Call } from './model/call.ts';
export type { CallStream } from './model/call-stream.ts';
export type { Canvas, Capture, CaptureApi, Manifest, Origin, ResourceInfo } from './model/capture.ts';
export type { ActionKind, EventNode, EventTree, NodeKind } from './model/event-tree.ts';
export type * from './model/report.ts';
export type {
  BracketUnit,
  FrameMeasurement,
  MethodTrust,
  PlainSample,
  RunSample,
  TimerMethodName,
  TrustCheck,
  TrustRung,
} from './model/sample.ts';
export type { Param, Result, Signature } from './model/signature.ts';
export type { CaptureHead, CaptureSink } from './model/sink.ts';
