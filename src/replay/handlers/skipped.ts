import { GpuprofError } from '../../errors.ts';
import type { Manifest } from '../../model/capture.ts';
import type { Handler } from '../compile/site.ts';
import { glEnums } from '../constants.ts';

const skip: Handler = () => null;

const occlusion: ReadonlySet<number> = new Set(
  Object.values(
    glEnums(
      'GL_SAMPLES_PASSED',
      'GL_ANY_SAMPLES_PASSED',
      'GL_ANY_SAMPLES_PASSED_CONSERVATIVE',
      'GL_TRANSFORM_FEEDBACK_OVERFLOW',
      'GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW',
    ),
  ),
);
const conditional = /^glBeginConditionalRender/;
const decides = new WeakMap<Manifest, boolean>();

/** Whether the capture's own queries decide what it draws. */
function drawsConditionally(manifest: Manifest): boolean {
  let known = decides.get(manifest);
  if (known === undefined) {
    known = manifest.signatures.some(({ name }) => conditional.test(name));
    decides.set(manifest, known);
  }
  return known;
}

/**
 * Queries that only the program looks at disturb a measurement; those that decide what is drawn belong to the frame. The
 * latter keep the result of a run before, where they can: GL counts for one query of a kind at a time.
 */
const query: Handler = (site) => {
  const { state, args, call, keep } = site;
  if (!state.skipApplicationQueries) return site.plain();
  const target = Number(args[0]);
  if (!drawsConditionally(state.manifest) || !occlusion.has(target)) return null;
  const id = call.signature.name.startsWith('glBegin') ? Number(args[1]) : state.bindings.activeQuery(target);
  const plain = site.plain();
  if (!keep?.('query', id)) return plain;
  return (at) => {
    if (!state.isMeasuring) plain(at);
  };
};

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
const queries = /^(Begin|End)Query/;
const timestamp: Handler = (site) => (site.state.skipApplicationQueries ? null : site.plain());
/** Only meaningful inside the recorded process, or able to hand the driver code. */
const impossible =
  /^((Map|Unmap|FlushMapped)(Named)?Buffer|MapBufferRange|ProgramBinary|ShaderBinary|ImportMemory|ImportSemaphore|EGLImage)/;

/** Addresses and pages of the recorded process's GPU. */
const features: readonly (readonly [RegExp, string])[] = [
  [
    /^(Make(Texture|Image)Handle|(Program)?UniformHandle|VertexAttribL1ui64|Make(Named)?Buffer\w*Resident)/,
    'bindless access',
  ],
  [/PageCommitment/, 'sparse storage'],
];

export function skippedHandler(name: string): Handler | undefined {
  const feature = features.find(([pattern]) => pattern.test(name));
  if (feature) return unsupported(feature[1]);
  if (silent.test(name)) return skip;
  if (queries.test(name)) return query;
  if (name === 'QueryCounter') return timestamp;
  return impossible.test(name) ? refuse : undefined;
}
