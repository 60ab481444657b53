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

/** A check, and where its argument stands after the beginning of a call of fixed length. */
interface PlacedCheck extends Check {
  readonly offset: number;
}

interface Plan {
  /** Of calls of fixed length only those that can fail; of others all, as each says where the next stands. */
  readonly checks: readonly PlacedCheck[];
  /** Words of a record, when every argument has a fixed length; else 0. */
  readonly fixedWords: number;
  readonly highestResult: number;
}

const maxOutBytes = 0x7fffffff;
/** Of the arguments of one or two words. */
const canFail: ReadonlySet<Check['kind']> = new Set(['limited', 'location', 'out'] as const);

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
  const highestResult =
    result.type === 'object' && result.objectClass ? (manifest.objects[result.objectClass] ?? 0) : 0;
  let offset = headerWords;
  const checks = params.map((param) => {
    const check = { ...checkFor(param, manifest), offset };
    offset += check.kind === 'wide' ? 2 : 1;
    return check;
  });
  if (checks.some(({ kind }) => ['objects', 'data', 'string', 'strings'].includes(kind)))
    return { checks, fixedWords: 0, highestResult };
  return { checks: checks.filter(({ kind }) => canFail.has(kind)), fixedWords: offset, highestResult };
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
 * index and range in it: all at once, or as far as its words have arrived. `where` names the stream in errors
 * ("a.cap: setup.calls"). Throws `bad-capture` naming the first bad call, from 1.
 */
export class CallChecker {
  readonly #words: Uint32Array;
  readonly #manifest: CallTables;
  readonly #where: string;
  readonly #plans: readonly Plan[];
  readonly #sizes: readonly number[];
  readonly #starts: Uint32Array;
  #call = 0;
  #at = 0;

  /** `words` has the stream's size from the beginning, and its words once they have arrived. */
  constructor(words: Uint32Array, manifest: CallTables, calls: number, where: string) {
    if (calls * headerWords > words.length)
      throw new GpuprofError('bad-capture', `${where} is too short for ${calls} calls`);
    this.#words = words;
    this.#manifest = manifest;
    this.#where = where;
    this.#plans = manifest.signatures.map((signature) => planFor(signature, manifest));
    this.#sizes = manifest.resources.map(({ sizeBytes }) => sizeBytes);
    this.#starts = new Uint32Array(calls);
  }

  /** Checks the calls that are whole in the first `arrived` words. */
  check(arrived: number): void {
    const words = this.#words;
    const starts = this.#starts;
    let call = this.#call;
    let at = this.#at;
    for (; call < starts.length && at + headerWords <= arrived; call++) {
      const end = at + words[at + 1];
      if (end > arrived && end <= words.length) break;
      this.#checkCall(call, at, end);
      starts[call] = at;
      at = end;
    }
    this.#call = call;
    this.#at = at;
  }

  /** Checks the rest, and returns the word at which each call starts. */
  finish(): Uint32Array {
    this.check(this.#words.length);
    if (this.#call < this.#starts.length) this.#fail(this.#call, 'is missing');
    if (this.#at !== this.#words.length)
      throw new GpuprofError('bad-capture', `${this.#where} goes on after its ${this.#starts.length} calls`);
    return this.#starts;
  }

  #checkCall(call: number, at: number, end: number): void {
    const words = this.#words;
    const plan = this.#plans[words[at]];
    if (plan === undefined) this.#fail(call, `has signature ${words[at]}; the capture has ${this.#plans.length}`);
    const length = words[at + 1];
    if (length < headerWords || end > words.length) this.#fail(call, `has a length of ${length} words`);
    if (words[at + 2] > plan.highestResult) this.#failNamed(call, at, ` returns object ${words[at + 2]}`);
    if (plan.fixedWords !== 0 && plan.fixedWords !== length)
      this.#failNamed(call, at, ` is ${length} words long instead of ${plan.fixedWords}`);
    let next = at + headerWords;
    for (const check of plan.checks) {
      if (plan.fixedWords !== 0) next = at + check.offset;
      else if (check.kind === 'word') {
        next++;
        continue;
      }
      try {
        next = checkArgument(words, next, end, check, this.#sizes);
      } catch (error) {
        if (!(error instanceof Flaw)) throw error;
        this.#failNamed(call, at, `: ${check.name} ${error.message}`);
      }
    }
    if (plan.fixedWords === 0 && next !== end) this.#failNamed(call, at, ' does not end where its arguments do');
  }

  #failNamed(call: number, at: number, problem: string): never {
    this.#fail(call, `(${this.#manifest.signatures[this.#words[at]].name})${problem}`);
  }

  #fail(call: number, problem: string): never {
    throw new GpuprofError('bad-capture', `${this.#where}: call ${call + 1} ${problem}`);
  }
}

/** As {@link CallChecker}, for words that are all there: the word at which each call starts. */
export const checkCalls = (words: Uint32Array, manifest: CallTables, calls: number, where: string): Uint32Array =>
  new CallChecker(words, manifest, calls, where).finish();
