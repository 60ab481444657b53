/** glArrayElement, of whose client arrays apitrace keeps nothing: some may be there for the draws before it. */
import type { DataArgument } from '../../../model/call.ts';
import { numberNamed } from '../../../model/named-arguments.ts';
import type { Signature } from '../../../model/signature.ts';
import { typeBytes } from '../../../model/texel-sizes.ts';
import type { ContextState, Entry } from '../../context-state/context-state.ts';
import { argumentsFor } from './arguments.ts';
import { LeftOut, type Session, type Translate } from './session.ts';

/** Families of pointers by the array that glEnableClientState names, and components where the call does not tell. */
const pointers: ReadonlyMap<string, readonly [family: string, components: number]> = new Map([
  ['32884', ['VertexPointer', 4]],
  ['32885', ['NormalPointer', 3]],
  ['32886', ['ColorPointer', 4]],
  ['32887', ['IndexPointer', 1]],
  ['32888', ['TexCoordPointer', 4]],
  ['32889', ['EdgeFlagPointer', 1]],
  ['33879', ['FogCoordPointer', 1]],
  ['33886', ['SecondaryColorPointer', 3]],
]);

function holds({ call, arrayBuffer }: Entry, components: number, element: number): boolean {
  if (arrayBuffer !== 0) return true;
  const data = call.args[call.args.length - 1] as DataArgument;
  if (data?.kind !== 'inline' && data?.kind !== 'resource') return false;
  const named = { ...call, result: 0 };
  const type = numberNamed(named, 'type');
  const bytes = (numberNamed(named, 'size') ?? components) * (type === undefined ? 1 : typeBytes(type) || 8);
  const stride = numberNamed(named, 'stride') || bytes;
  return element * stride + bytes <= (data.kind === 'inline' ? data.bytes.byteLength : data.byteLength);
}

/** Whether every array that is enabled in the default vertex array has the element. */
function isThere({ families, selected }: ContextState, element: number): boolean {
  if (selected.vertexArray !== 0) return true;
  for (const [family, entries] of families) {
    const [head, array, ...unit] = family.split(' ');
    const isEnabled = entries.get('')?.call.signature.name.startsWith('glEnable');
    if (!isEnabled || (head !== 'ClientState' && head !== 'AttributeEnable')) continue;
    const [name, components] =
      head === 'ClientState' ? (pointers.get(array) ?? ['', 0]) : [`AttributePointer ${array}`, 4];
    const pointer = families.get([name, ...unit].join(' '))?.get('');
    if (!pointer || !holds(pointer, components, element)) return false;
  }
  return true;
}

/** Undefined for other commands. */
export function arrayElement(session: Session, signature: Signature): Translate | undefined {
  if (!/^glArrayElement(EXT)?$/.test(signature.name)) return undefined;
  const convert = argumentsFor(session, signature);
  return (call) => {
    const args = convert(call);
    if (!isThere(session.context.state, Number(args[0])))
      throw new LeftOut('the trace does not hold the arrays it reads');
    session.emit(signature, args);
  };
}
