import { GpuprofError } from '../../errors.ts';

/** RenderDoc's kinds of serialised values, which are the element names of its XML. */
export const nodeKinds = [
  'struct',
  'array',
  'null',
  'buffer',
  'string',
  'enum',
  'uint',
  'int',
  'float',
  'bool',
  'char',
  'ResourceId',
] as const;
export type NodeKind = (typeof nodeKinds)[number];

/** One serialised value. */
export interface Node {
  readonly kind: NodeKind;
  /** Empty for elements of arrays. */
  readonly name: string;
  /** Whether RenderDoc keeps it from people: what it needs beside the command's own arguments. */
  readonly hidden: boolean;
  /** Numbers for scalars (bigint beyond 2^53; 0 and 1 for bool), text, null; for a buffer the number of its zip entry. */
  value: number | bigint | string | null;
  /** Of a buffer, as the XML declares it. */
  readonly byteLength: number;
  /** Of a buffer, once loaded. */
  bytes: Uint8Array | null;
  readonly children: Node[];
}

const none: readonly Node[] = [];

/** The named values of a chunk or a struct; each access says where it stands when something is missing or wrong. */
export class Fields {
  readonly nodes: readonly Node[];
  /** `X.zip.xml: line 12: glBufferData`. */
  readonly where: string;

  constructor(nodes: readonly Node[], where: string) {
    this.nodes = nodes;
    this.where = where;
  }

  fault(problem: string): never {
    throw new GpuprofError('bad-input', `${this.where} ${problem}`);
  }

  find(name: string): Node | undefined {
    return this.nodes.find((node) => node.name === name);
  }

  node(name: string): Node {
    return this.find(name) ?? this.fault(`has no ${JSON.stringify(name)}`);
  }

  /** The first value of a kind: of the one object that a chunk makes, say. */
  first(kind: NodeKind): Node {
    return this.nodes.find((node) => node.kind === kind) ?? this.fault(`has no ${kind}`);
  }

  number(name: string): number {
    const node = this.node(name);
    const value = Number(node.value);
    if (typeof node.value === 'string' || node.value === null) this.fault(`has no number ${JSON.stringify(name)}`);
    return value;
  }

  /** A number that some versions of RenderDoc do not write. */
  numberOr(name: string, missing: number): number {
    return this.find(name) ? this.number(name) : missing;
  }

  text(name: string): string {
    const { value } = this.node(name);
    return typeof value === 'string' ? value : '';
  }

  /** The elements of an array. */
  elements(name: string): readonly Node[] {
    const node = this.find(name);
    if (!node || node.kind === 'null') return none;
    if (node.kind !== 'array') this.fault(`has no array ${JSON.stringify(name)}`);
    return node.children;
  }

  numbers(name: string): number[] {
    return this.elements(name).map(({ value }) =>
      typeof value === 'string' ? this.fault('has text for a number') : Number(value),
    );
  }

  texts(name: string): string[] {
    return this.elements(name).map(({ value }) => (typeof value === 'string' ? value : ''));
  }

  struct(name: string): Fields {
    return new Fields(this.node(name).children, `${this.where}: ${name}`);
  }

  /** The structs in an array. */
  structs(name: string): Fields[] {
    return this.elements(name).map((node, index) => new Fields(node.children, `${this.where}: ${name}[${index}]`));
  }

  /** The bytes of a buffer; null for a null pointer or no bytes. */
  bytes(name: string): Uint8Array | null {
    const node = this.node(name);
    if (node.kind === 'null') return null;
    if (node.kind !== 'buffer') this.fault(`has no buffer ${JSON.stringify(name)}`);
    return node.bytes && node.bytes.length > 0 ? node.bytes : null;
  }
}

/** One thing that RenderDoc wrote: a command with its arguments, or a block of its own. */
export interface Chunk {
  /** `glBufferData`, `Internal::Initial Contents`. */
  readonly name: string;
  readonly fields: Fields;
  /** All its buffers, nested ones too. */
  readonly buffers: readonly Node[];
}
