import type { Animation, AnimationSampler, Document, Node } from '@gltf-transform/core';
import { readFloats } from './accessors.ts';
import { normalizeQuat, type Quat, slerp } from './math.ts';

/** A node's transform and morph weights at one time. */
export interface LocalPose {
  translation: ArrayLike<number> & Iterable<number>;
  rotation: ArrayLike<number> & Iterable<number>;
  scale: ArrayLike<number> & Iterable<number>;
  weights: readonly number[];
}

/** Values at `time` (seconds), held before the first key and after the last. Source: glTF 2.0, appendix C. */
function sample(sampler: AnimationSampler, time: number, isRotation: boolean): number[] | undefined {
  const input = sampler.getInput();
  const output = sampler.getOutput();
  if (!input || !output) return undefined;
  const times = readFloats(input);
  const values = readFloats(output);
  const cubic = sampler.getInterpolation() === 'CUBICSPLINE';
  const width = Math.floor(values.length / (times.length * (cubic ? 3 : 1)));
  if (times.length === 0 || width === 0) return undefined;
  /** The key's value, or its in- (0) or out-tangent (2). */
  const at = (key: number, part = 1): number[] => {
    const start = cubic ? (key * 3 + part) * width : key * width;
    return Array.from(values.subarray(start, start + width));
  };

  let next = times.findIndex((key) => key > time);
  if (next === -1) next = times.length;
  if (next === 0) return at(0);
  if (next === times.length) return at(times.length - 1);
  const span = times[next] - times[next - 1];
  const t = span > 0 ? (time - times[next - 1]) / span : 0;
  const from = at(next - 1);
  if (sampler.getInterpolation() === 'STEP') return from;
  const to = at(next);
  if (!cubic)
    return isRotation
      ? slerp(from as unknown as Quat, to as unknown as Quat, t)
      : from.map((value, index) => value + (to[index] - value) * t);
  const leave = at(next - 1, 2);
  const arrive = at(next, 0);
  const t2 = t * t;
  const t3 = t2 * t;
  const blended = from.map(
    (value, index) =>
      (2 * t3 - 3 * t2 + 1) * value +
      (t3 - 2 * t2 + t) * span * leave[index] +
      (-2 * t3 + 3 * t2) * to[index] +
      (t3 - t2) * span * arrive[index],
  );
  return isRotation ? normalizeQuat(blended) : blended;
}

function apply(animation: Animation, time: number, poses: ReadonlyMap<Node, LocalPose>): void {
  for (const channel of animation.listChannels()) {
    const node = channel.getTargetNode();
    const sampler = channel.getSampler();
    const path = channel.getTargetPath();
    const pose = node && poses.get(node);
    if (!pose || !sampler || !path) continue;
    const values = sample(sampler, time, path === 'rotation');
    if (!values) continue;
    if (path === 'weights') pose.weights = values;
    else if (values.length === (path === 'rotation' ? 4 : 3)) pose[path] = values;
  }
}

/** Every node's own pose at `time` (seconds): as the file has it, then moved by all of its animations. */
export function poseNodes(document: Document, time: number): Map<Node, LocalPose> {
  const root = document.getRoot();
  const poses = new Map<Node, LocalPose>();
  for (const node of root.listNodes())
    poses.set(node, {
      translation: node.getTranslation(),
      rotation: normalizeQuat(node.getRotation()),
      scale: node.getScale(),
      weights: node.getWeights().length > 0 ? node.getWeights() : (node.getMesh()?.getWeights() ?? []),
    });
  for (const animation of root.listAnimations()) apply(animation, time, poses);
  return poses;
}
