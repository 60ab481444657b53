import type { Argument, Call, DataArgument } from '../model/call.ts';
import { noneWord } from '../model/call-words.ts';
import type { Manifest } from '../model/capture.ts';
import type { Param } from '../model/signature.ts';
import { hiddenEnumName, inlineElements } from './argument-numbers.ts';
import { bitfieldNames, enumName } from './enums.ts';

/** JSON has no 64-bit integers, infinities or NaN: those are text. */
const jsonNumber = (value: number | bigint): number | string =>
  typeof value === 'bigint' || !Number.isFinite(value) ? String(value) : value;

function dataValue(call: Call, param: Param, data: DataArgument): unknown {
  if (data === null) return null;
  if (data.kind === 'offset') return { offset: data.offset };
  if (data.kind === 'resource')
    return { resource: data.resource, byteOffset: data.byteOffset, byteLength: data.byteLength };
  return inlineElements(data, param.element).values.map((value) =>
    param.element === 'enum'
      ? enumName(Number(value), param.group)
      : (hiddenEnumName(call, param, value) ?? jsonNumber(value)),
  );
}

function argumentValue(call: Call, param: Param, value: Argument, manifest: Manifest): unknown {
  switch (param.type) {
    case 'enum':
      return enumName(value as number, param.group);
    case 'bitfield':
      return bitfieldNames(value as number, param.group);
    case 'bool':
      return value !== 0;
    case 'object':
      return { [param.objectClass ?? 'object']: value };
    case 'objects':
      return (value as readonly number[]).map((id) => ({ [param.objectClass ?? 'object']: id }));
    case 'location': {
      const location = value === noneWord ? undefined : manifest.locations[value as number];
      return location ? { program: location[0], uniform: location[1] } : null;
    }
    case 'data':
      return dataValue(call, param, value as DataArgument);
    case 'out':
      return value === null ? null : { out: value };
    case 'string':
    case 'strings':
      return value;
    default:
      return hiddenEnumName(call, param, value as number | bigint) ?? jsonNumber(value as number | bigint);
  }
}

/** A call as a JSON value: `{ name, args: { target: "GL_TEXTURE_2D", texture: { texture: 5 } }, result? }`. */
export function callJson(call: Call, manifest: Manifest): Record<string, unknown> {
  const { name, params, result } = call.signature;
  const args = Object.fromEntries(
    params.map((param, index) => [param.name, argumentValue(call, param, call.args[index], manifest)]),
  );
  return { name, args, ...(call.result !== 0 && { result: { [result.objectClass ?? 'object']: call.result } }) };
}
