import { isUtf8 } from 'node:buffer';
import { GpuprofError } from '../errors.ts';
import { dataTag, headerWords, noneWord, wordsFor } from '../model/call-words.ts';
import type { Manifest } from '../model/capture.ts';
import type { Param, Signature } from '../model/signature.ts';

/** What calls refer to. */
type CallTables = Pick<Manifest, 'signatures' | 'resources' | 'locations' | 'objects'>;

/** What the checks of one parameter need to know; `limit` is an id's, index's or value's highest. */
interface Check {
  readonly kind: 'word' | 'wide' | 'limited' | 'location' | 'objects' | 'data' | 'string' | 'strings' | 'out';
  readonly limit: number;
  readonly name: string;
}

interface Plan {
  readonly checks: readonly Check[];
  /** Words of a record, when every argument has a fixed length; else 0. */
  readonly fixedWords: number;
  readonly highestResult: number;
}

const maxOutBytes = 0x7fffffff;

function checkFor(param: Param, manifest: CallTables): Check {
  const highest = param.objectClass ? (manifest.objects[param.objectClass] ?? 0) : 0;
  const check = (kind: Check['kind'], limit = 0): Check => ({ kind, limit, name: param.name });
  switch (param.type) {
    case 'f64':
    case 'i64':
    case 'u64':
    case 'pointer':
      return check('wide');
    case 'bool':
      return check('limited', 0xff);
    case 'object':
      return check('limited', highest);
    case 'objects':
      return check('objects', highest);
    case 'location':
      return check('location', manifest.locations.length);
    case 'data':
    case 'string':
    case 'strings':
    case 'out':
      return check(param.type);
    default:
      return check('word');
  }
}

function planFor({ params, result }: Signature, manifest: CallTables): Plan {
  const checks = params.map((param) => checkFor(param, manifest));
  const fixed = checks.every(({ kind }) => !['objects', 'data', 'string', 'strings'].includes(kind));
  const wide = checks.filter(({ kind }) => kind === 'wide').length;
  const highestResult =
    result.type === 'object' && result.objectClass ? (manifest.objects[result.objectClass] ?? 0) : 0;
  return { checks, fixedWords: fixed ? headerWords + checks.length + wide : 0, highestResult };
}

/** Thrown inside the pass and turned into a sentence with the call's number outside it. */
class Flaw extends Error {}

/** Checks text of `words[at]` bytes and its NUL padding; returns the place after it. */
function checkText(words: Uint32Array, at: number, end: number): number {
  if (at >= end) throw new Flaw('ends inside text');
  const length = words[at];
  if (length === noneWord) return at + 1;
  const next = at + 2 + (length >>> 2);
  if (next > end) throw new Flaw('has text longer than the call');
  const last = words[next - 1];
  if (last >>> ((length & 3) * 8) !== 0) throw new Flaw('has text that is not padded with zeros');
  for (let word = at + 1; word < next; word++)
    if ((words[word] & 0x80808080) !== 0) {
      if (!isUtf8(new Uint8Array(words.buffer, words.byteOffset + (at + 1) * 4, length)))
        throw new Flaw('has text that is not UTF-8');
      break;
    }
  return next;
}

function checkData(words: Uint32Array, at: number, end: number, resourceSizes: readonly number[]): number {
  if (at >= end) throw new Flaw('ends inside data');
  switch (words[at]) {
    case dataTag.none:
      return at + 1;
    case dataTag.inline: {
      if (at + 2 > end) throw new Flaw('ends inside data');
      const next = at + 2 + wordsFor(words[at + 1]);
      // wordsFor() wraps for lengths near 2^32, so the length itself is checked too.
      if (words[at + 1] > (end - at - 2) * 4 || next > end) throw new Flaw('has data longer than the call');
      return next;
    }
    case dataTag.resource: {
      if (at + 4 > end) throw new Flaw('ends inside data');
      const size = resourceSizes[words[at + 1]];
      if (size === undefined) throw new Flaw(`uses resource ${words[at + 1]}; the capture has ${resourceSizes.length}`);
      if (words[at + 2] + words[at + 3] > size)
        throw new Flaw(
          `uses bytes ${words[at + 2]} to ${words[at + 2] + words[at + 3]} of resource ${words[at + 1]}, which has ${size}`,
        );
      return at + 4;
    }
    case dataTag.offset:
      if (at + 3 > end) throw new Flaw('ends inside data');
      if (words[at + 2] >= 2 ** 21) throw new Flaw('has an offset beyond 2^53');
      return at + 3;
    default:
      throw new Flaw(`has data of unknown kind ${words[at]}`);
  }
}

