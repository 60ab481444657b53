/** Display lists, whose names are numbers that programs count with. */
import type { ElementType, Signature } from '../../../model/signature.ts';
import { argumentsFor, dataConverter } from './arguments.ts';
import type { Session, Translate } from './session.ts';
import { numberOf } from './values.ts';

const elements: ReadonlyMap<number, ElementType> = new Map([
  [0x1400, 'i8'],
  [0x1401, 'u8'],
  [0x1402, 'i16'],
  [0x1403, 'u16'],
  [0x1404, 'i32'],
  [0x1405, 'u32'],
  [0x1406, 'f32'],
]);

/** glCallLists: numbers of the type that the call names, counted from the list base. */
function callLists(session: Session, signature: Signature): Translate {
  const convert = argumentsFor(session, signature, {
    lists: (value, call) =>
      dataConverter(session, elements.get(numberOf(call.args[1])) ?? 'u8', undefined)(value, call),
  });
  return (call) => {
    const { group, state } = session.context;
    if (group.firstList !== 0 && !state.families.has('ListBase')) session.named('glListBase', [group.firstList]);
    session.emit(signature, convert(call));
  };
}

/** Undefined for commands that are not about lists by name. */
export function listTranslator(session: Session, signature: Signature): Translate | undefined {
  const { name, params } = signature;
  if (name === 'glCallLists') return callLists(session, signature);
  if (!/^gl(NewList|CallList|ListBase|DeleteLists)$/.test(name)) return undefined;
  const list = (value: Parameters<typeof numberOf>[0]) => numberOf(value) + session.context.group.firstList;
  const convert = argumentsFor(session, signature, { [params[0].name]: list });
  return (call) => session.emit(signature, convert(call));
}
