/**
 * The recorder inside a page: the tool runs this in every window and worker before the page's own scripts. esbuild makes
 * one file of it and what it imports.
 */
import type { InjectSettings, RealmFace } from '../protocol.ts';
import { watchAnimationFrames } from './animation-frames.ts';
import { type AnyCanvas, Canvases } from './canvases.ts';
import { ChosenFrame } from './chosen-frame.ts';
import { watchContexts } from './contexts.ts';
import { replaceMethod } from './disguise.ts';
import { labelTransfers, receiveLabels } from './transfers.ts';
import { Transport } from './transport.ts';
import { type AnyContext, WatchedContext } from './watched-context.ts';
import { recordWorkers } from './workers.ts';

const { apply, defineProperty } = Reflect;
const inWindow = typeof window !== 'undefined';

/** Live contexts that browsers let a page have. */
const mostContexts = 16;

/** The window's place among the page's frames, such as `0.2`; empty for the page itself. */
function windowPlace(): string {
  const places: number[] = [];
  for (let at: Window = window; at !== at.parent; at = at.parent) {
    const { parent } = at;
    places.unshift(Array.from({ length: parent.length }, (_, index) => parent[index]).indexOf(at));
  }
  return places.join('.');
}

/** The recorder of the window that a canvas is in, if that is another one: its pictures are that window's. */
function recorderOf(canvas: AnyCanvas, secret: string): RealmFace | undefined {
  const home = 'ownerDocument' in canvas ? canvas.ownerDocument.defaultView : null;
  return home && home !== globalThis ? (home as unknown as Record<string, RealmFace | undefined>)[secret] : undefined;
}

interface PolicyDocument {
  readonly featurePolicy?: { allowsFeature(name: string): boolean };
}

/** Installs the recorder. `trigger` is the user's condition for the first frame. */
export function install(settings: InjectSettings, trigger: () => unknown): void {
  const { secret, producer, frames } = settings;
  if (secret in globalThis) return;
  const contexts: WatchedContext[] = [];
  const refused: string[] = [];
  const realm = settings.worker ?? windowPlace();
  const transport = new Transport(settings.endpoint);
  const canvases = new Canvases(settings.canvas);
  const chosen = new ChosenFrame(settings.choice, realm, contexts, trigger);
  const hasPhases = watchAnimationFrames({
    begin: () => {
      animationFrames++;
      for (const { watch } of contexts) watch.presenting = true;
    },
    end: () => {
      for (const { watch } of contexts) {
        watch.presenting = false;
        watch.frameEnd();
      }
    },
  });
  const getContext = typeof OffscreenCanvas === 'undefined' ? undefined : OffscreenCanvas.prototype.getContext;
  const options = {
    producer,
    frames,
    signatures: new Map(settings.signatures.map((signature) => [signature.name, signature])),
    transport,
    canvases,
    hasPhases,
    wanted: (context: WatchedContext, frame: number) => canvases.matches(context.canvas) && chosen.is(context, frame),
    // One more than the browser keeps would cost the page its oldest.
    getContext: (canvas: OffscreenCanvas) =>
      getContext && contexts.length < mostContexts
        ? (apply(getContext, canvas, ['webgl']) as WebGLRenderingContext | null)
        : null,
  };

  const adopt = (gl: AnyContext, version: 1 | 2): void => {
    contexts.push(new WatchedContext(gl, version, options));
  };
  watchContexts({
    made: (gl, version) => {
      const home = recorderOf(gl.canvas, secret);
      if (home) home.adopt(gl, version);
      else adopt(gl, version);
    },
    refused: (why) => refused.push(why),
    taken: (canvas) => contexts.find((context) => context.canvas === canvas)?.watch.frameEnd(),
  });
  let animationFrames = 0;
  recordWorkers(transport);
  labelTransfers(canvases, secret);
  if (!inWindow) receiveLabels(canvases, secret);
  else
    replaceMethod(HTMLCanvasElement.prototype, 'transferControlToOffscreen', (original) => ({
      transferControlToOffscreen(this: unknown, ...args: unknown[]) {
        const offscreen = apply(original, this, args) as OffscreenCanvas;
        canvases.transfer(this as HTMLCanvasElement, offscreen);
        return offscreen;
      },
    }));

  const policy = inWindow ? (document as unknown as PolicyDocument).featurePolicy : undefined;
  const blocked = policy?.allowsFeature('sync-xhr') === false;
  const face: RealmFace = {
    status: () => ({
      realm,
      animationFrames,
      contexts: contexts.map((context) => context.status()),
      refused,
      transferred: canvases.transferred,
      ...(chosen.problem !== undefined && { triggerProblem: chosen.problem }),
      ...(transport.problem !== undefined && { problem: transport.problem }),
      blocked,
    }),
    arm: (where, context) => chosen.arm(where, context),
    adopt: (gl, version) => adopt(gl as AnyContext, version),
  };
  defineProperty(globalThis, secret, { value: face });
}