/** Checks one argument and returns the place after it. */
function checkArgument(
  words: Uint32Array,
  at: number,
  end: number,
  check: Check,
  resourceSizes: readonly number[],
): number {
  switch (check.kind) {
    case 'data':
      return checkData(words, at, end, resourceSizes);
    case 'string':
      return checkText(words, at, end);
  }
  if (at >= end) throw new Flaw('ends too early');
  const value = words[at];
  switch (check.kind) {
    case 'wide':
      if (at + 2 > end) throw new Flaw('ends too early');
      return at + 2;
    case 'limited':
      if (value > check.limit) throw new Flaw(`is ${value}; at most ${check.limit}`);
      return at + 1;
    case 'location':
      if (value >= check.limit && value !== noneWord)
        throw new Flaw(`is location ${value}; the capture has ${check.limit}`);
      return at + 1;
    case 'out':
      if (value > maxOutBytes && value !== noneWord) throw new Flaw(`is ${value} bytes; at most ${maxOutBytes}`);
      return at + 1;
    case 'objects': {
      const next = at + 1 + value;
      if (next > end) throw new Flaw('has a list longer than the call');
      for (let item = at + 1; item < next; item++)
        if (words[item] > check.limit) throw new Flaw(`has object ${words[item]}; the highest is ${check.limit}`);
      return next;
    }
    case 'strings': {
      if (value > end - at) throw new Flaw('has a list longer than the call');
      let next = at + 1;
      for (let left = value; left > 0; left--) next = checkText(words, next, end);
      return next;
    }
    default:
      return at + 1;
  }
}

/**
 * Checks a call stream from an untrusted file in one pass, so that decoding and replaying can trust every length, id,
 * index and range in it. `where` names the stream in errors ("a.cap: setup.calls"). Returns the word at which each call
 * starts. Throws `bad-capture` naming the first bad call, from 1.
 */
export function checkCalls(words: Uint32Array, manifest: CallTables, calls: number, where: string): Uint32Array {
  const plans = manifest.signatures.map((signature) => planFor(signature, manifest));
  const sizes = manifest.resources.map(({ sizeBytes }) => sizeBytes);
  const fail = (call: number, problem: string): never => {
    throw new GpuprofError('bad-capture', `${where}: call ${call + 1} ${problem}`);
  };
  if (calls * headerWords > words.length)
    throw new GpuprofError('bad-capture', `${where} is too short for ${calls} calls`);
  const starts = new Uint32Array(calls);
  let at = 0;
  for (let call = 0; call < calls; call++) {
    if (at + headerWords > words.length) fail(call, 'is missing');
    const plan = plans[words[at]];
    if (plan === undefined) fail(call, `has signature ${words[at]}; the capture has ${plans.length}`);
    const length = words[at + 1];
    const end = at + length;
    if (length < headerWords || end > words.length) fail(call, `has a length of ${length} words`);
    if (words[at + 2] > plan.highestResult)
      fail(call, `(${manifest.signatures[words[at]].name}) returns object ${words[at + 2]}`);
    if (plan.fixedWords !== 0 && plan.fixedWords !== length)
      fail(call, `(${manifest.signatures[words[at]].name}) is ${length} words long instead of ${plan.fixedWords}`);
    let next = at + headerWords;
    for (const check of plan.checks) {
      if (check.kind === 'word') {
        next++;
        continue;
      }
      try {
        next = checkArgument(words, next, end, check, sizes);
      } catch (error) {
        if (!(error instanceof Flaw)) throw error;
        fail(call, `(${manifest.signatures[words[at]].name}): ${check.name} ${error.message}`);
      }
    }
    if (next !== end) fail(call, `(${manifest.signatures[words[at]].name}) does not end where its arguments do`);
    starts[call] = at;
    at = end;
  }
  if (at !== words.length) throw new GpuprofError('bad-capture', `${where} goes on after its ${calls} calls`);
  return starts;
}
