import type { GlContext } from '../gl/context.ts';
import { Scratch } from '../gl/native.ts';
import type { Argument, Call } from '../model/call.ts';
import type { Manifest } from '../model/capture.ts';
import { baseName } from '../model/gl-constants.ts';
import { perSignature } from '../model/per-signature.ts';
import type { Signature } from '../model/signature.ts';
import { glEnums } from './constants.ts';
import { requireLinked } from './link-check.ts';
import { upgradeFor } from './link-upgrade.ts';
import type { LiveObjects } from './live-objects.ts';
import { countsDraws, shaderSources } from './shader-sources.ts';

const e = glEnums(
  'GL_ATTACHED_SHADERS',
  'GL_COMPUTE_SHADER',
  'GL_FRAGMENT_SHADER',
  'GL_PROGRAM_SEPARABLE',
  'GL_SHADER_TYPE',
  'GL_VERTEX_SHADER',
);

interface ShaderRecord {
  readonly type: number;
  sources: readonly string[];
}

/** Everything a link depends on, so that it can be done again when a frame has linked the program anew. */
interface LinkInputs {
  readonly shaders: readonly { readonly type: number; readonly sources: readonly string[] }[];
  readonly before: readonly Call[];
}

interface ProgramRecord {
  attached: readonly number[];
  /** Calls that take effect at the next link: attribute locations, varyings, parameters. */
  settings: readonly Call[];
  linked: LinkInputs | undefined;
}

/** State of the programs and shaders a frame found. */
export interface ProgramsSnapshot {
  readonly shaders: ReadonlyMap<number, readonly string[]>;
  readonly programs: ReadonlyMap<number, Readonly<ProgramRecord>>;
}

const number = (value: Argument): number => Number(value);
const linkSettings =
  /^(BindAttribLocation|BindFragDataLocation(Indexed)?|TransformFeedbackVaryings|ProgramParameteri)$/;
const making = /^(CreateShader|CreateProgram|ShaderSource|AttachShader|DetachShader|LinkProgram)$/;
/** Base names of the commands that programs are made by. */
const nameOf = perSignature((signature): string | null => {
  const name = baseName(signature.name);
  return making.test(name) || linkSettings.test(name) ? name : null;
});
const sourceChunk = 1 << 20;
/** A location without a name: FORMAT.md, "Uniform locations". */
const numbered = /^#\d{1,9}$/;

/** Native memory that holds texts and an array of pointers to them. */
function textArray(texts: readonly string[]): { count: number; address: number; keep: unknown } {
  const encoded = texts.map((text) => new TextEncoder().encode(`${text}\0`));
  const bytes = new Scratch(encoded.reduce((sum, text) => sum + text.length, 0));
  const pointers = new Scratch(texts.length * 8);
  let at = 0;
  for (const [index, text] of encoded.entries()) {
    bytes.u8.set(text, at);
    pointers.u64[index] = BigInt(bytes.address + at);
    at += text.length;
  }
  return { count: texts.length, address: pointers.address, keep: [bytes, pointers] };
}

/** Follows what programs are made of, looks uniform locations up after links, and links again what a frame relinked. */
export class Programs {
  readonly #context: GlContext;
  readonly #objects: LiveObjects;
  readonly #shaders = new Map<number, ShaderRecord>();
  readonly #programs = new Map<number, ProgramRecord>();
  readonly #locations = new Map<number, [index: number, name: string][]>();
  /** GL's names of programs that are known to have linked. */
  readonly #usable = new Set<number>();
  readonly #prefix: string;
  readonly #isDesktop: boolean;
  readonly #isWebGl: boolean;

  /** On desktop GL, sources of an ES program that name no version get one. */
  constructor(context: GlContext, objects: LiveObjects, manifest: Manifest, esOnDesktop: boolean) {
    this.#context = context;
    this.#objects = objects;
    this.#isDesktop = manifest.api === 'gl';
    this.#isWebGl = manifest.api.startsWith('webgl');
    this.#prefix = esOnDesktop ? '#version 100\n' : '';
    for (const [index, [program, name]] of manifest.locations.entries()) {
      const list = this.#locations.get(program);
      if (list) list.push([index, name]);
      else this.#locations.set(program, [[index, name]]);
    }
  }

