/**
 * The call stream's encoding: each call is a run of 32-bit little-endian words (capture/FORMAT.md, "Call streams").
 * Words, not bytes, so that replay reads arguments in place and hands addresses inside the stream to GL.
 */
import type { Argument, Call, DataArgument } from './call.ts';
import type { Param, Signature } from './signature.ts';

export const dataTag = { none: 0, inline: 1, resource: 2, offset: 3 } as const;
/** A word that stands for "null" where a length is expected, and for "no such uniform" as a location. */
export const noneWord = 0xffffffff;
/** Words before the arguments: signature index, length of the whole record in words, result id. */
export const headerWords = 3;

const textEncoder = new TextEncoder();
const textDecoder = new TextDecoder('utf-8', { fatal: true });
const convert = new DataView(new ArrayBuffer(8));

/** Words that `byteLength` bytes take, padded. */
export const wordsFor = (byteLength: number): number => (byteLength + 3) >>> 2;

/** Text always has room for a final NUL, so that its bytes can be handed to GL as they are. */
const wordsForText = (byteLength: number): number => (byteLength >>> 2) + 1;

function pushBytes(out: number[], bytes: Uint8Array, words: number): void {
  for (let word = 0; word < words; word++) {
    let value = 0;
    for (let byte = 0; byte < 4; byte++) value |= (bytes[word * 4 + byte] ?? 0) << (byte * 8);
    out.push(value >>> 0);
  }
}

function pushWide(out: number[]): void {
  out.push(convert.getUint32(0, true), convert.getUint32(4, true));
}

function pushText(out: number[], text: string | null): void {
  if (text === null) {
    out.push(noneWord);
    return;
  }
  const bytes = textEncoder.encode(text);
  out.push(bytes.length);
  pushBytes(out, bytes, wordsForText(bytes.length));
}

function pushData(out: number[], data: DataArgument): void {
  if (data === null) out.push(dataTag.none);
  else if (data.kind === 'inline') {
    out.push(dataTag.inline, data.bytes.byteLength);
    pushBytes(out, data.bytes, wordsFor(data.bytes.byteLength));
  } else if (data.kind === 'resource') out.push(dataTag.resource, data.resource, data.byteOffset, data.byteLength);
  else {
    convert.setBigUint64(0, BigInt(data.offset), true);
    out.push(dataTag.offset);
    pushWide(out);
  }
}

function pushArgument(out: number[], param: Param, value: Argument): void {
  switch (param.type) {
    case 'f32':
      convert.setFloat32(0, value as number, true);
      out.push(convert.getUint32(0, true));
      break;
    case 'f64':
      convert.setFloat64(0, value as number, true);
      pushWide(out);
      break;
    case 'i64':
      convert.setBigInt64(0, BigInt(value as number | bigint), true);
      pushWide(out);
      break;
    case 'u64':
    case 'pointer':
      convert.setBigUint64(0, BigInt.asUintN(64, BigInt(value as number | bigint)), true);
      pushWide(out);
      break;
    case 'objects':
      out.push((value as readonly number[]).length, ...(value as readonly number[]));
      break;
    case 'data':
      pushData(out, value as DataArgument);
      break;
    case 'string':
      pushText(out, value as string | null);
      break;
    case 'strings':
      out.push((value as readonly string[]).length);
      for (const text of value as readonly string[]) pushText(out, text);
      break;
    case 'out':
      out.push(value === null ? noneWord : (value as number));
      break;
    case 'bool':
      out.push(Number(value) & 0xff);
      break;
    default:
      // Of a number of 64 bits C keeps the lower ones.
      out.push((typeof value === 'bigint' ? Number(BigInt.asUintN(32, value)) : (value as number)) >>> 0);
  }
}

/** Appends one call's words to `out`; `signatureIndex` is the signature's place in the capture's table. */
export function encodeCall(
  out: number[],
  signatureIndex: number,
  signature: Signature,
  args: readonly Argument[],
  result = 0,
): void {
  const start = out.length;
  out.push(signatureIndex, 0, result);
  for (let index = 0; index < signature.params.length; index++) pushArgument(out, signature.params[index], args[index]);
  out[start + 1] = out.length - start;
}

/** The place just after the argument at `at`. Reads lengths as they stand: the words must have been checked. */
export function afterArgument(words: Uint32Array, at: number, param: Param): number {
  switch (param.type) {
    case 'f64':
    case 'i64':
    case 'u64':
    case 'pointer':
      return at + 2;
    case 'objects':
      return at + 1 + words[at];
    case 'data':
      if (words[at] === dataTag.none) return at + 1;
      if (words[at] === dataTag.inline) return at + 2 + wordsFor(words[at + 1]);
      return at + (words[at] === dataTag.resource ? 4 : 3);
    case 'string':
      return afterText(words, at);
    case 'strings': {
      let next = at + 1;
      for (let left = words[at]; left > 0; left--) next = afterText(words, next);
      return next;
    }
    default:
      return at + 1;
  }
}

function afterText(words: Uint32Array, at: number): number {
  return words[at] === noneWord ? at + 1 : at + 1 + wordsForText(words[at]);
}

function readText(words: Uint32Array, at: number): string | null {
  if (words[at] === noneWord) return null;
  return textDecoder.decode(new Uint8Array(words.buffer, words.byteOffset + (at + 1) * 4, words[at]));
}

const narrow = (value: bigint): number | bigint =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;

function readData(words: Uint32Array, at: number): DataArgument {
  switch (words[at]) {
    case dataTag.none:
      return null;
    case dataTag.inline:
      return { kind: 'inline', bytes: new Uint8Array(words.buffer, words.byteOffset + (at + 2) * 4, words[at + 1]) };
    case dataTag.resource:
      return { kind: 'resource', resource: words[at + 1], byteOffset: words[at + 2], byteLength: words[at + 3] };
    default:
      return { kind: 'offset', offset: words[at + 1] + words[at + 2] * 2 ** 32 };
  }
}

function readArgument(words: Uint32Array, at: number, param: Param): Argument {
  convert.setUint32(0, words[at], true);
  switch (param.type) {
    case 'i32':
      return words[at] | 0;
    case 'f32':
      return convert.getFloat32(0, true);
    case 'f64':
    case 'i64':
    case 'u64':
    case 'pointer':
      convert.setUint32(4, words[at + 1], true);
      if (param.type === 'f64') return convert.getFloat64(0, true);
      return narrow(param.type === 'i64' ? convert.getBigInt64(0, true) : convert.getBigUint64(0, true));
    case 'objects':
      return Array.from(words.subarray(at + 1, at + 1 + words[at]));
    case 'data':
      return readData(words, at);
    case 'string':
      return readText(words, at);
    case 'strings': {
      const texts: string[] = [];
      let next = at + 1;
      for (let left = words[at]; left > 0; left--) {
        texts.push(readText(words, next) ?? '');
        next = afterText(words, next);
      }
      return texts;
    }
    case 'out':
      return words[at] === noneWord ? null : words[at];
    default:
      return words[at];
  }
}

/** Decodes the call that starts at word `at`. The words must have been checked (capture/check-calls.ts). */
export function decodeCall(words: Uint32Array, at: number, signature: Signature): Call {
  const args: Argument[] = [];
  let next = at + headerWords;
  for (const param of signature.params) {
    args.push(readArgument(words, next, param));
    next = afterArgument(words, next, param);
  }
  return { signature, args, result: words[at + 2] };
}
