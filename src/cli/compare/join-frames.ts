import type { Comparison, FramesAlone } from '../../model/comparison.ts';
import type { Warning } from '../../model/report.ts';

/** Each warning once. */
const distinct = (warnings: readonly Warning[]): Warning[] => [
  ...new Map(warnings.map((warning) => [`${warning.code} ${warning.message}`, warning])).values(),
];

/** One comparison out of those of its frames, at least one; what else is given is about all of it. */
export function joinFrames(
  compared: readonly Comparison[],
  framesAlone: FramesAlone,
  warnings: readonly Warning[],
  falseAlarmRate: number,
): Comparison {
  const [first] = compared;
  const pairs = Math.min(...compared.map(({ settings }) => settings.pairs));
  return {
    ...first,
    settings: { ...first.settings, falseAlarmRate, pairs },
    framesAlone,
    frames: compared.flatMap(({ frames }) => frames),
    warnings: distinct([...warnings, ...compared.flatMap((one) => one.warnings)]),
  };
}
