/** Draws with several lists of indices. */
import { signatureOf } from '../../../gl/command-table.ts';
import { GL } from '../../../model/gl-constants.ts';
import type { Signature } from '../../../model/signature.ts';
import { argumentsFor } from './arguments.ts';
import type { Session, Translate } from './session.ts';
import { isList, numberOf, numbersOf } from './values.ts';

/** glMultiDrawElements with indices in client memory: each of its draws has its own bytes, so each becomes a call. */
export function clientIndexDraws(session: Session, signature: Signature): Translate | undefined {
  const { name } = signature;
  if (!/^glMultiDrawElements(BaseVertex)?(EXT)?$/.test(name)) return undefined;
  const hasBase = name.includes('BaseVertex');
  const single = signatureOf(hasBase ? 'glDrawElementsBaseVertex' : 'glDrawElements') as Signature;
  const convert = argumentsFor(session, signature);
  return (call) => {
    const [mode, counts, type, indices] = call.args;
    if (session.context.bindings.buffer(GL.ELEMENT_ARRAY_BUFFER) !== 0 || !isList(indices)) {
      session.emit(signature, convert(call));
      return;
    }
    const vertices = numbersOf(counts);
    const bases = hasBase ? numbersOf(call.args[5]) : [];
    for (const [draw, bytes] of indices.entries()) {
      const data = bytes instanceof Uint8Array ? session.builder.data(bytes) : null;
      const values = [numberOf(mode), vertices[draw] ?? 0, numberOf(type), data];
      session.emit(single, hasBase ? [...values, bases[draw] ?? 0] : values);
    }
  };
}
