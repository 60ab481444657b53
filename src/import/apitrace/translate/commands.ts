/** How each GL command of a trace becomes calls of the capture. */
import { namesFor, providersOf, signatureOf } from '../../../gl/command-table.ts';
import { GL } from '../../../model/gl-constants.ts';
import type { Signature } from '../../../model/signature.ts';
import { texelBytes } from '../../../model/texel-sizes.ts';
import { TracePointer } from '../trace.ts';
import { argumentsFor } from './arguments.ts';
import { arrayElement } from './array-elements.ts';
import { listTranslator } from './display-lists.ts';
import { indexedDraws } from './draws.ts';
import { mappingTranslators } from './mapping.ts';
import { objectTranslator } from './objects.ts';
import { programTranslators } from './program-commands.ts';
import { allowed } from './refusals.ts';
import { LeftOut, type Session, type Translate } from './session.ts';
import { uploadTranslator } from './uploads.ts';
import { numberOf, numbersOf, textOf } from './values.ts';

/** They change nothing: questions, answers to which belong to the recorded process. */
const questions =
  /^gl(Get|Is[A-Z]|CheckFramebufferStatus|CheckNamedFramebufferStatus|ValidateProgram|Are(Textures|Programs)Resident|QueryMatrixx|QueryResource|TestFence|TestObject|DebugMessageCallback|GenLists$)/;
const images = /^glGetn?(Compressed)?(Multi)?Tex(ture)?(Sub)?Image/;
/** Other questions whose answers can go to a buffer. */
const packs = /^glGetn?(Histogram|Minmax|PixelMap|PolygonStipple|ConvolutionFilter|SeparableFilter)/;
/** Answers to queries, which can go to a buffer, or always do. */
const queryAnswers = /^glGetQueryObject/;
const bufferAnswers = /^glGetQueryBufferObject/;
/** Memory of the recorded process's own. */
const memory = /^(malloc|calloc|realloc|free)$/;

const leftOut: readonly (readonly [RegExp, string])[] = [
  [/^glEGLImageTarget/, 'EGL images come from outside the trace'],
  [/^glAccum$/, 'a canvas has no accumulation buffer'],
  [/^gl(ImportMemory|ImportSemaphore|.*Keyed?Mutex)/, 'memory of other processes is not in the trace'],
  [
    /(Texture|Image)(Sampler)?Handle|UniformHandle|ResidentNV$|BufferAddressRange/,
    'handles and addresses are those of the recorded driver',
  ],
  [
    /^gl(Begin|End|Select|Get)?Perf(Monitor|Query)|^gl(Create|Delete|Begin|End)PerfQuery/,
    "measuring is gpuprof's own work here",
  ],
  [
    /^gl(Map|Unmap|New)ObjectBuffer|^glMapTexture|^glUnmapTexture/,
    'the trace does not hold what is written through such addresses',
  ],
];

const GL_DEBUG_OUTPUT_SYNCHRONOUS = 0x8242;

/** A command of ARB_shader_objects takes what its descendant in core GL takes, under other names. */
function coreName(name: string): string {
  const isOld = providersOf(name).some((provider) => /^GL_ARB_(shader_objects|vertex_shader)$/.test(provider));
  return isOld ? (namesFor(name)[1] ?? name) : name;
}

/** Grows the window that is drawn into, when framebuffer 0 is: the trace does not tell its size. */
function growing(session: Session, signature: Signature): Translate | undefined {
  const { name } = signature;
  const convert = argumentsFor(session, signature);
  const plain = (right: number, top: number, call: Parameters<Translate>[0]) => {
    session.growWindow(right, top);
    session.emit(signature, convert(call));
  };
  const rectangle = (numbers: readonly number[], call: Parameters<Translate>[0]) => {
    const [x, y, width, height] = numbers;
    plain(Math.trunc(x + width), Math.trunc(y + height), call);
  };
  switch (name) {
    case 'glViewport':
      return (call) => rectangle(call.args.map(numberOf), call);
    case 'glViewportIndexedf':
      return (call) => (call.args[0] === 0 ? rectangle(call.args.slice(1).map(numberOf), call) : plain(0, 0, call));
    case 'glViewportIndexedfv':
      return (call) => (call.args[0] === 0 ? rectangle(numbersOf(call.args[1]), call) : plain(0, 0, call));
    case 'glViewportArrayv':
      return (call) => (call.args[0] === 0 ? rectangle(numbersOf(call.args[2]), call) : plain(0, 0, call));
    case 'glBlitFramebuffer':
    case 'glBlitFramebufferEXT':
      return (call) => {
        const [x0, y0, x1, y1] = call.args.slice(4, 8).map(numberOf);
        plain(Math.max(x0, x1), Math.max(y0, y1), call);
      };
  }
  return undefined;
}

/** The most that a call may write, by the capture's format. */
const mostOutBytes = 2 ** 31 - 1;

/** Bytes that a call writes, or where in a buffer. */
function outBytes(value: number | bigint): number {
  if (value > mostOutBytes) throw new LeftOut('it writes more, or further on, than any buffer has');
  return Math.max(0, Number(value));
}

