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
  /** Locations that the shaders' own text gives, once it was searched. */
  declared: ReadonlyMap<number, string> | undefined;
  /** Whether it was made from a binary, which a capture does not have. */
  isBinary: boolean;
}

export const GL_UNIFORM = 0x92e1;
export const GL_UNIFORM_BLOCK = 0x92e2;
export const GL_SHADER_STORAGE_BLOCK = 0x92e6;

const comments = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
const located =
  /layout\s*\([^)]*\blocation\s*=\s*(\d+|0[xX][\da-fA-F]+)[^)]*\)\s*(?:(?:lowp|mediump|highp)\s+)?uniform\s+(?:(?:lowp|mediump|highp)\s+)?\w+\s+(\w+)/g;

/** Uniforms whose location the source itself gives. */
function declaredLocations(sources: Iterable<string>): Map<number, string> {
  const found = new Map<number, string>();
  for (const source of sources)
    for (const [, location, name] of source.replace(comments, ' ').matchAll(located)) found.set(Number(location), name);
  return found;
}

/** `name[2]` for two elements after `name`, `name[0]` or the like. */
function elementName(name: string, offset: number): string {
  if (offset === 0) return name;
  const [, base, index] = /^(.*?)(?:\[(\d+)\])?$/s.exec(name) as RegExpExecArray;
  return `${base}[${Number(index ?? 0) + offset}]`;
}

/** Follows what programs' locations and indices mean, by name. Programs and shaders are known by their ids. */
export class Programs {
  readonly #programs = new Map<number, ProgramFacts>();
  readonly #sources = new Map<number, string>();
  readonly #locationOf: (program: number, name: string) => number;

  constructor(locationOf: (program: number, name: string) => number) {
    this.#locationOf = locationOf;
  }

  setSource(shader: number, source: string): void {
    this.#sources.set(shader, source);
  }

  attach(program: number, shader: number): void {
    this.#facts(program).shaders.add(shader);
  }

  detach(program: number, shader: number): void {
    // The text stays what the last link was made of.
    this.#declared(program);
    this.#facts(program).shaders.delete(shader);
  }

  /** The shaders' text is that of what is attached now. */
  linked(program: number): void {
    const facts = this.#facts(program);
    facts.declared = undefined;
    facts.isBinary = false;
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

  /** The capture's location for a location that the program used; undefined when its name is not known. */
  location(program: number, location: number): number | undefined {
    const facts = this.#facts(program);
    const known = facts.indices[location];
    if (known !== undefined) return known;
    if (location === -1) return noneWord;
    const name = this.#uniformName(program, facts, location);
    if (name === undefined) return undefined;
    const index = this.#locationOf(program, name);
    facts.indices[location] = index;
    return index;
  }

  /** Elements of an array follow each other, and programs ask for the first one only. */
  #uniformName(program: number, { names }: ProgramFacts, location: number): string | undefined {
    const asked = names.get(location);
    if (asked !== undefined) return asked;
    let first = -1;
    const declared = this.#declared(program);
    for (const known of [...names.keys(), ...declared.keys()]) if (known <= location && known > first) first = known;
    const name = names.get(first) ?? declared.get(first);
    return name === undefined ? undefined : elementName(name, location - first);
  }

  #declared(program: number): ReadonlyMap<number, string> {
    const facts = this.#facts(program);
    facts.declared ??= declaredLocations([...facts.shaders].map((shader) => this.#sources.get(shader) ?? ''));
    return facts.declared;
  }

  #facts(program: number): ProgramFacts {
    let facts = this.#programs.get(program);
    if (!facts) {
      facts = {
        names: new Map(),
        indices: [],
        resources: new Map(),
        shaders: new Set(),
        declared: undefined,
        isBinary: false,
      };
      this.#programs.set(program, facts);
    }
    return facts;
  }
}
