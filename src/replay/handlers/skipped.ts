import { GpuprofError } from '../../errors.ts';
import type { Handler } from '../compile/site.ts';

const skip: Handler = () => null;
const unlessQueriesAreSkipped: Handler = (site) => (site.state.skipApplicationQueries ? null : site.plain());

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
  /^(Get|Is|Are|CheckFramebufferStatus|CheckNamedFramebufferStatus|ValidateProgram|(Push|Pop)(DebugGroup|GroupMarker)|InsertEventMarker|DebugMessage|ObjectLabel|ObjectPtrLabel|LabelObject|StringMarker|FrameTerminator|FenceSync|ClientWaitSync|WaitSync|DeleteSync|RequestExtension|ReleaseShaderCompiler|(Begin|End)ConditionalRender)/;
const queries = /^(BeginQuery|EndQuery|QueryCounter)/;
/** Only meaningful inside the recorded process, or able to hand the driver code. */
const impossible =
  /^((Map|Unmap|FlushMapped)(Named)?Buffer|MapBufferRange|ProgramBinary|ShaderBinary|ImportMemory|ImportSemaphore|EGLImage)/;

export function skippedHandler(name: string): Handler | undefined {
  if (silent.test(name)) return skip;
  if (queries.test(name)) return unlessQueriesAreSkipped;
  return impossible.test(name) ? refuse : undefined;
}
