import type { Argument, DataArgument } from '../../../model/call.ts';
import { GL } from '../../../model/gl-constants.ts';
import type { ElementType, ObjectClass, Param, Signature } from '../../../model/signature.ts';
import { type TraceCall, TracePointer, type TraceValue } from '../trace.ts';
import { LeftOut, type Session } from './session.ts';
import { bytesOf, isList, numberOf, textOf, wideOf } from './values.ts';

/** Turns one argument of a call. */
export type Convert = (value: TraceValue, call: TraceCall) => Argument;

/** Where an address given for the parameter is an offset: in the buffer bound to this target. */
const offsetTargets: Readonly<Record<string, number>> = {
  pointer: GL.ARRAY_BUFFER,
  indices: GL.ELEMENT_ARRAY_BUFFER,
};

function offsetTarget({ name }: Param, command: string): number | undefined {
  if (name === 'indirect') return /Dispatch/.test(command) ? GL.DISPATCH_INDIRECT_BUFFER : GL.DRAW_INDIRECT_BUFFER;
  return offsetTargets[name];
}

/** An address as an offset into a buffer. */
export function offsetArgument(value: TracePointer | null): DataArgument {
  const offset = value === null ? 0 : Number(value.address);
  if (!Number.isSafeInteger(offset)) throw new LeftOut('its offset is beyond any buffer');
  return { kind: 'offset', offset };
}

/** Bytes that the call reads: a blob, an array, an offset into a bound buffer, or none. */
export function dataConverter(session: Session, element: ElementType, target: number | undefined): Convert {
  return (value) => {
    if (value instanceof Uint8Array) return session.builder.data(value);
    if (isList(value)) return session.builder.data(bytesOf(value, element));
    if (value === null || value instanceof TracePointer) {
      const isBound = target !== undefined && session.context.bindings.buffer(target) !== 0;
      if (isBound) return offsetArgument(value);
      if (value === null || value.address === 0) return null;
      throw new LeftOut('it reads memory that the trace does not hold');
    }
    if (typeof value === 'string') return session.builder.data(new TextEncoder().encode(value));
    return session.builder.data(bytesOf([value], element));
  };
}

function converterFor(session: Session, param: Param, command: string): Convert {
  switch (param.type) {
    case 'object': {
      const objectClass = param.objectClass as ObjectClass;
      return (value) => session.id(objectClass, typeof value === 'number' ? value : numberOf(value));
    }
    case 'objects': {
      const objectClass = param.objectClass as ObjectClass;
      return (value) => (isList(value) ? value.map((name) => session.id(objectClass, numberOf(name))) : []);
    }
    case 'i64':
    case 'u64':
      return wideOf;
    case 'data':
      return dataConverter(session, param.element ?? 'u8', offsetTarget(param, command));
    case 'string':
      return textOf;
    case 'strings':
      return (value) => (isList(value) ? value.map((text) => textOf(text) ?? '') : []);
    case 'pointer':
      return (value) => {
        if (value === null) return 0;
        throw new LeftOut("it names an address in the recorded program's memory");
      };
    case 'out':
      return () => {
        throw new LeftOut('what it writes was for the recorded program');
      };
    case 'location':
      throw new Error(`${command} needs a program for its ${param.name}`);
    default:
      return numberOf;
  }
}

/** Turns all arguments of a command's calls, with some converters in place of the usual ones. */
export function argumentsFor(
  session: Session,
  signature: Signature,
  special: Readonly<Record<string, Convert>> = {},
): (call: TraceCall) => Argument[] {
  const { params, name } = signature;
  const converters = params.map((param) =>
    Object.hasOwn(special, param.name) ? special[param.name] : converterFor(session, param, name),
  );
  const count = converters.length;
  return (call) => {
    const { args } = call;
    if (args.length < count) throw new LeftOut('the trace lacks some of its arguments');
    const values: Argument[] = new Array(count);
    for (let index = 0; index < count; index++) {
      const value = args[index];
      const convert = converters[index];
      values[index] = convert === numberOf && typeof value === 'number' ? value : convert(value, call);
    }
    return values;
  };
}