/** glReadPixels: into memory of the recorded process, or to an offset in a buffer. */
function readPixels(session: Session, signature: Signature): Translate {
  const out = signature.params[signature.params.length - 1].name;
  const convert = argumentsFor(session, signature, {
    [out]: (value, { args }) => {
      if (session.context.bindings.buffer(GL.PIXEL_PACK_BUFFER) !== 0)
        return value instanceof TracePointer ? outBytes(value.address) : 0;
      const [width, height, format, type] = args.slice(2, 6).map(numberOf);
      return outBytes(width * height * (texelBytes(format, type) || 16));
    },
  });
  return (call) => session.emit(signature, convert(call));
}

/** Images and answers that the program asks for: those that go to a buffer may be drawn from there. */
function intoBuffer(session: Session, signature: Signature, target: number): Translate {
  const out = signature.params[signature.params.length - 1].name;
  const convert = argumentsFor(session, signature, {
    [out]: (value) => (value instanceof TracePointer ? outBytes(value.address) : 0),
  });
  return (call) => {
    if (session.context.bindings.buffer(target) !== 0) session.emit(signature, convert(call));
  };
}

/** Answers of selection and feedback: nobody reads them, but what is drawn meanwhile is not to be seen. */
function resultBuffer(session: Session, signature: Signature): Translate {
  const convert = argumentsFor(session, signature, { buffer: (_, { args }) => outBytes(4 * numberOf(args[0])) });
  return (call) => session.emit(signature, convert(call));
}

function ofState(session: Session, signature: Signature): Translate | undefined {
  const { name } = signature;
  const convert = argumentsFor(session, signature);
  const plain: Translate = (call) => session.emit(signature, convert(call));
  if (/^glPixelStore[if]$/.test(name))
    return (call) => {
      session.context.unpack.set(numberOf(call.args[0]), numberOf(call.args[1]));
      plain(call);
    };
  if (name === 'glPushClientAttrib')
    return (call) => {
      session.context.unpack.save(numberOf(call.args[0]));
      plain(call);
    };
  if (name === 'glPopClientAttrib')
    return (call) => {
      session.context.unpack.putBack();
      plain(call);
    };
  // Contexts here are not made for debugging.
  if (name === 'glEnable' || name === 'glDisable')
    return (call) => {
      if (call.args[0] === GL_DEBUG_OUTPUT_SYNCHRONOUS) return;
      if (call.args[0] === GL.SCISSOR_TEST && name === 'glEnable') session.setScissor();
      plain(call);
    };
  if (name === 'glScissor')
    return (call) => {
      session.context.scissorIsWindow = false;
      plain(call);
    };
  return undefined;
}

/** What the driver said of itself: for people, who want to know what recorded the trace. */
function question(session: Session, name: string): Translate {
  if (name === 'glGetString')
    return ({ args, result }) => {
      const text = textOf(result ?? null);
      if (text !== null) session.strings.set(numberOf(args[0]), text);
    };
  if (!packs.test(name)) return () => {};
  return () => {
    if (session.context.bindings.buffer(GL.PIXEL_PACK_BUFFER) !== 0)
      throw new LeftOut('it puts its answer into a buffer');
  };
}

/** Finds the translator of a GL command by its name; they are made once for each. */
export function commandTranslators(session: Session): (name: string) => Translate {
  const ofMapping = mappingTranslators(session);
  const ofPrograms = programTranslators(session);
  return (name) => {
    const core = coreName(name);
    const signature = signatureOf(core);
    const special = ofMapping(core, signature) ?? ofPrograms(core, signature);
    if (special) return signature ? allowed(session, signature, special) : special;
    const why = leftOut.find(([pattern]) => pattern.test(name))?.[1];
    if (why)
      return () => {
        throw new LeftOut(why);
      };
    if (signature && images.test(core)) return intoBuffer(session, signature, GL.PIXEL_PACK_BUFFER);
    if (signature && queryAnswers.test(core)) return intoBuffer(session, signature, GL.QUERY_BUFFER);
    if (questions.test(name) && !bufferAnswers.test(name)) return question(session, name);
    if (memory.test(name)) return () => {};
    if (name === 'glFrameTerminatorGREMEDY') return () => session.builder.endFrame();
    if (!signature)
      return () => {
        throw new LeftOut('it is no GL command that gpuprof knows');
      };
    if (/^gl(Select|Feedback)Buffer$/.test(core)) return resultBuffer(session, signature);
    if (/^glReadn?Pixels/.test(core)) return readPixels(session, signature);
    const found =
      growing(session, signature) ??
      ofState(session, signature) ??
      uploadTranslator(session, signature) ??
      objectTranslator(session, signature) ??
      listTranslator(session, signature) ??
      arrayElement(session, signature) ??
      indexedDraws(session, signature);
    if (found) return allowed(session, signature, found);
    const convert = argumentsFor(session, signature);
    return allowed(session, signature, (call) => session.emit(signature, convert(call)));
  };
}
