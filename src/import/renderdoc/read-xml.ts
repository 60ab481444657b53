import { open } from 'node:fs/promises';
import sax, { type QualifiedTag, type SAXParser, type Tag } from 'sax';
import { readFailure } from '../../capture/read-failure.ts';
import { GpuprofError } from '../../errors.ts';
import { shareOfMemory } from '../../model/memory-limit.ts';
import { type Chunk, Fields, type Node, type NodeKind, nodeKinds } from './node.ts';

/** What stands before the chunks. */
export interface XmlHeader {
  /** `OpenGL`, `Vulkan`. */
  readonly driver: string;
  readonly thumbnail: { readonly width: number; readonly height: number } | null;
  /** RenderDoc's number for how the driver's chunks are written. */
  readonly version: number;
}

/** The most that a file may ask for at once. */
export interface XmlLimits {
  readonly depth: number;
  /** Values in one chunk. */
  readonly chunkNodes: number;
  /** Characters of one text. */
  readonly textLength: number;
}

/** What JavaScript holds of a value, roughly. */
const nodeBytes = 256;
/** Shares of the memory limit, for what is held. */
const xmlLimits = (): XmlLimits => ({
  depth: 64,
  chunkNodes: Math.floor(shareOfMemory(1 / 4) / nodeBytes),
  textLength: Math.floor(shareOfMemory(1 / 32) / 2),
});

const blockBytes = 2 ** 18;
const kinds: ReadonlySet<string> = new Set(nodeKinds);
/** Long, of no use here, and of no fixed size. */
const skippedChunks: ReadonlySet<string> = new Set(['Internal::List of Initial Contents Resources']);
const skippedNodes: ReadonlySet<string> = new Set(['DebugMessages']);

const numberOf = (text: string): number | bigint => {
  const value = Number(text);
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(text) : value;
};

/** Values of RenderDoc's float text that JavaScript writes otherwise. */
function floatOf(text: string): number {
  const lower = text.toLowerCase();
  if (lower.includes('nan')) return Number.NaN;
  if (lower.includes('inf')) return lower.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return Number(text);
}

interface OpenNode extends Node {
  text: string;
}

/** Collects the chunks of RenderDoc's XML as it is parsed. */
class ChunkCollector {
  header: XmlHeader | null = null;
  readonly chunks: Chunk[] = [];
  ended = false;
  readonly parser: SAXParser;
  private readonly path: string;
  private readonly limits: XmlLimits;
  private readonly elements: string[] = [];
  private driver = '';
  private thumbnail: XmlHeader['thumbnail'] = null;
  private chunk: { name: string; line: number; nodes: Node[]; buffers: Node[]; count: number; skip: boolean } | null =
    null;
  private readonly stack: OpenNode[] = [];
  /** Depth from which on nothing is kept; 0 when all is. */
  private skipFrom = 0;

  constructor(path: string, limits: XmlLimits) {
    this.path = path;
    this.limits = limits;
    this.parser = sax.parser(true, { position: true });
    this.parser.onerror = (error) => this.fault(error.message.split('\n')[0]);
    this.parser.ondoctype = () => this.fault('has a document type, which RenderDoc does not write');
    this.parser.onopentag = (tag) => this.open(tag);
    this.parser.onclosetag = (name) => this.close(name);
    this.parser.ontext = (text) => this.text(text);
    this.parser.oncdata = (text) => this.text(text);
  }

  fault(problem: string): never {
    const reason = problem.charAt(0).toLowerCase() + problem.slice(1);
    throw new GpuprofError('bad-input', `${this.path}: line ${this.parser.line + 1}: ${reason}`);
  }

  private open(tag: Tag | QualifiedTag): void {
    const { name } = tag;
    const attributes = tag.attributes as Record<string, string>;
    this.elements.push(name);
    const depth = this.elements.length;
    if (depth > this.limits.depth) this.fault(`elements lie in each other more than ${this.limits.depth} deep`);
    if (depth === 1 && name !== 'rdc') this.fault('is no RenderDoc capture: the root is not <rdc>');
    if (this.chunk) this.openNode(name, attributes);
    else if (depth === 3 && name === 'chunk') this.openChunk(attributes);
    else if (depth === 2 && name === 'chunks')
      this.header = { driver: this.driver, thumbnail: this.thumbnail, version: Number(attributes.version) || 0 };
    else if (depth === 3 && name === 'thumbnail' && attributes.width !== undefined)
      this.thumbnail = { width: Number(attributes.width), height: Number(attributes.height) };
  }

  private openChunk(attributes: Record<string, string>): void {
    const name = attributes.name ?? this.fault('a chunk has no name');
    const skip = skippedChunks.has(name);
    this.chunk = { name, line: this.parser.line + 1, nodes: [], buffers: [], count: 0, skip };
  }

