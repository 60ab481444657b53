import { GpuprofError } from '../../errors.ts';
import type { ContextStatus, RealmStatus } from './protocol.ts';

const shownMessages = 3;
const messageLength = 200;

/** A failure of the page, with what it said itself. */
export function pageProblem(sentence: string, messages: readonly string[], hint?: string): GpuprofError {
  const shown = [...new Set(messages)]
    .slice(0, shownMessages)
    .map((text) => `"${text.slice(0, messageLength).trim()}"`);
  const said = shown.length > 0 ? `; its own errors: ${shown.join(', ')}` : '';
  return new GpuprofError('bad-input', sentence + said, hint === undefined ? {} : { hint });
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

export const contextsOf = (realms: readonly RealmStatus[]): ContextStatus[] =>
  realms.flatMap(({ contexts }) => contexts);

/** Why there is nothing to record, from what the recorders saw; `wanted` says which frame never came. */
export function nothingDrawn(
  realms: readonly RealmStatus[],
  wanted: string,
  messages: readonly string[],
): GpuprofError {
  const contexts = contextsOf(realms);
  const refused = realms.flatMap((realm) => realm.refused);
  const transferred = realms.flatMap((realm) => realm.transferred);
  const triggerProblem = realms.find((realm) => realm.triggerProblem !== undefined)?.triggerProblem;
  if (contexts.length === 0 && refused.length > 0) {
    const why = refused.find((text) => text !== '') ?? 'the browser does not say why';
    return pageProblem(
      `the page asked for WebGL and the browser gave none (${why})`,
      messages,
      'pass --browser-arg=--use-angle=swiftshader --browser-arg=--enable-unsafe-swiftshader for WebGL without a GPU',
    );
  }
  if (contexts.length === 0 && transferred.length > 0)
    return pageProblem(
      `the page handed ${plural(transferred.length, 'canvas').replace(/s$/, 'es')} to a worker that the recorder did not reach`,
      messages,
      'make the worker a dedicated one of the page itself, or draw in the page',
    );
  if (contexts.length === 0) return pageProblem('the page made no WebGL context', messages);
  const drawn = Math.max(...contexts.map(({ frames }) => frames));
  if (contexts.every(({ lost }) => lost))
    return pageProblem(
      `the page lost its WebGL context after ${plural(drawn, 'frame')} and did not get it back`,
      messages,
    );
  const state = contexts.every(({ actions }) => actions === 0)
    ? 'the page made a WebGL context and drew nothing with it'
    : `the page drew ${plural(drawn, 'frame')}`;
  const trigger = triggerProblem === undefined ? '' : ` (the trigger's last error: ${triggerProblem})`;
  return pageProblem(`${state}; ${wanted} never came${trigger}`, messages);
}
