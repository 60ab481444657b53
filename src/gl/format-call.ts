import type { Argument, Call, DataArgument } from '../model/call.ts';
import { noneWord } from '../model/call-words.ts';
import type { Manifest } from '../model/capture.ts';
import type { ObjectClass, Param } from '../model/signature.ts';
import { float32Text, hiddenEnumName, inlineElements } from './argument-numbers.ts';
import { bitfieldNames, enumName } from './enums.ts';

const mostElements = 16;
const mostCharacters = 200;
const mostLine = 2000;

const unsafe = /["\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const escapes: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Quoted, on one line, with nothing in it that a terminal would obey. */
function quote(text: string): string {
  const shown = text.length > mostCharacters ? text.slice(0, mostCharacters) : text;
  const escaped = shown.replace(
    unsafe,
    (character) => escapes[character] ?? `\\u{${(character.codePointAt(0) as number).toString(16)}}`,
  );
  return text.length > mostCharacters ? `"${escaped}"… (${text.length} characters)` : `"${escaped}"`;
}

/** `vertex array 3`; `canvas` for framebuffer 0 and plain 0 for no object. */
function objectText(objectClass: ObjectClass | undefined, id: number): string {
  if (id === 0) return objectClass === 'framebuffer' ? 'canvas' : '0';
  return `${(objectClass ?? 'object').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} ${id}`;
}

function list<T>(items: readonly T[], count: number, text: (item: T) => string): string {
  const shown = items.slice(0, mostElements).map(text);
  if (count > mostElements) shown.push(`… ${count} in all`);
  return `[${shown.join(', ')}]`;
}

function dataText(call: Call, param: Param, data: DataArgument, manifest: Manifest): string {
  if (data === null) return 'null';
  if (data.kind === 'offset') return `offset ${data.offset}`;
  if (data.kind === 'resource') {
    const { resource, byteOffset, byteLength } = data;
    const whole = byteOffset === 0 && byteLength === manifest.resources[resource]?.sizeBytes;
    const range = whole ? '' : ` at byte ${byteOffset}`;
    return `resource ${resource}, ${byteLength} bytes${range}`;
  }
  const { values, count } = inlineElements(data, param.element, mostElements);
  return list(values, count, (value) => {
    if (param.element === 'enum') return enumName(Number(value), param.group);
    return hiddenEnumName(call, param, value) ?? (param.element === 'f32' ? float32Text(Number(value)) : String(value));
  });
}

function locationText(index: number, manifest: Manifest): string {
  const location = manifest.locations[index];
  if (index === noneWord || !location) return '-1';
  return `${quote(location[1])} of program ${location[0]}`;
}

function argumentText(call: Call, param: Param, value: Argument, manifest: Manifest): string {
  switch (param.type) {
    case 'enum':
      return enumName(value as number, param.group);
    case 'bitfield':
      return bitfieldNames(value as number, param.group);
    case 'bool':
      return value ? 'true' : 'false';
    case 'f32':
      return hiddenEnumName(call, param, value as number) ?? float32Text(value as number);
    case 'i32':
    case 'u32':
      return hiddenEnumName(call, param, value as number) ?? String(value);
    case 'object':
      return objectText(param.objectClass, value as number);
    case 'objects':
      return list(value as readonly number[], (value as readonly number[]).length, (id) =>
        objectText(param.objectClass, id),
      );
    case 'location':
      return locationText(value as number, manifest);
    case 'data':
      return dataText(call, param, value as DataArgument, manifest);
    case 'string':
      return value === null ? 'null' : quote(value as string);
    case 'strings':
      return list(value as readonly string[], (value as readonly string[]).length, quote);
    case 'out':
      return value === null ? 'null' : `out ${value} bytes`;
    case 'pointer':
      return value === 0 ? 'null' : `0x${BigInt(value as number | bigint).toString(16)}`;
    default:
      return String(value);
  }
}

/**
 * One call on one line: `glBindTexture(target = GL_TEXTURE_2D, texture = texture 5)`, with enum names, resources and their
 * sizes, uniform names, and the object it returned (`= shader 4`). Long data, text and lines are shortened with `…`.
 */
export function formatCall(call: Call, manifest: Manifest): string {
  const { name, params, result } = call.signature;
  const args = params.map((param, index) => `${param.name} = ${argumentText(call, param, call.args[index], manifest)}`);
  const returned = call.result === 0 ? '' : ` = ${objectText(result.objectClass, call.result)}`;
  const line = `${name}(${args.join(', ')})${returned}`;
  return line.length > mostLine ? `${line.slice(0, mostLine)}…` : line;
}