  /** Whether calls of this signature say what programs are made of; others need not be observed. */
  static follows = (signature: Signature): boolean => nameOf(signature) !== null;

  /** To be called with each call in order. */
  observe(call: Call): void {
    const name = nameOf(call.signature);
    if (name === null) return;
    const a = call.args;
    if (name === 'CreateShader') this.#shaders.set(call.result, { type: number(a[0]), sources: [] });
    else if (name === 'CreateProgram')
      this.#programs.set(call.result, { attached: [], settings: [], linked: undefined });
    else if (name === 'ShaderSource') {
      const shader = this.#shaders.get(number(a[0]));
      if (shader) shader.sources = (a[2] as readonly string[]).slice(0, number(a[1]));
    } else {
      const program = this.#programs.get(number(a[0]));
      if (!program) return;
      if (name === 'AttachShader') program.attached = [...program.attached, number(a[1])];
      else if (name === 'DetachShader') program.attached = program.attached.filter((id) => id !== a[1]);
      else if (linkSettings.test(name)) program.settings = [...program.settings, call];
      else if (name === 'LinkProgram')
        program.linked = {
          shaders: program.attached.flatMap((id) => {
            const shader = this.#shaders.get(id);
            return shader ? [{ type: shader.type, sources: shader.sources }] : [];
          }),
          before: program.settings,
        };
    }
  }

