/** The commands with semantics of their own, by name without `gl` and extension suffix; all others are called as they are. */
import type { Handler } from '../compile/site.ts';
import { bufferHandlers } from './buffers.ts';
import { canvasHandlers } from './canvas.ts';
import { indirectHandlers } from './indirect-draws.ts';
import { legacyHandlers } from './legacy.ts';
import { multiDrawHandlers } from './multi-draws.ts';
import { objectHandler } from './objects.ts';
import { pixelHandler } from './pixels.ts';
import { programHandlers } from './programs.ts';
import { pseudoHandlers } from './pseudo.ts';
import { queryHandler } from './queries.ts';
import { skippedHandler } from './skipped.ts';
import { stateHandlers } from './state.ts';

const exact: Readonly<Record<string, Handler>> = {
  ...bufferHandlers,
  ...canvasHandlers,
  ...indirectHandlers,
  ...legacyHandlers,
  ...multiDrawHandlers,
  ...programHandlers,
  ...pseudoHandlers,
  ...stateHandlers,
};

/** The handler of a command, or undefined for one that is called as it stands. */
export function handlerFor(name: string): Handler | undefined {
  if (Object.hasOwn(exact, name)) return exact[name];
  return pixelHandler(name) ?? queryHandler(name) ?? skippedHandler(name) ?? objectHandler(name);
}
