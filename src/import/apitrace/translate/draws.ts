/** Draws with indices: several lists of them, and those that reach beyond their buffer. */
import { signatureOf } from '../../../gl/command-table.ts';
import type { Argument, DataArgument } from '../../../model/call.ts';
import { GL } from '../../../model/gl-constants.ts';
import type { Signature } from '../../../model/signature.ts';
import { indexBytes } from '../../../model/texel-sizes.ts';
import { argumentsFor } from './arguments.ts';
import type { Session, Translate } from './session.ts';
import { bytesOf, isList, numberOf, numbersOf } from './values.ts';

/** Of `count` indices at an offset in the element buffer, how many are there; the import tells of those that are not. */
function countInside(session: Session, name: string, count: number, type: number, offset: number): number {
  const sizeBytes = session.bufferSizes.get(session.context.bindings.buffer(GL.ELEMENT_ARRAY_BUFFER));
  const bytes = indexBytes(type);
  if (sizeBytes === undefined || bytes === undefined || offset + count * bytes <= sizeBytes) return count;
  session.builder.note(`indices that ${name} takes from beyond its element buffer are left out`);
  return Math.max(0, Math.floor((sizeBytes - offset) / bytes));
}

/** glDrawElements and everything alike: what lies behind the element buffer is no business of a draw. */
function indexed(session: Session, signature: Signature): Translate {
  const { name, params } = signature;
  const convert = argumentsFor(session, signature);
  const at = (param: string) => params.findIndex((each) => each.name === param);
  const [count, type, indices] = [at('count'), at('type'), at('indices')];
  return (call) => {
    const args = convert(call);
    const data = args[indices] as DataArgument;
    if (data?.kind === 'offset')
      args[count] = countInside(session, name, Number(args[count]), Number(args[type]), data.offset);
    session.emit(signature, args);
  };
}

/** With indices in client memory each draw of glMultiDrawElements has its own bytes, so each becomes a call. */
function multiIndexed(session: Session, signature: Signature): Translate {
  const { name } = signature;
  const hasBase = name.includes('BaseVertex');
  const single = signatureOf(hasBase ? 'glDrawElementsBaseVertex' : 'glDrawElements') as Signature;
  const convert = argumentsFor(session, signature);
  return (call) => {
    const [mode, counts, type, indices] = call.args;
    const vertices = numbersOf(counts);
    if (session.context.bindings.buffer(GL.ELEMENT_ARRAY_BUFFER) !== 0 || !isList(indices)) {
      const args: Argument[] = convert(call);
      const offsets = isList(indices) ? indices.map(numberOf) : [];
      const inside = vertices.map((count, draw) =>
        countInside(session, name, count, numberOf(type), offsets[draw] ?? 0),
      );
      if (inside.some((count, draw) => count !== vertices[draw]))
        args[1] = session.builder.data(bytesOf(inside, 'i32'));
      session.emit(signature, args);
      return;
    }
    const bases = hasBase ? numbersOf(call.args[5]) : [];
    for (const [draw, bytes] of indices.entries()) {
      const data = bytes instanceof Uint8Array ? session.builder.data(bytes) : null;
      const values = [numberOf(mode), vertices[draw] ?? 0, numberOf(type), data];
      session.emit(single, hasBase ? [...values, bases[draw] ?? 0] : values);
    }
  };
}

/** Undefined for other commands. */
export function indexedDraws(session: Session, signature: Signature): Translate | undefined {
  const { name } = signature;
  if (/^glMultiDrawElements(BaseVertex)?(EXT)?$/.test(name)) return multiIndexed(session, signature);
  return /^glDraw(Range)?Elements(?!Indirect)/.test(name) ? indexed(session, signature) : undefined;
}
