import type { Fields } from './node.ts';

/** As RenderDoc's arguments have it. */
export type BlockKind = 'uniform' | 'storage';

/** What is known of one program by its initial contents. */
interface Facts {
  /** Uniform names by the location they had when the capture was made. */
  readonly uniforms: Map<number, string>;
  /** Names of blocks by index. */
  readonly blocks: Readonly<Record<BlockKind, readonly string[]>>;
  readonly inputs: readonly (readonly [string, number])[];
  readonly outputs: readonly (readonly [string, number])[];
}

const bindings = (fields: Fields, name: string) =>
  fields.structs(name).map((entry) => [entry.text('Name'), entry.number('Binding')] as const);

/**
 * Programs as they were linked when the capture was made: their locations and indices, which another driver's differ
 * from. By RenderDoc's resource id.
 */
export class ProgramFacts {
  readonly #programs = new Map<number | bigint, Facts>();
  readonly #boundOutputs = new Set<number | bigint>();

  /** Takes in a program's initial contents. */
  learn(resource: number | bigint, contents: Fields): void {
    const state = contents.struct('ProgramUniforms');
    const uniforms = new Map<number, string>();
    for (const uniform of state.structs('ValueUniforms')) {
      const base = uniform.text('Basename');
      const isArray = uniform.number('IsArray') !== 0;
      for (const [index, value] of uniform.structs('Values').entries()) {
        const location = value.number('Location');
        if (location >= 0) uniforms.set(location, isArray ? `${base}[${index}]` : base);
      }
    }
    this.#programs.set(resource, {
      uniforms,
      blocks: {
        uniform: bindings(state, 'UBOBindings').map(([name]) => name),
        storage: bindings(state, 'SSBOBindings').map(([name]) => name),
      },
      inputs: bindings(contents, 'InputBindings'),
      outputs: bindings(contents, 'OutputBindings'),
    });
  }

  /** Whether the program was there before the frame. */
  knows(resource: number | bigint): boolean {
    return this.#programs.has(resource);
  }

  /** The name of a uniform; that of a program which the frame makes itself is `#` and its number. */
  uniform(resource: number | bigint, location: number): string | undefined {
    const facts = this.#programs.get(resource);
    return facts ? facts.uniforms.get(location) : `#${location}`;
  }

  block(kind: BlockKind, resource: number | bigint, index: number): string | undefined {
    return this.#programs.get(resource)?.blocks[kind][index];
  }

  /** Attribute locations that the program was given or took. */
  inputs(resource: number | bigint): readonly (readonly [string, number])[] {
    return this.#programs.get(resource)?.inputs ?? [];
  }

  /** Notes that the program itself gives its outputs their numbers. */
  boundOutputs(resource: number | bigint): void {
    this.#boundOutputs.add(resource);
  }

  hasBoundOutputs(resource: number | bigint): boolean {
    return this.#boundOutputs.has(resource);
  }

  /** Colour numbers of fragment outputs. */
  outputs(resource: number | bigint): readonly (readonly [string, number])[] {
    return this.#programs.get(resource)?.outputs ?? [];
  }
}
