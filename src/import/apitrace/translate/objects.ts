/** Commands that make, delete and label objects. */
import type { ObjectClass, Signature } from '../../../model/signature.ts';
import type { TraceCall, TraceValue } from '../trace.ts';
import { argumentsFor } from './arguments.ts';
import { LeftOut, type Session, type Translate } from './session.ts';
import { isList, numberOf, numbersOf } from './values.ts';

const generates = /^gl(Gen(?!erate|Lists|Symbols)|Create)\w+s(ARB|EXT|OES|NV|APPLE|ANGLE)?$/;
const deletes = /^glDelete\w+s(ARB|EXT|OES|NV|APPLE|ANGLE)?$/;

function listAt(signature: Signature): number {
  return signature.params.findIndex(({ type }) => type === 'objects');
}

/** The names are those that the program got; the capture's are new. */
function generate(session: Session, signature: Signature): Translate {
  const at = listAt(signature);
  const objectClass = signature.params[at].objectClass as ObjectClass;
  const before = at > 1 ? 1 : 0;
  return ({ args }) => {
    const names = numbersOf(args[at]);
    const ids = names.map((name) => session.make(objectClass, name));
    session.emit(signature, [...args.slice(0, before).map(numberOf), ids.length, ids]);
  };
}

function deleteMany(session: Session, signature: Signature): Translate {
  const at = listAt(signature);
  const objectClass = signature.params[at].objectClass as ObjectClass;
  return ({ args }) => {
    const known = session.context.names.of(objectClass);
    // Names of nothing are ignored by GL too.
    const names = isList(args[at]) ? numbersOf(args[at]).filter((name) => known.has(name)) : [];
    const all = names.map((name) => known.get(name) as number);
    const ids = all.filter((id) => !session.isHeldElsewhere(objectClass, id));
    for (const name of names) known.delete(name);
    if (ids.length === 0 && all.length > 0) return;
    session.forget(objectClass, ids);
    session.emit(signature, [ids.length, ids]);
  };
}

function deleteProgram(session: Session, signature: Signature): Translate {
  const convert = argumentsFor(session, signature);
  return (call) => {
    const args = convert(call);
    const program = Number(args[0]);
    if (session.isHeldElsewhere('program', program)) return;
    session.emit(signature, args);
    session.forget('program', [program]);
  };
}

const GL_TEXTURE = 0x1702;
const GL_RENDERBUFFER = 0x8d41;

/** What `identifier` of glObjectLabel and `type` of glLabelObjectEXT can be. */
const labelled: ReadonlyMap<number, ObjectClass> = new Map([
  [0x82e0, 'buffer'],
  [0x9151, 'buffer'], // BUFFER_OBJECT_EXT
  [0x82e1, 'shader'],
  [0x8b48, 'shader'], // SHADER_OBJECT_EXT
  [0x82e2, 'program'],
  [0x8b40, 'program'], // PROGRAM_OBJECT_EXT
  [0x8074, 'vertexArray'],
  [0x9154, 'vertexArray'], // VERTEX_ARRAY_OBJECT_EXT
  [0x82e3, 'query'],
  [0x9153, 'query'], // QUERY_OBJECT_EXT
  [0x82e4, 'programPipeline'],
  [0x8a4f, 'programPipeline'], // PROGRAM_PIPELINE_OBJECT_EXT
  [0x8e22, 'transformFeedback'],
  [0x82e6, 'sampler'],
  [GL_TEXTURE, 'texture'],
  [0x8d41, 'renderbuffer'],
  [0x8d40, 'framebuffer'],
]);

/** The name in `name` is of the class that the parameter before it tells. */
function label(session: Session, signature: Signature): Translate {
  const nameParam = signature.params[1].name;
  const convert = argumentsFor(session, signature, {
    [nameParam]: (value, { args }) => {
      const objectClass = labelled.get(numberOf(args[0]));
      if (!objectClass) throw new LeftOut('what it labels has no place in a capture');
      const id = session.context.names.of(objectClass).get(numberOf(value));
      if (id === undefined) throw new LeftOut('what it labels does not exist');
      return id;
    },
  });
  return (call) => session.emit(signature, convert(call));
}

function copyImage(session: Session, signature: Signature): Translate {
  const id =
    (target: number) =>
    (value: TraceValue, { args }: TraceCall) =>
      session.id(args[target] === GL_RENDERBUFFER ? 'renderbuffer' : 'texture', numberOf(value));
  const convert = argumentsFor(session, signature, { srcName: id(1), dstName: id(7) });
  return (call) => session.emit(signature, convert(call));
}

const returnsObject = ({ result }: Signature): boolean =>
  result.type === 'object' && result.objectClass !== 'displayList';

/** glCreateShader, glFenceSync: what is returned is the name. */
function create(session: Session, signature: Signature): Translate {
  const convert = argumentsFor(session, signature);
  const objectClass = signature.result.objectClass as ObjectClass;
  return (call) => {
    const name = numberOf(call.result ?? null);
    if (name === 0) throw new LeftOut('it failed when it was recorded');
    const args = convert(call);
    session.emit(signature, args, session.make(objectClass, name));
  };
}

export function objectTranslator(session: Session, signature: Signature): Translate | undefined {
  const { name } = signature;
  if (/^gl(ObjectLabel|LabelObject)/.test(name)) return label(session, signature);
  if (/^glCopyImageSubData/.test(name)) return copyImage(session, signature);
  if (listAt(signature) >= 0 && generates.test(name)) return generate(session, signature);
  if (listAt(signature) >= 0 && deletes.test(name)) return deleteMany(session, signature);
  if (name === 'glDeleteProgram') return deleteProgram(session, signature);
  return returnsObject(signature) && name !== 'glCreateShaderProgramv' ? create(session, signature) : undefined;
}
