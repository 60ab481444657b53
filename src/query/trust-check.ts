import { hostNs } from '../gl/clock.ts';
import type { GlContext } from '../gl/context.ts';
import { median } from '../model/median.ts';
import type { MethodTrust, TimerMethodName, TrustCheck, TrustRung } from '../model/sample.ts';
import { Timer } from './timer.ts';
import { type TimerMethod, timerMethod, timerMethodNames } from './timer-method.ts';
import { TrustScene } from './trust-scene.ts';
import { judge, type TrustReadings, trustBounds } from './trust-verdict.ts';

/** Each rung's work, in units found by {@link findUnit}. */
const rungs = [1, 2, 4];
const repeats = 3;
/** The lightest rung takes at least this long, and this many times what a draw of next to no work takes. */
const leastUnitNs = 1e6;
const unitOverDraw = 4;
/** The longest it has to take: SwiftShader spends 2 ms on the pixels of a draw of next to no work. */
const mostUnitNs = 6e6;
const mostWork = 1 << 22;
/** After this long the rungs are no longer repeated. */
const budgetNs = 150e6;
/** The first queries of a context can read an absolute time, so they are thrown away. */
const discarded = 2;
const emptyBrackets = 9;
/** Climbs of a method that another process may have disturbed, each with heavier draws than the last. */
const mostAttempts = 4;
/** A bracket in a submission of its own, which reads a clock, is hardly ever wrong but for other processes. */
const mostAttemptsIsolated = 10;

/** Host time of one draw, from an idle GPU until it is idle again. */
function drawNs(context: GlContext, scene: TrustScene): number {
  context.gl.glFinish();
  const start = hostNs();
  scene.draw();
  context.gl.glFinish();
  return hostNs() - start;
}

/** Work that makes a draw long enough to be told from its own overhead. The first draw, which compiles, does not count. */
function findUnit(context: GlContext, scene: TrustScene): number {
  let work = 1;
  scene.setWork(work);
  drawNs(context, scene);
  const shortest = () => Math.min(drawNs(context, scene), drawNs(context, scene), drawNs(context, scene));
  let taken = shortest();
  const unitNs = Math.max(leastUnitNs, Math.min(unitOverDraw * taken, mostUnitNs));
  while (taken < unitNs && work < mostWork) {
    work = Math.min(mostWork, Math.ceil(work * Math.min(8, (1.1 * unitNs) / taken)));
    scene.setWork(work);
    taken = shortest();
  }
  return work;
}

/** Times empty brackets and every rung by the method, and by the host clock around a finish of the very same draw. */
function climb(context: GlContext, scene: TrustScene, method: TimerMethod, unit: number): TrustReadings {
  const timer = new Timer(context, method);
  const { manager } = timer;
  const host: number[] = [];
  const bracket = (empty: boolean) => {
    context.gl.glFinish();
    const start = hostNs();
    manager.beginQuery(host.length);
    if (!empty) scene.draw();
    manager.endQuery(host.length);
    context.gl.glFinish();
    host.push(hostNs() - start);
  };
  try {
    const started = hostNs();
    timer.subscribe(discarded + emptyBrackets + rungs.length * repeats);
    scene.setWork(unit);
    for (let count = 0; count < discarded; count++) bracket(false);
    for (let count = 0; count < emptyBrackets; count++) bracket(true);
    const first = host.length;
    for (let repeat = 0; repeat < repeats; repeat++) {
      if (repeat > 0 && hostNs() - started > budgetNs / timerMethodNames.length) break;
      for (const rung of rungs) {
        scene.setWork(unit * rung);
        bracket(false);
      }
    }
    const measured = host.length;
    const { durationsNs, suspect } = timer.read();
    // Other work on the machine only adds to a draw's time, so of the repeats the shortest by the host clock counts.
    const best = rungs.map((rung, index): TrustRung => {
      let shortest = first + index;
      for (let query = shortest; query < measured; query += rungs.length)
        if (host[query] < host[shortest]) shortest = query;
      return { work: unit * rung, hostNs: host[shortest], readNs: durationsNs[shortest] };
    });
    return {
      rungs: best,
      floorNs: median(durationsNs.subarray(discarded, first)),
      hostFloorNs: median(host.slice(discarded, first)),
      questionable: suspect,
      binned: method.bits !== null && /llvmpipe/i.test(context.renderer),
    };
  } finally {
    timer.dispose();
  }
}

function checkMethod(context: GlContext, scene: TrustScene, name: TimerMethodName, unit: number): MethodTrust {
  const method = timerMethod(context, name);
  if (typeof method === 'string')
    return {
      method: name,
      available: false,
      trusted: false,
      reason: method,
      ratio: null,
      rungs: [],
      floorNs: null,
      bits: null,
    };
  let readings = climb(context, scene, method, unit);
  let verdict = judge(readings);
  const most = method.isolate ? mostAttemptsIsolated : mostAttempts;
  const mayBeDisturbed = () => verdict.noisy || (method.isolate && !verdict.trusted);
  for (let attempt = 1; attempt < most && mayBeDisturbed(); attempt++) {
    readings = climb(context, scene, method, unit * (attempt + 1));
    verdict = judge(readings);
  }
  const { trusted, reason, ratio } = verdict;
  return {
    method: name,
    available: true,
    trusted,
    reason,
    ratio,
    rungs: readings.rungs,
    floorNs: Number.isFinite(readings.floorNs) ? readings.floorNs : null,
    bits: method.bits,
  };
}

/**
 * Times draws of known, rising cost by each timer method and by the host clock around finish, and says which methods can
 * be trusted on this context. Takes 50 to 250 ms for all. The context must be in its initial state, and is left so.
 * Throws GpuprofError `missing-feature` below OpenGL ES 3.0 and `cannot-measure` when nothing can be drawn.
 */
export function checkTrust(context: GlContext, names: readonly TimerMethodName[] = timerMethodNames): TrustCheck {
  const scene = new TrustScene(context);
  try {
    const unit = findUnit(context, scene);
    return {
      bounds: trustBounds,
      methods: names.map((name) => checkMethod(context, scene, name, unit)),
    };
  } finally {
    scene.dispose();
  }
}
