/** From a value beside a limit to the level of a check. */
import { type GateLevel, gateLevels } from '../../model/gate.ts';
import type { Budget, Limit } from './limit.ts';

/** `undecided`: the runs do not say; `unmeasured`: there is no value. */
export type Outcome = 'within' | 'over' | 'undecided' | 'unmeasured';

/** One limit beside one value, with the end of the sentence that begins with the event. */
export interface Judged {
  readonly limit: Limit;
  readonly outcome: Outcome;
  readonly text: string;
}

const levels = {
  fail: { within: 'pass', over: 'fail', undecided: 'undecided', unmeasured: 'unmeasured' },
  warn: { within: 'pass', over: 'warn', undecided: 'undecided', unmeasured: 'unmeasured' },
} as const satisfies Record<'warn' | 'fail', Record<Outcome, GateLevel>>;

/** What to do about a check of which the runs do not say whether it holds. */
export type UndecidedLevel = 'pass' | 'warn' | 'fail';

const undecidedLevels: Readonly<Record<UndecidedLevel, GateLevel>> = { pass: 'undecided', warn: 'warn', fail: 'fail' };

export const settled = (level: GateLevel, undecided: UndecidedLevel): GateLevel =>
  level === 'undecided' ? undecidedLevels[undecided] : level;

/** The worse of a budget's two limits decides; where both hold, the one to fail at is told. */
export function worseOf<J extends Judged>(
  { warn, fail }: Pick<Budget, 'warn' | 'fail'>,
  judge: (limit: Limit) => J,
): J & { readonly level: GateLevel } {
  const judged = (['fail', 'warn'] as const).flatMap((name) => {
    const limit = name === 'fail' ? fail : warn;
    if (limit === null) return [];
    const one = judge(limit);
    return [{ ...one, level: levels[name][one.outcome] }];
  });
  return judged.reduce((worst, one) => (gateLevels.indexOf(one.level) > gateLevels.indexOf(worst.level) ? one : worst));
}
