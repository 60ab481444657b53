import { commandNames, providersOf, signatureOf } from '../../gl/command-table.ts';
import type { Signature } from '../../model/signature.ts';

/** What brings the commands that WebGL and its extensions have, besides OpenGL ES itself. */
const extensions: readonly string[] = [
  'gpuprof',
  'GL_ANGLE_base_vertex_base_instance',
  'GL_ANGLE_multi_draw',
  'GL_ARB_clip_control',
  'GL_ARB_polygon_offset_clamp',
  'GL_ARB_provoking_vertex',
  'GL_ARB_timer_query',
  'GL_EXT_debug_marker',
  'GL_OVR_multiview',
];

/** WEBGL_polygon_mode's command, which the registry knows from desktop GL only. */
const others = ['glPolygonMode'];

/** Signatures of the GL commands that a WebGL context can bring about: a tenth of the whole table. */
export function webglSignatures(): Signature[] {
  const names = commandNames().filter((name) =>
    providersOf(name).some((provider) => /^es[23]\./.test(provider) || extensions.includes(provider)),
  );
  return [...names, ...others].map((name) => signatureOf(name) as Signature);
}