  private openNode(kind: string, attributes: Record<string, string>): void {
    const { chunk } = this;
    if (!chunk || chunk.skip || this.skipFrom) return;
    if (!kinds.has(kind)) this.fault(`<${kind}> is no kind of value`);
    const name = attributes.name ?? '';
    if (skippedNodes.has(name)) {
      this.skipFrom = this.elements.length;
      return;
    }
    if (++chunk.count > this.limits.chunkNodes)
      this.fault(`${chunk.name} has more than ${this.limits.chunkNodes} values`);
    const node: OpenNode = {
      kind: kind as NodeKind,
      name,
      hidden: attributes.hidden === 'true',
      value: attributes.nullstring === 'true' ? null : kind === 'string' ? '' : 0,
      byteLength: kind === 'buffer' ? Number(attributes.byteLength ?? Number.NaN) : 0,
      bytes: null,
      children: [],
      text: '',
    };
    if (kind === 'buffer') {
      if (!Number.isSafeInteger(node.byteLength) || node.byteLength < 0)
        this.fault(`${chunk.name} has a buffer of ${JSON.stringify(attributes.byteLength ?? 'no')} bytes`);
      chunk.buffers.push(node);
    }
    (this.stack.at(-1)?.children ?? chunk.nodes).push(node);
    this.stack.push(node);
  }

  private text(text: string): void {
    const node = this.stack.at(-1);
    if (node && !this.skipFrom) {
      node.text += text;
      if (node.text.length > this.limits.textLength) this.fault(`a text has over ${this.limits.textLength} characters`);
    } else if (this.elements.length === 3 && this.elements[2] === 'driver') this.driver += text;
  }

  private close(element: string): void {
    const depth = this.elements.length;
    this.elements.pop();
    if (this.skipFrom) {
      if (depth === this.skipFrom) this.skipFrom = 0;
      return;
    }
    if (this.chunk && element === 'chunk' && depth === 3) this.closeChunk();
    else if (this.chunk && !this.chunk.skip) this.closeNode();
    else if (depth === 1) this.ended = true;
  }

  private closeChunk(): void {
    const { chunk } = this;
    this.chunk = null;
    if (!chunk) return;
    const where = `${this.path}: line ${chunk.line}: ${chunk.name}`;
    this.chunks.push({ name: chunk.name, fields: new Fields(chunk.nodes, where), buffers: chunk.buffers });
  }

  private closeNode(): void {
    const node = this.stack.pop();
    if (!node) return;
    const { kind, text } = node;
    node.text = '';
    if (kind === 'string') {
      if (node.value !== null) node.value = text;
    } else if (kind === 'float') node.value = floatOf(text.trim());
    else if (kind === 'bool') node.value = text.trim() === 'true' ? 1 : 0;
    else if (kind === 'char') node.value = text.charCodeAt(0) || 0;
    else if (kind === 'null') node.value = null;
    else if (kind !== 'struct' && kind !== 'array') {
      const value = text.trim();
      if (!/^-?\d{1,20}$/.test(value)) this.fault(`${JSON.stringify(value.slice(0, 30))} is no number`);
      node.value = numberOf(value);
    }
  }
}

/** An XML capture being read: the header is known once the first chunk is, or all was read. */
export interface XmlCapture {
  readonly header: XmlHeader;
  readonly chunks: AsyncIterable<Chunk>;
  close(): Promise<void>;
}

/**
 * Opens RenderDoc's XML (`.zip.xml`). Chunks come as they are parsed; a chunk is held whole, the file is not. Throws
 * `bad-input` with the line for what is not well-formed or is not RenderDoc's, when it is reached.
 */
export async function openXml(path: string, limits: XmlLimits = xmlLimits()): Promise<XmlCapture> {
  const file = await open(path, 'r').catch((error) => {
    throw readFailure(path, error);
  });
  const collector = new ChunkCollector(path, limits);
  const decoder = new TextDecoder();
  const block = Buffer.allocUnsafe(blockBytes);
  const parseBlock = async (): Promise<boolean> => {
    const { bytesRead } = await file.read(block, 0, blockBytes, null);
    if (bytesRead > 0) {
      collector.parser.write(decoder.decode(block.subarray(0, bytesRead), { stream: true }));
      return true;
    }
    if (!collector.ended) collector.fault('the file ends before its XML does');
    return false;
  };
  try {
    while (!collector.header && (await parseBlock()));
    const header = collector.header;
    if (!header) return collector.fault('has no chunks');
    return { header, chunks: chunksOf(collector, parseBlock), close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function* chunksOf(collector: ChunkCollector, parseBlock: () => Promise<boolean>): AsyncGenerator<Chunk> {
  do {
    yield* collector.chunks.splice(0);
  } while (await parseBlock());
  yield* collector.chunks.splice(0);
}
