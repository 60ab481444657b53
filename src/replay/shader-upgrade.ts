/**
 * GLSL ES 1.00 as 3.00, for drivers without GL_EXT_shader_texture_lod: version 3.00 has what it brings. Both shaders of a program
 * must be of one version.
 */

/** Extensions of 1.00 that are part of 3.00. */
const included = /\bGL_(EXT_shader_texture_lod|EXT_frag_depth|EXT_draw_buffers|OES_standard_derivatives)\b/g;
const comments = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

/** Functions and words of 3.00 that programs of 1.00 may use as names of their own. */
const taken =
  `acosh asinh atanh cosh determinant inverse isinf isnan modf outerProduct round roundEven sinh tanh transpose trunc
  texelFetch textureSize textureOffset textureLod textureGrad textureProj centroid smooth layout case
  uint uvec2 uvec3 uvec4`.split(/\s+/);

const samplers = { '2D': ['sampler2D', 'vec2'], Cube: ['samplerCube', 'vec3'] } as const;

/** Texture functions of 1.00 by the names they get here, which the programs' own names do not hide. */
function functions(isFragment: boolean): string {
  const lines: string[] = [];
  const define = (name: string, body: string, ...params: string[]) => {
    const typed = params.map((param, index) => `highp ${param} ${'abcd'[index]}`).join(', ');
    lines.push(
      `highp vec4 gpuprof_${name}(${typed}) { return ${body}(${'abcd'.slice(0, params.length).split('').join(', ')}); }`,
    );
  };
  const lod = isFragment ? 'LodEXT' : 'Lod';
  for (const [suffix, [sampler, point]] of Object.entries(samplers)) {
    define(`texture${suffix}`, 'texture', sampler, point);
    define(`texture${suffix}${lod}`, 'textureLod', sampler, point, 'float');
    if (isFragment) define(`texture${suffix}`, 'texture', sampler, point, 'float');
    if (isFragment) define(`texture${suffix}GradEXT`, 'textureGrad', sampler, point, point, point);
  }
  for (const point of ['vec3', 'vec4']) {
    define('texture2DProj', 'textureProj', 'sampler2D', point);
    define(`texture2DProj${lod}`, 'textureProjLod', 'sampler2D', point, 'float');
    if (isFragment) define('texture2DProj', 'textureProj', 'sampler2D', point, 'float');
    if (isFragment) define('texture2DProjGradEXT', 'textureProjGrad', 'sampler2D', point, 'vec2', 'vec2');
  }
  return lines.join('\n');
}

/** Whether a fragment shader calls what GL_EXT_shader_texture_lod brings. */
export const callsTextureLod = (source: string): boolean =>
  source.includes('GL_EXT_shader_texture_lod') && /\btexture\w+(Lod|Grad)EXT\b/.test(source.replace(comments, ' '));

/** A shader of version 1.00 as one of 3.00 that does the same. */
export function upgraded(source: string, isFragment: boolean): string {
  let text = source
    .replace(comments, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/^\s*#\s*version[^\n]*/, '')
    .replace(new RegExp(`^[ \\t]*#[ \\t]*extension[ \\t]+${included.source}[^\\n]*$`, 'gm'), '')
    .replace(included, 'gpuprof_$1')
    .replace(/\b(texture(?:2D|Cube)(?:Proj)?(?:Lod|Grad)?(?:EXT)?)(?=\s*\()/g, 'gpuprof_$1')
    .replace(/\bgl_FragDepthEXT\b/g, 'gl_FragDepth')
    .replace(/\bgl_(FragColor|FragData)\b/g, 'gpuprof_$1')
    .replace(/\battribute\b/g, 'in')
    .replace(/\bvarying\b/g, isFragment ? 'in' : 'out');
  for (const word of taken) text = text.replace(new RegExp(`(?<!\\.)\\b${word}\\b`, 'g'), `gpuprof_${word}`);
  const prelude = ['EXT_shader_texture_lod', 'EXT_frag_depth', 'EXT_draw_buffers', 'OES_standard_derivatives']
    .map((name) => `#define gpuprof_${name} 1`)
    .concat(functions(isFragment));
  if (/\bgpuprof_FragColor\b/.test(text)) prelude.push('layout(location = 0) out mediump vec4 gpuprof_FragColor;');
  else if (/\bgpuprof_FragData\b/.test(text))
    prelude.push('layout(location = 0) out mediump vec4 gpuprof_FragData[gl_MaxDrawBuffers];');
  const lines = text.split('\n');
  const last = lines.findLastIndex((line) => /^\s*#\s*extension\b/.test(line));
  return ['#version 300 es', ...lines.slice(0, last + 1), ...prelude, ...lines.slice(last + 1)].join('\n');
}
