import type { Camera, Document } from '@gltf-transform/core';
import { GpuprofError } from '../../errors.ts';
import { type Box, centerOf, cornersOf, radiusOf } from './bounds.ts';
import {
  length,
  lookAt,
  type Mat4,
  multiply,
  normalize,
  orthographic,
  perspective,
  subtract,
  transformPoint,
  type Vec3,
} from './math.ts';
import { type PosedScene, viewOf } from './pose.ts';

/** Where the scene is seen from. */
export interface View {
  readonly viewProjection: Mat4;
  /** The eye and 1, or for an orthographic camera the direction towards it and 0. */
  readonly eye: readonly [number, number, number, number];
}

export type CameraChoice = { readonly name: string } | { readonly orbitDegrees: number };

const defaultFov = Math.PI / 4;
/** How far above the horizon the framing camera stands. */
const elevation = (20 * Math.PI) / 180;
/** The part of the picture that the box fills. */
const fill = 0.92;

/** A camera that just sees the whole box, from the front turned by `degrees` around the vertical. */
function orbit(box: Box, degrees: number, aspect: number): View {
  const center = centerOf(box);
  const radius = radiusOf(box);
  const turn = (degrees * Math.PI) / 180;
  const back: Vec3 = [Math.sin(turn) * Math.cos(elevation), Math.sin(elevation), Math.cos(turn) * Math.cos(elevation)];
  const turned = viewOf(lookAt(back, [0, 0, 0]));
  const slopeY = Math.tan(defaultFov / 2) * fill;
  let distance = radius * 0.1;
  for (const corner of cornersOf(box)) {
    const [x, y, z] = transformPoint(turned, ...subtract(corner, center));
    // `turned` stands one away from the middle, hence the 1.
    distance = Math.max(distance, z + 1 + Math.abs(x) / (slopeY * aspect), z + 1 + Math.abs(y) / slopeY);
  }
  const eye = center.map((value, axis) => value + back[axis] * distance) as Vec3;
  const near = Math.max((distance - radius) * 0.9, distance * 0.01);
  const projection = perspective(defaultFov, aspect, near, distance + radius * 1.1);
  return { viewProjection: multiply(projection, viewOf(lookAt(eye, center))), eye: [...eye, 1] };
}

function through(camera: Camera, world: Mat4, box: Box, aspect: number): View {
  const back = normalize([world[8], world[9], world[10]]);
  const eye: Vec3 = [world[12], world[13], world[14]];
  // A camera node's scale is not the picture's.
  const view = viewOf(lookAt(eye, subtract(eye, back), normalize([world[4], world[5], world[6]], [0, 1, 0])));
  const far = length(subtract(eye, centerOf(box))) + radiusOf(box) * 2;
  if (camera.getType() === 'orthographic') {
    const ymag = Math.abs(camera.getYMag()) || 1;
    const projection = orthographic(ymag * aspect, ymag, camera.getZNear(), camera.getZFar());
    return { viewProjection: multiply(projection, view), eye: [...back, 0] };
  }
  const near = camera.getZNear() > 0 ? camera.getZNear() : far * 0.001;
  // An infinite far plane ends behind the scene, which keeps depth precise.
  const end = camera.getZFar() > near && Number.isFinite(camera.getZFar()) ? camera.getZFar() : Math.max(far, near * 2);
  const fov = camera.getYFov() > 0 && camera.getYFov() < Math.PI ? camera.getYFov() : defaultFov;
  return { viewProjection: multiply(perspective(fov, aspect, near, end), view), eye: [...eye, 1] };
}

/** Camera nodes by camera name, node name or index; throws GpuprofError `bad-usage` that lists what there is. */
function findCamera(document: Document, scene: PosedScene, name: string): { camera: Camera; world: Mat4 } {
  const cameras = document.getRoot().listCameras();
  const placed = [...scene.world].flatMap(([node, world]) => {
    const camera = node.getCamera();
    return camera ? [{ node, camera, world }] : [];
  });
  const found =
    placed.find(({ node, camera }) => camera.getName() === name || node.getName() === name) ??
    placed.find(({ camera }) => String(cameras.indexOf(camera)) === name);
  if (found) return found;
  const names = placed.map(({ node, camera }) => camera.getName() || node.getName() || String(cameras.indexOf(camera)));
  throw new GpuprofError('bad-usage', `the model has no camera "${name}"`, {
    hint: names.length > 0 ? `it has ${names.slice(0, 10).join(', ')}` : 'it has none; use --orbit',
  });
}

/** The view asked for; `aspect` is the canvas's width over its height. */
export function chooseView(
  document: Document,
  scene: PosedScene,
  box: Box,
  choice: CameraChoice,
  aspect: number,
): View {
  if ('orbitDegrees' in choice) return orbit(box, choice.orbitDegrees, aspect);
  const { camera, world } = findCamera(document, scene, choice.name);
  return through(camera, world, box, aspect);
}

/** How far along the view direction a point is, for sorting. */
export function depthOf(view: View, point: Vec3): number {
  const m = view.viewProjection;
  const [, , z] = transformPoint(m, ...point);
  return z / (m[3] * point[0] + m[7] * point[1] + m[11] * point[2] + m[15]) || 0;
}
