/**
 * Runs inside a program that `gpuprof record node` records, before the program does (`node --import`). Threads of the
 * program come through here as well and are recorded; processes that it starts are not: they get no plan.
 */
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';
import { announceContexts } from '../../gl/context-listener.ts';
import { Claim, RecordedContexts } from './contexts.ts';
import { watchHeadlessGl } from './headless-gl-loads.ts';
import { sendStatus } from './pipes.ts';
import { planVariable, type RecordingPlan } from './protocol.ts';

interface Shared {
  readonly plan: RecordingPlan;
  readonly claim: Int32Array<SharedArrayBuffer>;
}

/** Takes the plan, so that only this process and its threads have it. */
function takePlan(): Shared | undefined {
  if (!isMainThread) return getEnvironmentData(planVariable) as Shared | undefined;
  const text = process.env[planVariable];
  if (text === undefined) return undefined;
  delete process.env[planVariable];
  // A fork gets this list by default.
  const at = process.execArgv.indexOf(import.meta.url);
  if (at > 0) process.execArgv.splice(at - 1, 2);
  const shared = { plan: JSON.parse(text) as RecordingPlan, claim: new Claim().shared };
  setEnvironmentData(planVariable, shared as never);
  return shared;
}

function record({ plan, claim }: Shared): void {
  const contexts = new RecordedContexts(plan, new Claim(claim));
  let threw = false;
  process.on('uncaughtExceptionMonitor', () => {
    threw = true;
  });
  // A program that ends has drawn what it wanted; one that throws was interrupted.
  process.on('exit', () => {
    if (!threw) contexts.endFrames();
  });
  announceContexts((gl, driver) => contexts.add(gl, { driver, version: 2 }));
  watchHeadlessGl(
    () => sendStatus({ kind: 'loaded' }),
    (gl, [width, height, options]) => {
      if (!gl) return sendStatus({ kind: 'no-context', size: `${width}x${height}` });
      const version = (options as { createWebGL2Context?: unknown } | undefined)?.createWebGL2Context ? 2 : 1;
      contexts.add(gl, { driver: 'headless-gl', version });
    },
  );
}

const shared = takePlan();
if (shared) record(shared);
