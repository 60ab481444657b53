/** What a shader reads beside its inputs, told by its declarations: uniforms, samplers, images and blocks. */
import { evaluate, preprocess } from './preprocess.ts';

/** A sampler or image uniform. */
export interface OpaqueUniform {
  /** As uniform locations name it, without the index of its last array. */
  readonly name: string;
  /** `sampler2DShadow` without sampler or image and the prefixes of integers: `2DShadow`. */
  readonly dimensions: string;
  readonly isImage: boolean;
  readonly count: number;
  /** Unit of its first element as declared; null: all are at unit 0 until set. */
  readonly binding: number | null;
  /** Whether texels are fetched by level, which passes filters by. */
  readonly isFetched: boolean;
}

export interface Block {
  readonly name: string;
  readonly kind: 'uniform' | 'storage' | 'atomic';
  /** Of its first element as declared. */
  readonly binding: number | null;
  readonly count: number;
}

export interface ShaderInterface {
  /** Bytes of each plain uniform, by name. */
  readonly uniforms: ReadonlyMap<string, number>;
  readonly opaque: readonly OpaqueUniform[];
  readonly blocks: readonly Block[];
}

/** Elements of arrays that are told apart; no GL has so many units. */
const mostElements = 256;
const mostUniforms = 4096;

/** `count`: elements of an array, 0 for none. */
interface Variable {
  readonly type: string;
  readonly name: string;
  readonly count: number;
}

const scalar = /^(?:(bool|int|uint|float)|(double|u?int64_t))$/;
const vector = /^(d|i64|u64)?(?:[biu])?vec([234])$/;
const matrix = /^(d)?mat([234])(?:x([234]))?$/;
const opaqueType = /^[iu]?(?:64)?(sampler|image|texture|subpassInput)(\w*)$/;

/** Bytes of a plain type's values; 0 for others. */
function typeBytes(type: string): number {
  const single = scalar.exec(type);
  if (single) return single[1] ? 4 : 8;
  const several = vector.exec(type);
  if (several) return Number(several[2]) * (several[1] ? 8 : 4);
  const grid = matrix.exec(type);
  return grid ? Number(grid[2]) * Number(grid[3] ?? grid[2]) * (grid[1] ? 8 : 4) : 0;
}

/** Elements of an array whose outer dimensions have `outer` (0: it has none). */
const elements = (outer: number, size: number | undefined): number =>
  Math.min(Math.max(1, outer) * Math.max(1, size ?? 1), 2 ** 20);

class Parser {
  readonly #tokens: readonly string[];
  readonly #uses = new Map<string, number>();
  readonly #fetched: ReadonlySet<string>;
  readonly #structs = new Map<string, readonly Variable[]>();
  readonly #constants = new Map<string, number>();
  readonly uniforms = new Map<string, number>();
  readonly opaque: OpaqueUniform[] = [];
  readonly blocks: Block[] = [];
  #at = 0;
  /** Uniforms looked at, those inside structures included. */
  #visits = 0;

  constructor(code: string, macros: string) {
    this.#tokens = code.match(/[A-Za-z_]\w*|\d[\w.]*|\S/g) ?? [];
    for (const [name] of `${code}\n${macros}`.matchAll(/[A-Za-z_]\w*/g))
      this.#uses.set(name, (this.#uses.get(name) ?? 0) + 1);
    const fetches = `${code}\n${macros}`.matchAll(/\btexelFetch\w*\s*\(\s*(\w+)/g);
    this.#fetched = new Set([...fetches].map(([, name]) => name));
  }

  parse(): void {
    while (this.#at < this.#tokens.length) this.#statement();
  }

  /** Past the bracket that closes the one before; gives what is between. */
  #enclosed(open: string, close: string): string[] {
    const inside: string[] = [];
    for (let depth = 1; this.#at < this.#tokens.length; this.#at++) {
      const token = this.#tokens[this.#at];
      if (token === open) depth++;
      if (token === close && --depth === 0) {
        this.#at++;
        break;
      }
      inside.push(token);
    }
    return inside;
  }

  #take(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at++;
    return true;
  }

  #number(tokens: readonly string[]): number | undefined {
    return evaluate(tokens.join(' ').replace(/(\d)[uU]\b/g, '$1'), (name) => this.#constants.get(name));
  }

  /** `[n]` or several of them: how many elements in all; 0 for none, 1 when their number cannot be told. */
  #dimensions(): number {
    let count = 0;
    while (this.#take('[')) count = elements(count, this.#number(this.#enclosed('[', ']')));
    return count;
  }