  snapshot(): ProgramsSnapshot {
    return {
      shaders: new Map([...this.#shaders].map(([id, { sources }]) => [id, sources])),
      programs: new Map([...this.#programs].map(([id, record]) => [id, { ...record }])),
    };
  }

  /** Whether a program's shaders count the draws of a multi-draw by {@link drawIdUniform}. */
  countsDraws(program: number): boolean {
    const shaders = this.#isWebGl ? (this.#programs.get(program)?.linked?.shaders ?? []) : [];
    return shaders.some(({ sources }) => countsDraws(this.#context, sources));
  }

  /** Throws GpuprofError `missing-feature` when a program of WebGL that the capture uses did not link here. */
  requireLinked(id: number): void {
    const name = this.#objects.names.program[id];
    if (!this.#isWebGl || name === 0 || this.#usable.has(name)) return;
    requireLinked(this.#context, name, id, this.#attached(name));
    this.#usable.add(name);
  }

  /** Texts for glShaderSource in the driver's words, with a version where desktop GL needs one. */
  sourceArray(recorded: readonly string[]): { count: number; address: number; keep: unknown } {
    const texts = this.#isWebGl ? shaderSources(this.#context, recorded) : recorded;
    const first = texts.join('').slice(0, sourceChunk);
    const versioned = this.#prefix === '' || /^\s*#\s*version/m.test(first);
    return textArray(versioned ? texts : [this.#prefix, ...texts]);
  }

  /** Links a program and looks its locations up. */
  link(id: number): void {
    const program = this.#objects.names.program[id];
    this.#usable.delete(program);
    const upgrade = this.#isWebGl ? upgradeFor(this.#context, this.#attached(program)) : undefined;
    upgrade?.attach(program);
    if (this.#isWhole(id)) this.#context.gl.glLinkProgram(program);
    upgrade?.detach(program);
    this.resolveLocations(id);
  }

  /** Programs that lack a stage cannot link in ES; Mesa 22.3 crashes over some that try. */
  #isWhole(id: number): boolean {
    const settings = this.#programs.get(id)?.settings ?? [];
    if (this.#isDesktop || settings.some(({ args }) => args[1] === e.GL_PROGRAM_SEPARABLE)) return true;
    const { gl, scratch } = this.#context;
    const types = this.#attached(this.#objects.names.program[id]).map((shader) => {
      gl.glGetShaderiv(shader, e.GL_SHADER_TYPE, scratch.address);
      return scratch.i32[0];
    });
    const whole = types.includes(e.GL_VERTEX_SHADER) && types.includes(e.GL_FRAGMENT_SHADER);
    return whole || types.includes(e.GL_COMPUTE_SHADER);
  }

  #attached(program: number): number[] {
    const { gl, scratch } = this.#context;
    // There is no program 0, of which GL would write nothing.
    scratch.i32[0] = 0;
    gl.glGetProgramiv(program, e.GL_ATTACHED_SHADERS, scratch.address);
    const count = Math.min(scratch.i32[0], 32);
    gl.glGetAttachedShaders(program, count, 0, scratch.address);
    return Array.from(scratch.u32.slice(0, count));
  }

  /** Looks up every location the capture uses of a program; after each link. */
  resolveLocations(program: number): void {
    const { gl, scratch } = this.#context;
    const name = this.#objects.names.program[program];
    for (const [index, text] of this.#locations.get(program) ?? [])
      this.#objects.locations[index] = numbered.test(text)
        ? Number(text.slice(1))
        : gl.glGetUniformLocation(name, scratch.cString(text));
  }

  /** Puts a shader's source back and compiles it. */
  restoreShader(id: number, before: ProgramsSnapshot): void {
    const sources = before.shaders.get(id);
    if (sources) this.#compile(this.#objects.names.shader[id], sources);
  }

  #make(type: number, sources: readonly string[]): number {
    const shader = this.#context.gl.glCreateShader(type) as number;
    this.#compile(shader, sources);
    return shader;
  }

  #compile(shader: number, sources: readonly string[]): void {
    const { gl } = this.#context;
    const { count, address } = this.sourceArray(sources);
    gl.glShaderSource(shader, count, address, 0);
    gl.glCompileShader(shader);
  }

  /** Brings a program back to its last link before the frame, attached shaders included; one never linked must be new. */
  relink(id: number, before: ProgramsSnapshot): void {
    const { gl } = this.#context;
    const record = before.programs.get(id);
    if (!record) return;
    const program = this.#objects.names.program[id];
    for (const shader of this.#attached(program)) gl.glDetachShader(program, shader);
    if (record.linked) this.#linkAs(id, record.linked);
    for (const shader of record.attached) {
      const { names, deletedShaders } = this.#objects;
      if (names.shader[shader] !== 0) {
        gl.glAttachShader(program, names.shader[shader]);
        continue;
      }
      // Deleted before the frame, and gone since it was detached.
      const [known, sources] = [this.#shaders.get(shader), before.shaders.get(shader)];
      if (!known || !sources) continue;
      const made = this.#make(known.type, sources);
      gl.glAttachShader(program, made);
      gl.glDeleteShader(made);
      deletedShaders[shader] = made;
    }
    for (const call of record.settings.slice(record.linked?.before.length ?? 0)) this.#setting(program, call);
  }

  #linkAs(id: number, { shaders, before }: LinkInputs): void {
    const { gl } = this.#context;
    const program = this.#objects.names.program[id];
    const temporary = shaders.map(({ type, sources }) => {
      const shader = this.#make(type, sources);
      gl.glAttachShader(program, shader);
      return shader;
    });
    for (const call of before) this.#setting(program, call);
    this.link(id);
    for (const shader of temporary) {
      gl.glDetachShader(program, shader);
      gl.glDeleteShader(shader);
    }
  }

  #setting(program: number, { signature, args }: Call): void {
    const { gl, scratch } = this.#context;
    const name = baseName(signature.name);
    const fn = this.#context.require(signature.name);
    if (name === 'TransformFeedbackVaryings') {
      const { count, address } = textArray(args[2] as readonly string[]);
      gl.glTransformFeedbackVaryings(program, count, address, number(args[3]));
    } else if (name === 'ProgramParameteri') fn(program, number(args[1]), number(args[2]));
    else if (name === 'BindFragDataLocationIndexed')
      fn(program, number(args[1]), number(args[2]), scratch.cString(args[3] as string));
    else fn(program, number(args[1]), scratch.cString(args[2] as string));
  }
}
