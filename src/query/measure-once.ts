import type { GlContext } from '../gl/context.ts';
import type { EventTree } from '../model/event-tree.ts';
import type { FrameMeasurement } from '../model/sample.ts';
import { leafPlan } from './brackets.ts';
import { type PlayableFrame, RunMeter } from './run-meter.ts';
import type { RecordedClock } from './run-recorder.ts';
import type { TimerMethod } from './timer-method.ts';

/**
 * Plays a frame a single time, with a bracket around every leaf, for frames that need no warm-up (see {@link DrawnBefore}).
 * Such a frame has no plain run, and a questionable run stays so.
 */
export function measureOnce(
  context: GlContext,
  replay: PlayableFrame,
  tree: EventTree,
  method: TimerMethod,
  recorded?: RecordedClock,
): FrameMeasurement {
  const plan = leafPlan(tree, replay.calls.length);
  const meter = new RunMeter(context, replay, method, plan, tree.leaves.length, undefined, recorded);
  try {
    return { frame: replay.frame, plain: [], runs: [meter.run()], repeated: 0, warmups: 0, problem: null };
  } finally {
    meter.dispose();
  }
}
