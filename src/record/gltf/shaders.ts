import { postFragment, postVertex, shadowFragment, shadowVertex } from './shader-passes.ts';
import { sceneFragment, sceneVertex } from './shader-scene.ts';

/**
 * GLSL of the scene's passes. What a material or mesh has is chosen with #define before compiling, so that each program
 * holds only what it uses. All of it is GLSL ES 3.00, which ES and desktop drivers (ARB_ES3_compatibility) compile.
 */

const version = '#version 300 es\n';
const precision =
  'precision highp float;\nprecision highp int;\nprecision highp sampler2D;\nprecision highp sampler2DShadow;\n';

const pairs = {
  scene: [sceneVertex, sceneFragment],
  shadow: [shadowVertex, shadowFragment],
  post: [postVertex, postFragment],
} as const;
export type ProgramKind = keyof typeof pairs;

/** Sources of one program: `defines` are `NAME` or `NAME VALUE`. */
export function sourcesOf(kind: ProgramKind, defines: readonly string[]): { vertex: string; fragment: string } {
  const head = version + precision + defines.map((define) => `#define ${define}\n`).join('');
  const [vertex, fragment] = pairs[kind];
  return { vertex: head + vertex, fragment: head + fragment };
}
