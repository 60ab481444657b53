/** A gate's result in words, for every format that people read. */
import { type GateCapture, type GateCheck, type GateLevel, type GateResult, gateLevels } from '../../model/gate.ts';
import { quantityText, wholeText } from '../../model/quantity-text.ts';

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const worstToBest = [...gateLevels].reverse();

const verdicts: Readonly<Record<GateLevel, string>> = {
  pass: 'passed',
  undecided: 'passed',
  warn: 'passed',
  fail: 'failed',
  unmeasured: 'could not measure',
};

const counts: Readonly<Record<GateLevel, readonly [string, string]>> = {
  unmeasured: ['is unmeasured', 'are unmeasured'],
  fail: ['fails', 'fail'],
  warn: ['warns', 'warn'],
  undecided: ['is undecided', 'are undecided'],
  pass: ['passes', 'pass'],
};

/** `passed`, `failed` or `could not measure`. */
export const verdictText = ({ level }: Pick<GateCapture, 'level'>): string => verdicts[level];

/** Of a shard that has no capture: what passed is something else. */
const isIdle = ({ captures, shard, level }: GateResult): boolean =>
  captures.length === 0 && shard !== null && level === 'pass';

/** The same, or `has nothing to check`. */
export const gateVerdict = (result: GateResult): string =>
  isIdle(result) ? 'has nothing to check' : verdictText(result);

/** `2 checks fail, 1 warns, 9 pass`. */
function checksText(checks: readonly GateCheck[]): string {
  const clauses = worstToBest.flatMap((level) => {
    const count = checks.filter((check) => check.level === level).length;
    return count === 0 ? [] : [[count, counts[level][count === 1 ? 0 : 1]] as const];
  });
  if (clauses.length === 0) return 'nothing was checked';
  return clauses.map(([count, text], index) => `${index === 0 ? counted(count, 'check') : count} ${text}`).join(', ');
}

/** `failed: 2 checks fail, 9 pass in 3 captures (part 1 of 4)`: one line, no full stop. */
export function gateSummary(result: GateResult): string {
  const { captures, shard } = result;
  if (shard && isIdle(result)) return `nothing to check: no capture is in part ${shard.index} of ${shard.count}`;
  const there = captures.filter(({ file }) => file !== '');
  const unopened = there.filter(({ level, checks }) => level === 'unmeasured' && checks.length === 0).length;
  const unmeasured = unopened === 0 ? '' : `, ${counted(unopened, 'capture')} could not be measured`;
  const lost = captures.filter(({ file, name }) => file === '' && name.startsWith('shard ')).length;
  const missing = lost === 0 ? '' : `, ${counted(lost, 'shard')} ${lost === 1 ? 'is' : 'are'} missing`;
  const part = shard === null ? '' : ` (part ${shard.index} of ${shard.count})`;
  const checks = checksText(captures.flatMap((capture) => capture.checks));
  return `${verdictText(result)}: ${checks} in ${counted(there.length, 'capture')}${unmeasured}${missing}${part}`;
}

/** The same of one capture, with why it could not be measured. */
export function captureSummary(capture: GateCapture): string {
  const { reason, checks } = capture;
  if (reason !== null) return `${verdictText(capture)}: ${reason}`;
  return `${verdictText(capture)}: ${checksText(checks)}`;
}

const rank = ({ level }: GateCheck | GateCapture): number => worstToBest.indexOf(level);

/** The worst first, equals as they came. */
export const worstFirst = <T extends GateCheck | GateCapture>(list: readonly T[]): T[] =>
  [...list].sort((left, right) => rank(left) - rank(right));

/** Where a check looked: the path, or the frame; with the frame's number from the second on. */
export function placeText({ path, frame }: GateCheck): string {
  if (path === '') return `frame ${frame}`;
  return frame === 1 ? path : `${path} in frame ${frame}`;
}

/** The value with its unit, in bytes beside a limit like `16KB`, which is not 16 KiB; `–` where there is none. */
export function checkValue(value: GateCheck['value'], { unit, limit }: GateCheck): string {
  if (value === null) return '–';
  const isExact = unit === 'bytes' && typeof value !== 'boolean' && limit !== null && /^\d|^\./.test(limit);
  return isExact ? `${wholeText(value)} B` : quantityText(value, unit);
}
