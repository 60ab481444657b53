import { GpuprofError } from '../../errors.ts';
import type { Handler } from '../compile/site.ts';

const skip: Handler = () => null;

const unsupported =
  (what: string): Handler =>
  ({ call }) => {
    throw new GpuprofError('missing-feature', `${call.signature.name}: ${what} cannot be replayed`);
  };

const refuse: Handler = ({ call }) => {
  throw new GpuprofError('bad-capture', `${call.signature.name} cannot be part of a capture`, {
    hint: 'see "Calls that a recorder must rewrite" in src/capture/FORMAT.md',
  });
};

/**
 * Questions to GL change nothing, and their answers belong to the recorded process; markers and labels are names for
 * people; and with one context in order, a fence waits for nothing.
 */
const silent =
  /^(Get|Is|Are|CheckFramebufferStatus|CheckNamedFramebufferStatus|ValidateProgram|(Push|Pop)(DebugGroup|GroupMarker)|InsertEventMarker|DebugMessage|ObjectLabel|ObjectPtrLabel|LabelObject|StringMarker|FrameTerminator|FenceSync|ClientWaitSync|WaitSync|DeleteSync|RequestExtension|ReleaseShaderCompiler)/;
/** Only meaningful inside the recorded process, or able to hand the driver code. */
const impossible =
  /^((Map|Unmap|FlushMapped)(Named)?Buffer|MapBufferRange|ProgramBinary|ShaderBinary|ImportMemory|ImportSemaphore|EGLImage)/;

/** Addresses and pages of the recorded process's GPU, and a state that it has by itself. */
const features: readonly (readonly [RegExp, string])[] = [
  [
    /^(Make(Texture|Image)Handle|(Program)?UniformHandle|VertexAttribL1ui64|Make(Named)?Buffer\w*Resident)/,
    'bindless access',
  ],
  [/PageCommitment/, 'sparse storage'],
  [/^(Push)?ClientAttribDefault$/, 'what a driver begins with'],
];

export function skippedHandler(name: string): Handler | undefined {
  const feature = features.find(([pattern]) => pattern.test(name));
  if (feature) return unsupported(feature[1]);
  if (silent.test(name)) return skip;
  return impossible.test(name) ? refuse : undefined;
}