  /** One declaration at global scope, or whatever else stands there up to its end. */
  #statement(): void {
    let binding: number | null = null;
    let storage = '';
    let isConstant = false;
    for (;;) {
      const token = this.#tokens[this.#at];
      if (token === 'layout') {
        this.#at++;
        if (!this.#take('(')) continue;
        const layout = this.#enclosed('(', ')');
        const place = layout.indexOf('binding');
        if (place >= 0) {
          const end = layout.indexOf(',', place);
          binding = Math.max(0, this.#number(layout.slice(place + 2, end < 0 ? undefined : end)) ?? 0);
        }
      } else if (token === 'uniform' || token === 'buffer') {
        storage = token;
        this.#at++;
      } else if (token === 'const') {
        isConstant = true;
        this.#at++;
      } else if (
        /^(in|out|attribute|varying|shared|highp|mediump|lowp|flat|smooth|centroid|coherent|volatile|restrict|readonly|writeonly|invariant|precise|patch|sample|noperspective)$/.test(
          token ?? '',
        )
      )
        this.#at++;
      else break;
    }
    const type = this.#type();
    if (type === ';' || type === '}') return;
    if (storage === '' && !isConstant) this.#skip();
    else if (this.#take('{')) this.#block(storage, type, binding);
    else this.#variables(storage, type, binding);
  }

  /** A type's name; a struct that is declared here is remembered. */
  #type(): string {
    const word = this.#tokens[this.#at++] ?? '';
    if (word !== 'struct') {
      if (word === '{') this.#enclosed('{', '}');
      return word;
    }
    const name = this.#tokens[this.#at] === '{' ? ` ${this.#at}` : (this.#tokens[this.#at++] ?? '');
    if (this.#take('{')) this.#structs.set(name, this.#members(this.#enclosed('{', '}')));
    return name;
  }

  #members(tokens: readonly string[]): readonly Variable[] {
    const members: Variable[] = [];
    for (const declaration of tokens.join(' ').split(';')) {
      const [, type, list] = /^\s*(?:(?:highp|mediump|lowp) )?(\w+)\s+(.*)$/.exec(declaration) ?? [];
      for (const each of list?.split(',') ?? []) {
        const [, name, sizes] = /^\s*(\w+)\s*((?:\[[^\]]*\]\s*)*)$/.exec(each) ?? [];
        if (name === undefined) continue;
        let count = 0;
        for (const [, size] of sizes.matchAll(/\[([^\]]*)\]/g)) count = elements(count, this.#number([size]));
        members.push({ type, name, count });
      }
    }
    return members;
  }

  /** To the end of a declaration or of a function. */
  #skip(): void {
    while (this.#at < this.#tokens.length) {
      const token = this.#tokens[this.#at++];
      if (token === ';') return;
      if (token === '{') {
        this.#enclosed('{', '}');
        // What follows a function's body is the next statement; a struct's instances or a block's end in `;`.
        if (this.#tokens[this.#at] === ';') this.#at++;
        return;
      }
    }
  }

  #block(storage: string, name: string, binding: number | null): void {
    this.#enclosed('{', '}');
    if (/^[A-Za-z_]/.test(this.#tokens[this.#at] ?? '')) this.#at++;
    const count = Math.min(Math.max(1, this.#dimensions()), mostElements);
    this.#take(';');
    this.blocks.push({ name, kind: storage === 'buffer' ? 'storage' : 'uniform', binding, count });
  }

  #variables(storage: string, type: string, binding: number | null): void {
    const typeCount = this.#dimensions();
    while (this.#at < this.#tokens.length) {
      const name = this.#tokens[this.#at++];
      if (name === ';') return;
      const own = this.#dimensions();
      const count = typeCount > 0 ? elements(own, typeCount) : own;
      const value: string[] = [];
      let depth = 0;
      while (this.#at < this.#tokens.length) {
        const token = this.#tokens[this.#at];
        if (depth === 0 && (token === ',' || token === ';')) break;
        if (token === '(' || token === '{' || token === '[') depth++;
        if (token === ')' || token === '}' || token === ']') depth--;
        if (depth < 0) break;
        value.push(token);
        this.#at++;
      }
      if (storage === 'uniform' && (this.#uses.get(name) ?? 0) > 1) this.#uniform({ type, name, count }, binding, name);
      const constant = storage === '' && value[0] === '=' ? this.#number(value.slice(1)) : undefined;
      if (constant !== undefined) this.#constants.set(name, constant);
      if (this.#tokens[this.#at++] !== ',') return;
    }
  }

  /** `variable`: the name at global scope that it is part of. */
  #uniform({ type, name, count }: Variable, binding: number | null, variable: string): void {
    if (++this.#visits > mostUniforms || name.length > 300) return;
    const members = this.#structs.get(type);
    if (members) {
      for (let index = 0; index < Math.min(Math.max(1, count), mostElements); index++)
        for (const member of members)
          this.#uniform({ ...member, name: `${name}${count > 0 ? `[${index}]` : ''}.${member.name}` }, null, variable);
      return;
    }
    const opaque = opaqueType.exec(type);
    if (type === 'atomic_uint') this.blocks.push({ name, kind: 'atomic', binding, count: 1 });
    else if (opaque)
      this.opaque.push({
        name,
        dimensions: opaque[2],
        isImage: opaque[1] === 'image',
        count: Math.min(Math.max(1, count), mostElements),
        binding,
        isFetched: this.#fetched.has(variable),
      });
    else this.uniforms.set(name, typeBytes(type) * Math.max(1, count));
  }
}

/** Declarations of a shader's source; `predefined`: its macros before the first line. */
export function shaderInterface(source: string, predefined: ReadonlyMap<string, string>): ShaderInterface {
  const { code, macros } = preprocess(source, predefined);
  const parser = new Parser(code, macros);
  parser.parse();
  return parser;
}
