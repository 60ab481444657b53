import { GpuprofError } from '../../errors.ts';
import { CaptureBuilder } from '../capture-builder.ts';
import type { Imported, ImportOptions } from '../formats.ts';
import type { ImportTarget } from '../import-target.ts';
import { handlerOf, isSwap } from './chunks/index.ts';
import { apiOf, headOf, Windows, windowOf } from './context.ts';
import { contentsKind, contentsRank, setInitialContents, unbindUnpackBuffer } from './initial/index.ts';
import type { Chunk, Fields } from './node.ts';
import { openXml } from './read-xml.ts';
import { applyRenderState } from './render-state.ts';
import { Inexpressible, Translation } from './translation.ts';
import { unload, ZipBuffers } from './zip-buffers.ts';

const initialisation = 'Internal::Driver Initialisation Parameters';
const initialContents = 'Internal::Initial Contents';
const beginning = 'Internal::Beginning of Capture';
const configuration = 'Internal::Context Configuration';

/** Chunks before the frame that are held at once: programs are known only when all of them are. */
const mostSetupChunks = 4_000_000;

/** What RenderDoc wrote before the frame. */
interface Preamble {
  readonly parameters: Fields;
  readonly creation: readonly Chunk[];
  readonly contents: readonly Chunk[];
  readonly state: Chunk;
}

/** One import of a `.zip.xml`. */
class XmlImport {
  readonly #buffers: ZipBuffers;
  readonly #builder: CaptureBuilder;
  readonly #windows = new Windows();
  #chunks = 0;
  /** A context made current whose window is not known yet. */
  #contextSwitch: Chunk | null = null;

  constructor(buffers: ZipBuffers, builder: CaptureBuilder) {
    this.#buffers = buffers;
    this.#builder = builder;
  }

