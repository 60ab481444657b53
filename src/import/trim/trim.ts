/** Leaves out of a setup what the frames after it cannot see. */
import type { Argument, Call, DataArgument } from '../../model/call.ts';
import type { CallStream } from '../../model/call-stream.ts';
import type { Capture } from '../../model/capture.ts';
import { MemoryCaptureBuilder } from '../memory-capture.ts';
import { heldKeys, type Key, keyOf } from './keys.ts';
import { CanvasUse, type Needs, needsOf } from './needs.ts';
import { Follower, type Group, groupsOf } from './setup-facts.ts';

/** State that calls on objects go by. */
const bindingFamilies =
  /^(Buffers? |ElementBuffer|Texture|DrawFramebuffer|ReadFramebuffer|BindVertexArray|BindRenderbuffer|BindProgramPipeline|UseProgram|BindTransformFeedback|BindProgram |PixelStore|PixelTransfer|PixelMap|ActiveTexture|ClientActiveTexture)/;

/** One walk from the setup's end to its beginning. */
class Walk {
  readonly kept = new Set<Group>();
  /** Of groups that are not kept, the calls that are. */
  readonly parts = new Map<Group, ReadonlySet<number>>();
  readonly exist: Set<Key>;
  readonly #contents: Set<Key>;
  readonly #use: CanvasUse;
  /** Pieces of state that are set again before anything goes by them. */
  readonly #settled = new Set<string>();

  constructor({ exist, contents }: Needs, use: CanvasUse) {
    this.exist = new Set(exist);
    this.#contents = new Set(contents);
    this.#use = use;
  }

