/** All that must be followed through a capture's calls to tell what memory an action uses. */
import { Bindings } from '../bindings.ts';
import type { Call } from '../call.ts';
import type { Capture } from '../capture.ts';
import { baseName } from '../gl-constants.ts';
import { perSignature } from '../per-signature.ts';
import type { Signature } from '../signature.ts';
import { BufferContents } from './buffer-contents.ts';
import { Buffers } from './buffers.ts';
import { FixedState } from './fixed-state.ts';
import { Programs } from './programs.ts';
import { Textures } from './textures.ts';
import { VertexFormats } from './vertex-formats.ts';

type Apply = (followers: Followers, call: Call) => void;

/** Commands that may change what buffers hold; draws and dispatches do so through what is bound. */
const changesBuffers =
  /Buffer(Sub)?Data|BufferStorage|Buffer(Range)?$|ReadPixels|ReadnPixels|^Getn?(Compressed)?Tex|GetQuery|^(Multi)?Draw|^DispatchCompute|^CopyNamed|^NamedCopy/;

const appliers = perSignature((signature): readonly Apply[] => {
  const name = baseName(signature.name);
  const found: Apply[] = [];
  if (VertexFormats.follows(name)) found.push((f, call) => f.vertexFormats.observe(call, f.bindings));
  if (Buffers.follows(name)) found.push((f, call) => f.buffers.observe(call, f.bindings));
  if (changesBuffers.test(name)) found.push((f, call) => f.contents.observe(call, f.bindings));
  if (Textures.follows(signature)) found.push((f, call) => f.textures.observe(call, f.bindings));
  if (Programs.follows(name)) found.push((f, call) => f.programs.observe(call));
  if (FixedState.follows(name)) found.push((f, call) => f.state.observe(call));
  if (Bindings.follows(signature)) found.push((f, call) => f.bindings.apply(call));
  return found;
});

export class Followers {
  readonly bindings = new Bindings();
  readonly buffers = new Buffers();
  readonly contents: BufferContents;
  readonly vertexFormats = new VertexFormats();
  readonly textures = new Textures();
  readonly programs: Programs;
  readonly state: FixedState;

  constructor(capture: Capture) {
    this.contents = new BufferContents(capture);
    this.programs = new Programs(capture.manifest);
    this.state = new FixedState(capture.manifest.canvas, capture.manifest.api);
  }

  /** Whether calls of this signature change anything here; others need not be decoded. */
  static follows(signature: Signature): boolean {
    return appliers(signature).length > 0;
  }

  apply(call: Call): void {
    for (const apply of appliers(call.signature)) apply(this, call);
  }
}
