import type { WebGl2 } from '../../gl/webgl2-context.ts';
import type { PathStep } from './pose.ts';

interface DebugMarkers {
  pushGroupMarkerEXT(name: string): void;
  popGroupMarkerEXT(): void;
}

/** Longer names are cut, so that a model cannot fill a capture with them. */
const maxName = 256;

/** Group markers that follow a path: moving from one draw to the next closes and opens only what differs. */
export class MarkerTrail {
  readonly #markers: DebugMarkers | null;
  #open: readonly PathStep[] = [];

  constructor(gl: WebGl2) {
    this.#markers = gl.getExtension('EXT_debug_marker') as DebugMarkers | null;
  }

  /** Runs `inside` in a group of its own. */
  group(name: string, inside: () => void): void {
    this.#markers?.pushGroupMarkerEXT(name.slice(0, maxName));
    inside();
    this.moveTo([]);
    this.#markers?.popGroupMarkerEXT();
  }

  moveTo(path: readonly PathStep[]): void {
    let same = 0;
    while (same < path.length && same < this.#open.length && path[same].key === this.#open[same].key) same++;
    for (let depth = this.#open.length; depth > same; depth--) this.#markers?.popGroupMarkerEXT();
    for (const step of path.slice(same)) this.#markers?.pushGroupMarkerEXT(step.name.slice(0, maxName));
    this.#open = path;
  }
}