  run(groups: readonly Group[]): void {
    for (let at = groups.length - 1; at >= 0; at--)
      if (this.#isNeeded(groups[at])) this.#keep(groups[at]);
      else if (groups[at].values.size > 0) this.#keepValues(groups[at]);
  }

  #keepValues(group: Group): void {
    const part = new Set<number>();
    for (const [family, index] of group.values) {
      if (family !== '' && this.#isSettled(family, '')) continue;
      if (family !== '') this.#settled.add(family);
      part.add(index);
    }
    this.parts.set(group, part);
  }

  #isNeeded({ facts }: Group): boolean {
    switch (facts.kind) {
      case 'never':
        return false;
      case 'always':
      case 'delete':
        return true;
      case 'make':
        return facts.writes.some((key) => this.exist.has(key));
      default:
        if (facts.writes.length > 0 && !facts.writes.some((key) => this.#contents.has(key))) return false;
        return facts.pieces.length === 0 || facts.pieces.some((piece) => !this.#isSettled(piece.family, piece.index));
    }
  }

  #isSettled(family: string, index: string): boolean {
    return this.#settled.has(family) || (index !== '' && this.#settled.has(`${family}#${index}`));
  }

  #keep(group: Group): void {
    const { kind, pieces, writes, reads, replaces } = group.facts;
    this.kept.add(group);
    if (kind === 'delete' || kind === 'make') return;
    if (kind === 'always' || kind === 'action') this.#settled.clear();
    else if (kind === 'object') {
      const ranges = reads.filter((key) => !writes.includes(key)).map((key) => `${key} range`);
      for (const family of this.#settled)
        if (bindingFamilies.test(family) || ranges.some((range) => family.startsWith(range)))
          this.#settled.delete(family);
    } else {
      // Units are selected, and buffers bound, before what belongs to them is set.
      for (const family of ['ActiveTexture', 'ClientActiveTexture'])
        if (!pieces.some((piece) => piece.family === family)) this.#settled.delete(family);
      if (reads.length > 0 || writes.length > 0) {
        this.#settled.delete('Buffer 34962');
        this.#settled.delete('UseProgram');
      }
    }
    for (const { family, index } of pieces) this.#settled.add(index === '' ? family : `${family}#${index}`);
    for (const key of replaces) this.#contents.delete(key);
    for (const key of writes) this.exist.add(key);
    for (const key of reads) {
      this.exist.add(key);
      if (this.#use.matters(key) && !replaces.includes(key)) this.#contents.add(key);
    }
  }
}

/** Containers, whose contents are objects that count with them. */
const containers = /^(framebuffer|vertexArray|transformFeedback|programPipeline|query) /;

/** What the containers that are needed anywhere hold at the end counts from the end. */
function withHeld(needs: Needs, exist: ReadonlySet<Key>, atEnd: Follower): Needs {
  const grown: Needs = { exist: new Set(needs.exist), contents: new Set(needs.contents) };
  for (const key of exist) {
    if (!containers.test(key)) continue;
    grown.exist.add(key);
    grown.contents.add(key);
    for (const held of heldKeys(atEnd.bindings, key)) grown.exist.add(held);
  }
  return grown;
}

/** The call without objects that are not made any more; null when nothing of it is left. */
function withoutMissing(call: Call, exist: ReadonlySet<Key>): Call | null {
  const { signature, args } = call;
  const at = signature.params.findIndex(({ type }) => type === 'objects' || type === 'object');
  const objectClass = signature.params[at]?.objectClass;
  if (!objectClass) return call;
  if (signature.params[at].type === 'object') return exist.has(keyOf(objectClass, Number(args[at]))) ? call : null;
  const ids = (args[at] as readonly number[]).filter((id) => exist.has(keyOf(objectClass, id)));
  if (ids.length === 0) return null;
  return { ...call, args: args.map((value, index) => (index === at ? ids : index === 0 ? ids.length : value)) };
}

/** Copies calls into another capture, with what they refer to. */
class Copier {
  readonly builder = new MemoryCaptureBuilder();
  readonly #capture: Capture;

  constructor(capture: Capture) {
    this.#capture = capture;
  }

  async add({ signature, args, result }: Call): Promise<void> {
    const copied: Argument[] = [];
    for (const [at, { type }] of signature.params.entries()) copied.push(await this.#argument(type, args[at]));
    this.builder.call(signature, copied, result);
  }

  async #argument(type: string, value: Argument): Promise<Argument> {
    const data = type === 'data' ? (value as DataArgument) : null;
    if (data?.kind === 'resource')
      return { ...data, resource: this.builder.resource(await this.#capture.resource(data.resource)) };
    const location = type === 'location' ? this.#capture.manifest.locations[value as number] : undefined;
    return location ? this.builder.location(...location) : value;
  }
}

/** Calls of the setup before and after. */
export interface Trimmed {
  readonly capture: Capture;
  readonly before: number;
  readonly after: number;
}

/**
 * The capture with a setup that holds only what its frames need: objects they use, the last settings of state, and the
 * draws whose pictures they see. Ids stay. Everything is kept that may matter, whether it does or not.
 */
export async function trimCapture(capture: Capture): Promise<Trimmed> {
  const { manifest } = capture;
  const setup = await capture.setup();
  const frames: CallStream[] = [];
  for (let frame = 1; frame <= manifest.frames.length; frame++) frames.push(await capture.frame(frame));
  const use = new CanvasUse();
  for (const stream of [setup, ...frames]) use.observe(stream);
  const atEnd = new Follower(manifest.canvas);
  const groups = groupsOf(setup, atEnd);
  const through = new Follower(manifest.canvas);
  for (const call of setup) through.follow(call);
  let needs = needsOf(frames, through, use);
  let walk = new Walk(needs, use);
  walk.run(groups);
  // A container that an early draw needs may have been filled later, or ended.
  for (let size = -1; size !== walk.exist.size; ) {
    size = walk.exist.size;
    needs = withHeld(needs, walk.exist, atEnd);
    walk = new Walk(needs, use);
    walk.run(groups);
  }
  const copier = new Copier(capture);
  for (const group of groups) {
    const part = walk.parts.get(group);
    if (!walk.kept.has(group) && !part) continue;
    for (let index = group.first; index <= group.last; index++) {
      if (part && !part.has(index)) continue;
      const call = setup.call(index);
      const kept = group.facts.kind === 'delete' ? withoutMissing(call, walk.exist) : call;
      if (kept) await copier.add(kept);
    }
  }
  for (const frame of frames) {
    copier.builder.beginFrame();
    for (const call of frame) await copier.add(call);
  }
  const { api, apiVersion, profile, origin, canvas, requires, notes } = manifest;
  const head = { api, apiVersion, ...(profile && { profile }), origin, canvas, requires };
  const trimmed = copier.builder.finish(capture.path, head, notes);
  return { capture: trimmed, before: setup.length, after: trimmed.manifest.setup.calls };
}
