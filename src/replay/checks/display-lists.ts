/**
 * What drivers do not survive of display lists. Mesa's glEndList looks into every list that the ending one calls, without
 * GL's bound on their depth, and crashes over one that is not there. A list that is not there does what an empty one does.
 */
import { GpuprofError } from '../../errors.ts';
import type { GlContext } from '../../gl/context.ts';
import type { Call } from '../../model/call.ts';
import type { DisplayLists } from '../../model/display-lists.ts';

const GL_COMPILE = 0x1300;
/** More than any program calls before it makes them. */
const mostMissing = 1 << 16;

/** Makes lists empty. No list may be open. */
export function emptyLists({ gl }: GlContext, names: Iterable<number>): void {
  for (const name of names) {
    gl.glNewList(name, GL_COMPILE);
    gl.glEndList();
  }
}

/** Throws GpuprofError `bad-capture` when the list that ends calls itself, whatever lies between. */
export function refuseEndlessList(lists: DisplayLists): void {
  if (lists.isEndless)
    throw new GpuprofError('bad-capture', 'glEndList ends a list that calls itself, or lists without end');
}

/**
 * Lists that are to be there before one is made of `calls`, up to its glEndList. Throws GpuprofError `bad-capture` when they
 * are too many.
 */
export function listsToEmpty(lists: DisplayLists, calls: Iterable<Call>): ReadonlySet<number> {
  const inside: Call[] = [];
  for (const call of calls) {
    if (call.signature.name === 'glEndList') break;
    inside.push(call);
  }
  const missing = lists.neverMade(inside);
  if (missing.size > mostMissing)
    throw new GpuprofError(
      'bad-capture',
      `glNewList begins a list that calls ${missing.size} lists that are not there`,
    );
  return missing;
}
