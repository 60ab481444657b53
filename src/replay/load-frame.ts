import { GpuprofError } from '../errors.ts';
import type { CallPlayer, Playing } from './call-player.ts';
import type { Op } from './compile/invokers.ts';
import { located } from './frame-faults.ts';
import { FrameReplay } from './frame-replay.ts';
import type { ReplayParts } from './replay-parts.ts';
import { copyBindings } from './restore/bindings.ts';
import { FrameChanges } from './restore/frame-changes.ts';
import { Snapshot } from './restore/snapshot.ts';
import { saveUploads } from './restore/texture-uploads.ts';

interface Compiled {
  readonly ops: readonly (Op | null)[];
  /** 1 for calls after which GL must not be asked for errors. */
  readonly isQuiet: Uint8Array;
}

/** Compiles the calls of a frame in order, none of which is made yet, and follows what they will change. */
async function compileFrame(
  { state, followers }: ReplayParts,
  player: CallPlayer,
  playing: Playing,
  changes: FrameChanges,
): Promise<Compiled> {
  const { bindings } = state;
  const { frame, stream, compiler } = playing;
  const ops: (Op | null)[] = [];
  const isQuiet = new Uint8Array(stream.length);
  let index = 0;
  try {
    for (; index < stream.length; index++) {
      const plain = bindings.lists.isOpen ? undefined : compiler.plain(index);
      if (plain) {
        ops.push(plain);
        if (compiler.duty(index).setsUniforms) changes.setsUniforms(bindings);
      } else {
        const call = stream.call(index);
        const duty = compiler.duty(index);
        if (duty.hasData) await player.loadMissing(playing, index);
        ops.push(compiler.compile(index, call));
        followers.follow(compiler.toKeep(call), duty, changes);
      }
      if (bindings.insideBegin) isQuiet[index] = 1;
    }
  } catch (error) {
    throw located(error, frame, index);
  }
  return { ops, isQuiet };
}

/**
 * Makes a frame ready to be played any number of times: its calls compiled, and what they change kept as it is now. Throws
 * GpuprofError `bad-capture` or `missing-feature`.
 */
export async function loadFrame(parts: ReplayParts, player: CallPlayer, frame: number): Promise<FrameReplay> {
  const { capture, state, errors, followers, listener } = parts;
  const { bindings } = state;
  const stream = await capture.frame(frame);
  const shapes = followers.shapes.copy();
  const start = {
    names: state.objects.copy(),
    bindings: copyBindings(bindings),
    programs: state.programs.snapshot(),
    attributeKinds: followers.attributeKinds.copy(),
    shape: (id: number) => shapes.shape(id),
    shapeAfter: (id: number) => followers.shapes.shape(id),
  };
  const pushed = bindings.attributeStack.length + bindings.clientAttributeStack.length;
  bindings.attributeFloor = pushed;
  bindings.lists.called = undefined;
  const changes = new FrameChanges();
  const playing = player.begin(frame, stream, changes.existedBefore);
  const { ops, isQuiet } = await compileFrame(parts, player, playing, changes);
  if (bindings.attributeFloor < pushed)
    throw new GpuprofError(
      'missing-feature',
      `frame ${frame} takes attributes that were pushed before it by glPopAttrib or glPopClientAttrib, which cannot be put back`,
      { hint: 'replay it with --no-timing, which plays each frame once' },
    );
  let snapshot: Snapshot;
  try {
    snapshot = await Snapshot.take(state, changes, start, (texture) => saveUploads(state, capture, frame, texture));
    // The first run starts from restored contents like every other.
    snapshot.restore();
  } catch (error) {
    throw located(error, frame);
  }
  errors.take(frame, 0, '(restoring what the frame changes)');
  const { memory } = playing;
  return new FrameReplay(frame, stream, ops, { state, errors, snapshot, memory, listener, isQuiet });
}