  async run(path: string, driver: string, chunks: AsyncIterator<Chunk>): Promise<Imported> {
    const preamble = await this.#preamble(path, chunks);
    const api = apiOf(driver, preamble.parameters.text('version'), path);
    const t = new Translation(this.#builder, api);
    for (const chunk of preamble.contents)
      if (contentsKind(chunk) === 'Program') t.programs.learn(chunk.fields.node('id').value as number, chunk.fields);
    let next = await chunks.next();
    if (next.value?.name === configuration) {
      this.#chunks++;
      this.#configure(t, next.value.fields);
      next = await chunks.next();
    } else this.#setCanvas(preamble.parameters);
    await this.#setup(t, preamble);
    this.#builder.endSetup();
    t.inFrame = true;
    const isComplete = await this.#frames(t, next, chunks);
    if (t.missingObjects > 0)
      this.#builder.note(`${t.missingObjects} uses of objects that the capture does not hold: they count as none`);
    const summary = this.#builder.finish({
      sourceCalls: this.#chunks,
      isComplete,
      ending: isComplete ? null : 'the capture has no end',
    });
    const { canvas } = this.#builder;
    return { head: { ...headOf(api, preamble.parameters, 'RenderDoc'), canvas }, summary };
  }

  async #preamble(path: string, chunks: AsyncIterator<Chunk>): Promise<Preamble> {
    let parameters: Fields | undefined;
    const creation: Chunk[] = [];
    const contents: Chunk[] = [];
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      const chunk = next.value;
      this.#chunks++;
      if (creation.length + contents.length > mostSetupChunks)
        chunk.fields.fault(`is one of more than ${mostSetupChunks} chunks before the frame`);
      if (chunk.name === initialisation) parameters = chunk.fields.struct('InitParams');
      else if (chunk.name === initialContents) contents.push(chunk);
      else if (chunk.name === beginning) {
        if (!parameters) throw new GpuprofError('bad-input', `${path} has no ${initialisation}`);
        return { parameters, creation, contents, state: chunk };
      } else creation.push(chunk);
    }
    throw new GpuprofError('bad-input', `${path} has no frame: ${JSON.stringify(beginning)} is missing`);
  }

  /** Makes the objects, gives them their contents, and sets the state that the frame begins with. */
  async #setup(t: Translation, { creation, contents, state }: Preamble): Promise<void> {
    for (const chunk of creation) await this.#translate(t, chunk, () => handlerOf(chunk.name)(t, chunk));
    unbindUnpackBuffer(t);
    const ranked = contents.map((chunk) => ({ chunk, rank: contentsRank(contentsKind(chunk)) }));
    for (const { chunk } of ranked.sort((a, b) => a.rank - b.rank))
      await this.#translate(
        t,
        chunk,
        () => setInitialContents(t, chunk),
        `initial contents of a ${contentsKind(chunk)}`,
      );
    applyRenderState(t, state.fields.struct('state'));
  }

  /** Whether the frame's end was there. */
  async #frames(t: Translation, first: IteratorResult<Chunk>, chunks: AsyncIterator<Chunk>): Promise<boolean> {
    let isShown = false;
    for (let next = first; !next.done; next = await chunks.next()) {
      const chunk = next.value;
      this.#chunks++;
      if (chunk.name === 'Internal::End of Capture') return true;
      if (isSwap(chunk.name)) {
        isShown = true;
        continue;
      }
      // What follows a swap belongs to it until the program goes on.
      if (isShown && !/^gl(Finish|Flush)$/.test(chunk.name)) {
        this.#builder.endFrame();
        isShown = false;
      }
      if (this.#builder.isFull) return true;
      if (chunk.name === configuration) this.#configure(t, chunk.fields);
      await this.#releaseSwitch(t);
      // Which window a context has is said after its state, which refers to the window.
      if (chunk.name === 'MakeContextCurrent') this.#contextSwitch = chunk;
      else if (chunk.name !== configuration) await this.#translate(t, chunk, () => handlerOf(chunk.name)(t, chunk));
    }
    return false;
  }

  async #releaseSwitch(t: Translation): Promise<void> {
    const chunk = this.#contextSwitch;
    this.#contextSwitch = null;
    if (chunk) await this.#translate(t, chunk, () => handlerOf(chunk.name)(t, chunk));
  }

  async #translate(t: Translation, chunk: Chunk, translate: () => void, name = chunk.name): Promise<void> {
    await this.#buffers.load(chunk);
    try {
      translate();
    } catch (error) {
      if (!(error instanceof Inexpressible)) throw error;
      t.builder.drop(name, error.message);
    }
    unload(chunk);
  }

  #configure(t: Translation, fields: Fields): void {
    const parameters = fields.struct('InitParams');
    const isFirst = !t.inFrame;
    if (isFirst) this.#setCanvas(parameters);
    this.#windows.use(t, fields.node('FBO').value as number, windowOf(parameters));
  }

  #setCanvas(parameters: Fields): void {
    const { isSrgb, ...canvas } = windowOf(parameters);
    this.#builder.canvas = { ...canvas, preserved: true };
    if (isSrgb)
      this.#builder.note('the window was sRGB; the canvas is not, so that GL_FRAMEBUFFER_SRGB changes nothing on it');
  }
}

/**
 * Imports RenderDoc's XML: a `.zip.xml` with its `.zip` beside it, as `renderdoccmd convert -c zip.xml` writes them.
 * Throws GpuprofError `bad-input` with the line for what is malformed, and for captures of other drivers than GL's.
 */
export async function importXml(path: string, target: ImportTarget, options: ImportOptions = {}): Promise<Imported> {
  const xml = await openXml(path);
  try {
    const { driver } = xml.header;
    apiOf(driver, '', path);
    const buffers = await ZipBuffers.open(path.replace(/\.xml$/, ''));
    try {
      const builder = new CaptureBuilder(target, options.frames);
      return await new XmlImport(buffers, builder).run(path, driver, xml.chunks[Symbol.asyncIterator]());
    } finally {
      await buffers.close();
    }
  } finally {
    await xml.close();
  }
}
