/**
 * The recorder inside a page: the tool runs this in every window and worker before the page's own scripts. esbuild makes
 * one file of it and what it imports.
 */
import type { Signature } from '../../../model/signature.ts';
import type { InjectSettings, RealmFace } from '../protocol.ts';
import { watchAnimationFrames } from './animation-frames.ts';
import { labelOf, matches, setPlaceholder } from './canvases.ts';
import { watchContexts } from './contexts.ts';
import { replaceMethod } from './disguise.ts';
import { Transport } from './transport.ts';
import { WatchedContext } from './watched-context.ts';

const { apply, defineProperty } = Reflect;

/** The window's place among the page's frames, such as `0.2`; empty for the page itself. */
function realmName(): string {
  if (typeof window === 'undefined') return 'worker';
  const places: number[] = [];
  for (let at: Window = window; at !== at.parent; at = at.parent) {
    const { parent } = at;
    places.unshift(Array.from({ length: parent.length }, (_, index) => parent[index]).indexOf(at));
  }
  return places.join('.');
}

/** Installs the recorder. `trigger` is the page's own condition for the first frame. */
export function install(settings: InjectSettings, trigger: () => unknown): void {
  const { choice, secret } = settings;
  if (secret in globalThis) return;
  const contexts: WatchedContext[] = [];
  const refused: string[] = [];
  const transferred: HTMLCanvasElement[] = [];
  const realm = realmName();
  const transport = new Transport(settings.endpoint);
  const now = () => performance.timeOrigin + performance.now();
  const original = typeof OffscreenCanvas === 'undefined' ? undefined : OffscreenCanvas.prototype.getContext;
  let triggerProblem: string | undefined;
  let anyArmed = false;

  const isTriggered = (): boolean => {
    try {
      return Boolean(trigger());
    } catch (error) {
      triggerProblem = String(error);
      return false;
    }
  };
  const isChosen = (context: WatchedContext, frame: number): boolean => {
    switch (choice.kind) {
      case 'frame':
        return frame === choice.frame;
      case 'after':
        return now() >= choice.epochMs;
      case 'trigger':
        return isTriggered();
      case 'armed':
        return anyArmed || context.armed;
      case 'known':
        return realm === choice.realm && contexts.indexOf(context) === choice.context && frame === choice.frame;
    }
  };
  const options = {
    producer: settings.producer,
    frames: settings.frames,
    signatures: new Map<string, Signature>(settings.signatures.map((signature) => [signature.name, signature])),
    transport,
    wanted: (context: WatchedContext, frame: number) =>
      (settings.canvas === undefined || matches(context.canvas, settings.canvas)) && isChosen(context, frame),
    getContext: (canvas: OffscreenCanvas) =>
      original ? (apply(original, canvas, ['webgl']) as WebGLRenderingContext | null) : null,
  };

  watchContexts({
    made: (gl, version) => {
      contexts.push(new WatchedContext(gl, version, options));
    },
    refused: (why) => refused.push(why),
    taken: (canvas) => contexts.find((context) => context.canvas === canvas)?.watch.frameEnd(),
  });
  watchAnimationFrames({
    begin: () => {
      for (const { watch } of contexts) watch.presenting = true;
    },
    end: () => {
      for (const { watch } of contexts) {
        watch.presenting = false;
        watch.frameEnd();
      }
    },
  });
  if (typeof HTMLCanvasElement !== 'undefined')
    replaceMethod(HTMLCanvasElement.prototype, 'transferControlToOffscreen', (method) => ({
      transferControlToOffscreen(this: unknown, ...args: unknown[]) {
        const offscreen = apply(method, this, args) as OffscreenCanvas;
        transferred.push(this as HTMLCanvasElement);
        setPlaceholder(offscreen, this as HTMLCanvasElement);
        return offscreen;
      },
    }));

  const face: RealmFace = {
    status: () => ({
      realm,
      contexts: contexts.map((context) => context.status()),
      refused,
      transferred: transferred.map(labelOf),
      ...(triggerProblem !== undefined && { triggerProblem }),
    }),
    arm: (where, context) => {
      if (where === undefined || context === undefined) anyArmed = true;
      else if (where === realm && contexts[context]) contexts[context].armed = true;
    },
  };
  defineProperty(globalThis, secret, { value: face });
}
