import { noneWord } from '../../../model/call-words.ts';

/** What the trace tells of one program. */
interface ProgramFacts {
  /** Uniform names by the location that the program got. */
  readonly names: Map<number, string>;
  /** Indices of the capture's locations, by the program's own; holes where none was used yet. */
  readonly indices: (number | undefined)[];
  /** Uniform blocks, storage blocks and so on: names by interface, then index. */
  readonly resources: Map<number, Map<number, string>>;
  readonly shaders: Set<number>;
  /** Text of the shaders that it was linked from, without comments. */
  source: string;
  /** Locations that this text gives, once it was searched. */
  declared: ReadonlyMap<number, string> | undefined;
  /** Whether it was made from a binary, which a capture does not have. */
  isBinary: boolean;
}

export const GL_UNIFORM = 0x92e1;
export const GL_UNIFORM_BLOCK = 0x92e2;
export const GL_SHADER_STORAGE_BLOCK = 0x92e6;

const comments = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
const precision = '(?:(?:lowp|mediump|highp)\\s+)?';
/** Others are structures, whose members have the locations. */
const basicType = '(?:[biud]?vec\\d|d?mat\\d(?:x\\d)?|float|double|u?int|bool|[iu]?(?:sampler|image)\\w+)';
const located = new RegExp(
  `layout\\s*\\([^)]*\\blocation\\s*=\\s*(\\d+|0[xX][\\da-fA-F]+)[^)]*\\)\\s*${precision}uniform\\s+${precision}${basicType}\\s+(\\w+)`,
  'g',
);

/** Uniforms whose location the source itself gives. */
function declaredLocations(source: string): Map<number, string> {
  const found = new Map<number, string>();
  for (const [, location, name] of source.matchAll(located)) found.set(Number(location), name);
  return found;
}

/** Elements of the array that the text declares by the last part of the name, 0 for none; infinite where it does not tell. */
function arrayLength(name: string, source: string): number {
  if (source === '') return Number.POSITIVE_INFINITY;
  const last = /(\w*)(\[\d+\])?$/.exec(name)?.[1];
  const declaration = new RegExp(`\\w\\s+${last}\\s*\\[\\s*(\\w*)\\s*\\](?!\\s*\\[)|\\]\\s*${last}\\b`).exec(source);
  if (!declaration) return 0;
  return /^\d+$/.test(declaration[1] ?? '') ? Number(declaration[1]) : Number.POSITIVE_INFINITY;
}

/** `name[2]` for two elements after `name`, `name[0]` or the like; undefined when the text has no such array. */
function elementName(name: string, offset: number, source: string): string | undefined {
  if (offset === 0) return name;
  const [, base, index] = /^(.*?)(?:\[(\d+)\])?$/s.exec(name) as RegExpExecArray;
  const element = Number(index ?? 0) + offset;
  return element < arrayLength(name, source) ? `${base}[${element}]` : undefined;
}

/** Elements of an array follow each other, and programs ask for the first one only. */
function uniformName(facts: ProgramFacts, location: number): string | undefined {
  const { names, source } = facts;
  const asked = names.get(location);
  if (asked !== undefined) return asked;
  facts.declared ??= declaredLocations(source);
  const { declared } = facts;
  let first = -1;
  for (const known of [...names.keys(), ...declared.keys()]) if (known <= location && known > first) first = known;
  const name = names.get(first) ?? declared.get(first);
  return name === undefined ? undefined : elementName(name, location - first, source);
}

/** Follows what programs' locations and indices mean, by name. Programs and shaders are known by their ids. */
export class Programs {
  readonly #programs = new Map<number, ProgramFacts>();
  readonly #sources = new Map<number, string>();
  readonly #binaryShaders = new Set<number>();
  readonly #locationOf: (program: number, name: string) => number;

  constructor(locationOf: (program: number, name: string) => number) {
    this.#locationOf = locationOf;
  }

  setSource(shader: number, source: string): void {
    this.#sources.set(shader, source);
    this.#binaryShaders.delete(shader);
  }

  /** A shader gets a binary in the place of text. */
  loadedShader(shader: number): void {
    this.#binaryShaders.add(shader);
  }

  attach(program: number, shader: number): void {
    this.#facts(program).shaders.add(shader);
  }

  detach(program: number, shader: number): void {
    this.#facts(program).shaders.delete(shader);
  }

  /** It is made of what is attached now. */
  linked(program: number): void {
    const facts = this.#facts(program);
    const texts = [...facts.shaders].map((shader) => this.#sources.get(shader) ?? '');
    facts.source = texts.join('\n').replace(comments, ' ');
    facts.declared = undefined;
    facts.indices.length = 0;
    facts.isBinary = [...facts.shaders].some((shader) => this.#binaryShaders.has(shader));
  }

  /** It is made from a binary. */
  loaded(program: number): void {
    this.#facts(program).isBinary = true;
  }

  /** Whether it has been linked from what a capture does not have. */
  isBinary(program: number): boolean {
    return this.#programs.get(program)?.isBinary === true;
  }

  /** What glGetUniformLocation answered. */
  setUniform(program: number, location: number, name: string): void {
    if (location < 0) return;
    const facts = this.#facts(program);
    if (facts.names.get(location) === name) return;
    facts.names.set(location, name);
    facts.indices.length = 0;
  }

  /** What glGetUniformBlockIndex or glGetProgramResourceIndex answered. */
  setResource(program: number, kind: number, index: number, name: string): void {
    const { resources } = this.#facts(program);
    const names = resources.get(kind);
    if (names) names.set(index, name);
    else resources.set(kind, new Map([[index, name]]));
  }

  resource(program: number, kind: number, index: number): string | undefined {
    return this.#facts(program).resources.get(kind)?.get(index);
  }

  /** The capture's location for a location that the program used: by number where its name is not known. */
  location(program: number, location: number): number {
    const facts = this.#facts(program);
    const known = facts.indices[location];
    if (known !== undefined) return known;
    if (location < 0) return noneWord;
    const index = this.#locationOf(program, uniformName(facts, location) ?? `#${location}`);
    facts.indices[location] = index;
    return index;
  }

  #facts(program: number): ProgramFacts {
    let facts = this.#programs.get(program);
    if (!facts) {
      facts = {
        names: new Map(),
        indices: [],
        resources: new Map(),
        shaders: new Set(),
        source: '',
        declared: undefined,
        isBinary: false,
      };
      this.#programs.set(program, facts);
    }
    return facts;
  }
}
