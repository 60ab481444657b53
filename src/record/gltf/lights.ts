import type { Light } from '@gltf-transform/extensions';
import { type Box, centerOf, radiusOf } from './bounds.ts';
import { lookAt, type Mat4, multiply, normalize, orthographic, type Vec3 } from './math.ts';
import { type PosedScene, viewOf } from './pose.ts';
import { maxLights } from './shader-inputs.ts';

/** A light as the Frame block holds it: four vec4. */
export interface PlacedLight {
  /** A point and 1, or the direction towards the light and 0. */
  readonly position: readonly [number, number, number, number];
  readonly direction: Vec3;
  /** Colour times intensity, and the range (0: none). */
  readonly color: readonly [number, number, number, number];
  /** Scale and offset of the cone's edge. Source: KHR_lights_punctual. */
  readonly spot: readonly [number, number];
}

export interface Lighting {
  /** The direction in which the sun shines; it casts the shadow. */
  readonly sunDirection: Vec3;
  readonly sunColor: Vec3;
  readonly sky: Vec3;
  readonly ground: Vec3;
  readonly lights: readonly PlacedLight[];
  /** From the world into the shadow map's clip space. */
  readonly shadowFromWorld: Mat4;
}

const defaultSun: Vec3 = normalize([-0.45, -0.8, -0.55]);
/** Brightest light a model may set before all are scaled down together: models in lux are thousands of times brighter. */
const brightest = 4;

const directionOf = (world: Mat4): Vec3 => normalize([-world[8], -world[9], -world[10]], [0, -1, 0]);

function place(light: Light, world: Mat4): PlacedLight {
  const direction = directionOf(world);
  const isSun = light.getType() === 'directional';
  const color = light.getColor().map((value) => value * light.getIntensity()) as Vec3;
  const isSpot = light.getType() === 'spot';
  const inner = Math.cos(light.getInnerConeAngle());
  const outer = Math.cos(light.getOuterConeAngle());
  const scale = 1 / Math.max(0.001, inner - outer);
  return {
    position: isSun ? [-direction[0], -direction[1], -direction[2], 0] : [world[12], world[13], world[14], 1],
    direction,
    color: [...color, light.getRange() ?? 0],
    spot: isSpot ? [scale, -outer * scale] : [0, 1],
  };
}

/** How brightly a light shines on the middle of the scene. */
function brightness({ position, color }: PlacedLight, center: Vec3): number {
  const peak = Math.max(color[0], color[1], color[2]);
  if (position[3] === 0) return peak;
  return peak / Math.max(1e-6, Math.hypot(...center.map((value, axis) => value - position[axis])) ** 2);
}

/** The shadow camera: along the sun's light, around the whole scene. */
function shadowMatrix(direction: Vec3, box: Box): Mat4 {
  const center = centerOf(box);
  const radius = radiusOf(box) * 1.01;
  const eye = center.map((value, axis) => value - direction[axis] * radius * 2) as Vec3;
  const up: Vec3 = Math.abs(direction[1]) > 0.99 ? [0, 0, 1] : [0, 1, 0];
  return multiply(orthographic(radius, radius, radius, radius * 3), viewOf(lookAt(eye, center, up)));
}

/**
 * The model's own lights (KHR_lights_punctual; its first directional one casts the shadow), with a sun where it has none
 * that is directional, and an even sky.
 */
export function lightScene(scene: PosedScene, box: Box): Lighting {
  const placed: PlacedLight[] = [];
  for (const [node, world] of scene.world) {
    const light = node.getExtension<Light>('KHR_lights_punctual');
    if (light) placed.push(place(light, world));
  }
  const peak = Math.max(0, ...placed.map((light) => brightness(light, centerOf(box))));
  const scale = peak > brightest && Number.isFinite(peak) ? brightest / peak : 1;
  const scaled = placed.map((light) => ({
    ...light,
    color: [
      ...light.color.slice(0, 3).map((value) => value * scale),
      light.color[3],
    ] as unknown as PlacedLight['color'],
  }));
  const sun = scaled.find((light) => light.position[3] === 0);
  const sunDirection = sun ? sun.direction : defaultSun;
  return {
    sunDirection,
    sunColor: sun ? [sun.color[0], sun.color[1], sun.color[2]] : placed.length > 0 ? [1.2, 1.2, 1.2] : [3, 2.95, 2.85],
    sky: [0.75, 0.85, 1],
    ground: [0.28, 0.26, 0.24],
    lights: scaled.filter((light) => light !== sun).slice(0, maxLights),
    shadowFromWorld: shadowMatrix(sunDirection, box),
  };
}
