import type { Lighting } from './lights.ts';
import { maxLights } from './shader-inputs.ts';
import type { View } from './view.ts';

/** Words of the Frame block before its lights, and of one light. std140: each member starts on a vec4. */
const headWords = 16 + 16 + 6 * 4;
const lightWords = 16;

/** The Frame block's bytes (shader-inputs.ts, `frameBlock`). */
export function encodeFrame(view: View, lighting: Lighting): Uint8Array {
  const floats = new Float32Array(headWords + maxLights * lightWords);
  floats.set(view.viewProjection, 0);
  floats.set(lighting.shadowFromWorld, 16);
  floats.set(view.eye, 32);
  floats.set(lighting.sunDirection, 36);
  floats.set(lighting.sunColor, 40);
  floats.set(lighting.sky, 44);
  floats.set(lighting.ground, 48);
  const bytes = new Uint8Array(floats.buffer);
  new DataView(floats.buffer).setInt32(52 * 4, lighting.lights.length, true);
  for (const [index, light] of lighting.lights.entries()) {
    const at = headWords + index * lightWords;
    floats.set(light.position, at);
    floats.set(light.direction, at + 4);
    floats.set(light.color, at + 8);
    floats.set(light.spot, at + 12);
  }
  return bytes;
}
