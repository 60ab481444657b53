/** Commands about programs: what programs are made of, and what their locations and indices mean. */
import { signatureOf } from '../../../gl/command-table.ts';
import type { Signature } from '../../../model/signature.ts';
import { argumentsFor } from './arguments.ts';
import { GL_SHADER_STORAGE_BLOCK, GL_UNIFORM, GL_UNIFORM_BLOCK } from './programs.ts';
import { LeftOut, type Session, type Translate } from './session.ts';
import { isList, numberOf, numbersOf, textOf } from './values.ts';

const GL_LOCATION = 0x930e;
const noBinaries = 'program binaries are for the recorded driver only';
const noShaderBinaries = 'shaders that are not text are not replayed';

/** Nothing can be done with a program whose binary is left out. */
function refuseBinary({ programs }: Session, program: number): void {
  if (programs.isBinary(program)) throw new LeftOut(noBinaries);
}

/** Locations belong to the program in use, or to the one that the call names. */
function uniform(session: Session, signature: Signature): Translate {
  const { params } = signature;
  const isNamed = params[0].objectClass === 'program';
  const convert = argumentsFor(session, signature, {
    location: (value, { args }) => {
      const program = isNamed ? session.id('program', numberOf(args[0])) : session.context.bindings.activeProgram();
      if (program === 0) throw new LeftOut('no program was in use');
      refuseBinary(session, program);
      return session.programs.location(program, numberOf(value));
    },
  });
  return (call) => session.emit(signature, convert(call));
}

function shaderSource(session: Session): Translate {
  return ({ args }) => {
    const shader = session.id('shader', numberOf(args[0]));
    const texts = (isList(args[2]) ? args[2] : [args[2]]).map((text) => textOf(text) ?? '');
    session.programs.setSource(shader, texts.join(''));
    session.named('glShaderSource', [shader, texts.length, texts, null]);
  };
}

function createShaderProgram(session: Session): Translate {
  return ({ args, result }) => {
    const name = numberOf(result ?? null);
    if (name === 0) throw new LeftOut('it failed when it was recorded');
    const texts = (isList(args[2]) ? args[2] : [args[2]]).map((text) => textOf(text) ?? '');
    const program = session.make('program', name);
    // The program's own shader has no name; no other has a negative one.
    session.programs.setSource(-program, texts.join(''));
    session.programs.attach(program, -program);
    session.programs.linked(program);
    session.named('glCreateShaderProgramv', [numberOf(args[0]), texts.length, texts], program);
  };
}

/** A block's binding, by the block's name where the program ever asked for it. */
function blockBinding(session: Session, plain: string, pseudo: string, kind: number): Translate {
  return ({ args }) => {
    const program = session.id('program', numberOf(args[0]));
    refuseBinary(session, program);
    const [index, binding] = [numberOf(args[1]), numberOf(args[2])];
    const name = session.programs.resource(program, kind, index);
    if (name !== undefined) session.named(pseudo, [program, name, binding]);
    else session.named(plain, [program, index, binding]);
  };
}

function deleteObject(session: Session): Translate {
  return ({ args }) => {
    const name = numberOf(args[0]);
    const isShader = session.context.names.of('shader').has(name);
    const objectClass = isShader ? 'shader' : 'program';
    session.named(isShader ? 'glDeleteShader' : 'glDeleteProgram', [session.id(objectClass, name)]);
  };
}

/** Questions whose answers give locations and indices a meaning. */
function answers(session: Session): Readonly<Record<string, Translate>> {
  const { programs } = session;
  const program = (value: Parameters<typeof numberOf>[0]) => session.id('program', numberOf(value));
  const uniformLocation: Translate = ({ args, result }) =>
    programs.setUniform(program(args[0]), numberOf(result ?? null), textOf(args[1]) ?? '');
  const blockIndex: Translate = ({ args, result }) =>
    programs.setResource(program(args[0]), GL_UNIFORM_BLOCK, numberOf(result ?? null), textOf(args[1]) ?? '');
  return {
    glGetUniformLocation: uniformLocation,
    glGetUniformLocationARB: uniformLocation,
    glGetUniformBlockIndex: blockIndex,
    glGetActiveUniformBlockName: ({ args }) => {
      if (args[4] !== null)
        programs.setResource(program(args[0]), GL_UNIFORM_BLOCK, numberOf(args[1]), textOf(args[4]) ?? '');
    },
    glGetProgramResourceIndex: ({ args, result }) =>
      programs.setResource(program(args[0]), numberOf(args[1]), numberOf(result ?? null), textOf(args[2]) ?? ''),
    glGetProgramResourceName: ({ args }) => {
      if (args[5] !== null)
        programs.setResource(program(args[0]), numberOf(args[1]), numberOf(args[2]), textOf(args[5]) ?? '');
    },
    glGetProgramResourceLocation: ({ args, result }) => {
      if (numberOf(args[1]) === GL_UNIFORM)
        programs.setUniform(program(args[0]), numberOf(result ?? null), textOf(args[2]) ?? '');
    },
    glGetProgramResourceiv: ({ args }) => {
      const id = program(args[0]);
      const name = programs.resource(id, GL_UNIFORM, numberOf(args[2]));
      const at = numbersOf(args[4]).indexOf(GL_LOCATION);
      if (numberOf(args[1]) !== GL_UNIFORM || name === undefined || at < 0) return;
      const location = numbersOf(args[7])[at];
      if (location !== undefined) programs.setUniform(id, location, name);
    },
  };
}

