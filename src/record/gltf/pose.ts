import type { Document, Mesh, Node, Scene, Skin } from '@gltf-transform/core';
import type { InstancedMesh, Visibility } from '@gltf-transform/extensions';
import { elementCount, readFloats } from './accessors.ts';
import { poseNodes } from './animation.ts';
import { compose, identity, invertAffine, type Mat4, multiply, normalizeQuat } from './math.ts';

/** A step of the way from the scene to a mesh; `key` tells apart what has the same name. */
export interface PathStep {
  readonly key: object;
  readonly name: string;
}

/** A mesh where it stands at one time. */
export interface PosedMesh {
  readonly node: Node;
  readonly mesh: Mesh;
  /** From the scene's first node to the mesh's. */
  readonly path: readonly PathStep[];
  readonly world: Mat4;
  readonly weights: readonly number[];
  /** One matrix a joint, from mesh space to world space; null without a skin. */
  readonly joints: readonly Mat4[] | null;
  /** One matrix an instance, in the node's space; null without instancing. */
  readonly instances: readonly Mat4[] | null;
}

export interface PosedScene {
  readonly name: string;
  readonly meshes: readonly PosedMesh[];
  readonly world: ReadonlyMap<Node, Mat4>;
  /** Names of nodes that are left out, with all below them, since 32 bits do not hold where they stand. */
  readonly unplaced: readonly string[];
}

function jointMatrices(skin: Skin, world: ReadonlyMap<Node, Mat4>): Mat4[] {
  const inverse = skin.getInverseBindMatrices();
  const matrices = inverse ? readFloats(inverse) : undefined;
  return skin.listJoints().map((joint, index) => {
    const bind = matrices?.subarray(index * 16, index * 16 + 16);
    const at = world.get(joint) ?? identity();
    return bind?.length === 16 ? multiply(at, bind) : at;
  });
}

/** Source: EXT_mesh_gpu_instancing; missing attributes are the identity's. */
function instanceMatrices(node: Node): Mat4[] | null {
  const instanced = node.getExtension<InstancedMesh>('EXT_mesh_gpu_instancing');
  if (!instanced) return null;
  const [translation, rotation, scale] = (['TRANSLATION', 'ROTATION', 'SCALE'] as const).map((name) => {
    const accessor = instanced.getAttribute(name);
    return accessor ? { values: readFloats(accessor), count: elementCount(accessor) } : undefined;
  });
  const counts = [translation, rotation, scale].flatMap((attribute) => (attribute ? [attribute.count] : []));
  const count = Math.min(...counts);
  if (counts.length === 0) return null;
  return Array.from({ length: count }, (_, index) =>
    compose(
      translation?.values.subarray(index * 3, index * 3 + 3) ?? [0, 0, 0],
      normalizeQuat(rotation?.values.subarray(index * 4, index * 4 + 4) ?? [0, 0, 0, 1]),
      scale?.values.subarray(index * 3, index * 3 + 3) ?? [1, 1, 1],
    ),
  );
}

const isVisible = (node: Node): boolean => node.getExtension<Visibility>('KHR_node_visibility')?.getVisible() ?? true;

/** Places the default scene (or the first, or all root nodes when there is none) at `time` seconds. */
export function poseScene(document: Document, time: number): PosedScene {
  const root = document.getRoot();
  const scene: Scene | null = root.getDefaultScene() ?? root.listScenes()[0] ?? null;
  const roots = scene ? scene.listChildren() : root.listNodes().filter((node) => !node.getParentNode());
  const local = poseNodes(document, time);
  const numbers = new Map(root.listNodes().map((node, index) => [node, index]));
  const world = new Map<Node, Mat4>();
  const unplaced: string[] = [];
  const placed: { node: Node; path: readonly PathStep[]; visible: boolean }[] = [];

  // By hand, since a deep file must not overflow the stack; children in order after their parent.
  const open = roots
    .toReversed()
    .map((node) => ({ node, path: [] as readonly PathStep[], parent: identity(), visible: true }));
  for (let entry = open.pop(); entry; entry = open.pop()) {
    const { node, parent } = entry;
    const pose = local.get(node);
    const matrix = pose ? multiply(parent, compose(pose.translation, pose.rotation, pose.scale)) : parent;
    const finite = matrix.every((value) => Number.isFinite(Math.fround(value)));
    world.set(node, finite ? matrix : identity());
    const name = node.getName() || `node ${numbers.get(node)}`;
    if (!finite) unplaced.push(name);
    const path = [...entry.path, { key: node, name }];
    const visible = entry.visible && finite && isVisible(node);
    placed.push({ node, path, visible });
    for (const child of node.listChildren().toReversed())
      open.push({ node: child, path, parent: world.get(node) as Mat4, visible });
  }

  const meshes: PosedMesh[] = [];
  for (const { node, path, visible } of placed) {
    const mesh = node.getMesh();
    if (!mesh || !visible) continue;
    const skin = node.getSkin();
    meshes.push({
      node,
      mesh,
      path,
      world: world.get(node) as Mat4,
      weights: local.get(node)?.weights ?? [],
      joints: skin ? jointMatrices(skin, world) : null,
      instances: instanceMatrices(node),
    });
  }
  return { name: scene?.getName() || 'scene', meshes, world, unplaced };
}

/** The view matrix of something that stands at `world`. */
export const viewOf = (world: Mat4): Mat4 => invertAffine(world);