function programBinary(session: Session): Translate {
  return ({ args }) => {
    const program = session.context.names.of('program').get(numberOf(args[0]));
    if (program !== undefined) session.programs.loaded(program);
    throw new LeftOut(noBinaries);
  };
}

function shaderBinary(session: Session): Translate {
  return ({ args }) => {
    for (const name of numbersOf(args[1])) session.programs.loadedShader(session.id('shader', name));
    throw new LeftOut(noShaderBinaries);
  };
}

/** No program is in use where one from a binary would be. */
function useProgram(session: Session, signature: Signature): Translate {
  return ({ args }) => {
    const program = session.id('program', numberOf(args[0]));
    if (session.programs.isBinary(program)) session.emit(signature, [0]);
    refuseBinary(session, program);
    session.emit(signature, [program]);
  };
}

function useProgramStages(session: Session, signature: Signature): Translate {
  const convert = argumentsFor(session, signature);
  return (call) => {
    const args = convert(call);
    refuseBinary(session, Number(args[2]));
    session.emit(signature, args);
  };
}

/** Translators of programs' commands; `name` is that of core GL. */
export function programTranslators(session: Session): (name: string, signature?: Signature) => Translate | undefined {
  const { programs } = session;
  /** The plain call, and what is to be remembered of it. */
  const observed = (name: string, remember: (args: readonly number[]) => void): Translate => {
    const signature = signatureOf(name) as Signature;
    const convert = argumentsFor(session, signature);
    return (call) => {
      const args = convert(call);
      remember(args as number[]);
      session.emit(signature, args);
    };
  };
  const refuse =
    (why: string): Translate =>
    () => {
      throw new LeftOut(why);
    };
  const make: Readonly<Record<string, () => Translate>> = {
    glShaderSource: () => shaderSource(session),
    glCreateShaderProgramv: () => createShaderProgram(session),
    glAttachShader: () => observed('glAttachShader', ([program, shader]) => programs.attach(program, shader)),
    glDetachShader: () => observed('glDetachShader', ([program, shader]) => programs.detach(program, shader)),
    glLinkProgram: () => observed('glLinkProgram', ([program]) => programs.linked(program)),
    glUniformBlockBinding: () =>
      blockBinding(session, 'glUniformBlockBinding', 'gpuprofUniformBlockBinding', GL_UNIFORM_BLOCK),
    glShaderStorageBlockBinding: () =>
      blockBinding(session, 'glShaderStorageBlockBinding', 'gpuprofShaderStorageBlockBinding', GL_SHADER_STORAGE_BLOCK),
    glDeleteObjectARB: () => deleteObject(session),
    glProgramBinary: () => programBinary(session),
    glProgramBinaryOES: () => programBinary(session),
    glShaderBinary: () => shaderBinary(session),
    glSpecializeShader: () => refuse(noShaderBinaries),
    glSpecializeShaderARB: () => refuse(noShaderBinaries),
  };
  const asked = answers(session);
  return (name, signature) => {
    if (Object.hasOwn(make, name)) return make[name]();
    if (signature && /^glUseProgramStages/.test(name)) return useProgramStages(session, signature);
    if (signature && /^glUseProgram(ObjectARB)?$/.test(name)) return useProgram(session, signature);
    if (Object.hasOwn(asked, name)) return asked[name];
    return signature?.params.some(({ type }) => type === 'location') ? uniform(session, signature) : undefined;
  };
}
