/**
 * GLSL of the scene's passes. What a material or mesh has is chosen with #define before compiling, so that each program
 * holds only what it uses. All of it is GLSL ES 3.00, which ES and desktop drivers (ARB_ES3_compatibility) compile.
 */

const version = '#version 300 es\n';
const precision =
  'precision highp float;\nprecision highp int;\nprecision highp sampler2D;\nprecision highp sampler2DShadow;\n';

/** Attribute locations, fixed so that one vertex array serves every program. */
export const locations = {
  POSITION: 0,
  NORMAL: 1,
  TANGENT: 2,
  TEXCOORD_0: 3,
  TEXCOORD_1: 4,
  COLOR_0: 5,
  JOINTS_0: 6,
  WEIGHTS_0: 7,
  JOINTS_1: 8,
  WEIGHTS_1: 9,
  /** Four columns: 10 to 13. */
  INSTANCE: 10,
} as const;

export const maxLights = 8;

/** One block for all programs: what is the same for a whole pass. std140; written by frame-block.ts. */
export const frameBlock = `
struct Light { vec4 position; vec4 direction; vec4 color; vec4 spot; };
layout(std140) uniform Frame {
  mat4 viewProjection;
  mat4 shadowFromWorld;
  vec4 eye;
  vec4 sunDirection;
  vec4 sunColor;
  vec4 skyColor;
  vec4 groundColor;
  ivec4 counts;
  Light lights[${maxLights}];
};
`;

const vertexInputs = `
layout(location = 0) in vec3 position;
#ifdef HAS_NORMAL
layout(location = 1) in vec3 normal;
#endif
#ifdef HAS_TANGENT
layout(location = 2) in vec4 tangent;
#endif
#ifdef HAS_UV0
layout(location = 3) in vec2 uv0;
#endif
#ifdef HAS_UV1
layout(location = 4) in vec2 uv1;
#endif
#ifdef HAS_COLOR
layout(location = 5) in vec4 color;
#endif
#ifdef SKINNED
layout(location = 6) in uvec4 joints0;
layout(location = 7) in vec4 weights0;
#ifdef SKINNED_8
layout(location = 8) in uvec4 joints1;
layout(location = 9) in vec4 weights1;
#endif
uniform sampler2D jointMatrices;
mat4 joint(uint index) {
  int row = int(index);
  return mat4(texelFetch(jointMatrices, ivec2(0, row), 0), texelFetch(jointMatrices, ivec2(1, row), 0),
              texelFetch(jointMatrices, ivec2(2, row), 0), texelFetch(jointMatrices, ivec2(3, row), 0));
}
#endif
#ifdef INSTANCED
layout(location = 10) in mat4 instance;
#endif
uniform mat4 world;

mat4 worldFromMesh() {
#ifdef SKINNED
  mat4 skin = weights0.x * joint(joints0.x) + weights0.y * joint(joints0.y) + weights0.z * joint(joints0.z) +
              weights0.w * joint(joints0.w);
#ifdef SKINNED_8
  skin += weights1.x * joint(joints1.x) + weights1.y * joint(joints1.y) + weights1.z * joint(joints1.z) +
          weights1.w * joint(joints1.w);
#endif
  return skin;
#elif defined(INSTANCED)
  return world * instance;
#else
  return world;
#endif
}
`;

const sceneVertex = `${frameBlock}${vertexInputs}
out vec3 worldPosition;
out vec4 shadowPosition;
#ifdef HAS_NORMAL
out vec3 worldNormal;
#endif
#ifdef HAS_TANGENT
out vec4 worldTangent;
#endif
#ifdef HAS_UV0
out vec2 texCoord0;
#endif
#ifdef HAS_UV1
out vec2 texCoord1;
#endif
#ifdef HAS_COLOR
out vec4 vertexColor;
#endif

void main() {
  mat4 m = worldFromMesh();
  vec4 at = m * vec4(position, 1.0);
  worldPosition = at.xyz;
  shadowPosition = shadowFromWorld * at;
#ifdef HAS_NORMAL
  // Cofactors: right for any scale, and finite where the scale is flat.
  mat3 c = mat3(cross(m[1].xyz, m[2].xyz), cross(m[2].xyz, m[0].xyz), cross(m[0].xyz, m[1].xyz));
  worldNormal = c * normal * (dot(m[0].xyz, c[0]) < 0.0 ? -1.0 : 1.0);
#endif
#ifdef HAS_TANGENT
  worldTangent = vec4(mat3(m) * tangent.xyz, tangent.w);
#endif
#ifdef HAS_UV0
  texCoord0 = uv0;
#endif
#ifdef HAS_UV1
  texCoord1 = uv1;
#endif
#ifdef HAS_COLOR
  vertexColor = color;
#endif
  gl_Position = viewProjection * at;
  gl_PointSize = 4.0;
}
`;

const materialInputs = `
#ifdef HAS_UV0
in vec2 texCoord0;
#endif
#ifdef HAS_UV1
in vec2 texCoord1;
#endif
#ifdef HAS_COLOR
in vec4 vertexColor;
#endif
uniform vec4 baseColorFactor;
#ifdef BASE_COLOR_UV
uniform sampler2D baseColorTexture;
uniform mat3 baseColorTransform;
#endif
#ifdef ALPHA_MASK
uniform float alphaCutoff;
#endif

vec4 baseColor() {
  vec4 base = baseColorFactor;
#ifdef HAS_COLOR
  base *= vertexColor;
#endif
#ifdef BASE_COLOR_UV
  base *= texture(baseColorTexture, (baseColorTransform * vec3(BASE_COLOR_UV, 1.0)).xy);
#endif
#ifdef ALPHA_MASK
  if (base.a < alphaCutoff) discard;
  base.a = 1.0;
#endif
  return base;
}
`;

/**
 * Metallic-roughness after glTF 2.0, appendix B: GGX distribution, Smith visibility, Schlick Fresnel. The environment is
 * a sky over a ground, seen by rough and smooth surfaces through the fit of Lazarov, "Getting More Physical in Call of
 * Duty: Black Ops II" (SIGGRAPH 2013).
 */
const sceneFragment = `${frameBlock}${materialInputs}
in vec3 worldPosition;
in vec4 shadowPosition;
#ifdef HAS_NORMAL
in vec3 worldNormal;
#endif
#ifdef HAS_TANGENT
in vec4 worldTangent;
#endif
uniform sampler2DShadow shadowMap;
uniform vec2 metallicRoughnessFactor;
uniform vec3 emissiveFactor;
#ifdef METALLIC_ROUGHNESS_UV
uniform sampler2D metallicRoughnessTexture;
uniform mat3 metallicRoughnessTransform;
#endif
#ifdef NORMAL_UV
uniform sampler2D normalTexture;
uniform mat3 normalTransform;
uniform float normalScale;
#endif
#ifdef OCCLUSION_UV
uniform sampler2D occlusionTexture;
uniform mat3 occlusionTransform;
uniform float occlusionStrength;
#endif
#ifdef EMISSIVE_UV
uniform sampler2D emissiveTexture;
uniform mat3 emissiveTransform;
#endif
out vec4 fragColor;

const float PI = 3.14159265359;

vec3 surfaceNormal(vec3 view) {
  vec3 dx = dFdx(worldPosition);
  vec3 dy = dFdy(worldPosition);
#ifdef HAS_NORMAL
  vec3 n = normalize(worldNormal);
#ifdef DOUBLE_SIDED
  if (!gl_FrontFacing) n = -n;
#endif
#else
  vec3 n = normalize(cross(dx, dy));
  if (dot(n, view) < 0.0) n = -n;
#endif
#ifdef NORMAL_UV
  vec2 uv = (normalTransform * vec3(NORMAL_UV, 1.0)).xy;
  vec3 mapped = texture(normalTexture, uv).xyz * 2.0 - 1.0;
  mapped.xy *= normalScale;
#ifdef HAS_TANGENT
  vec3 t = normalize(worldTangent.xyz);
  vec3 b = cross(normalize(worldNormal), t) * worldTangent.w;
#ifdef DOUBLE_SIDED
  if (!gl_FrontFacing) { t = -t; b = -b; }
#endif
#else
  // The directions in which u and v grow, from how they and the position change across the pixel.
  vec2 du = dFdx(uv);
  vec2 dv = dFdy(uv);
  vec3 px = cross(dy, n);
  vec3 py = cross(n, dx);
  vec3 t = px * du.x + py * dv.x;
  vec3 b = px * du.y + py * dv.y;
  float size = max(dot(t, t), dot(b, b));
  float scale = size > 0.0 ? inversesqrt(size) : 0.0;
  if (dot(cross(dx, dy), n) < 0.0) scale = -scale;
  t *= scale;
  // v grows down the image; the bitangent points up it.
  b *= -scale;
#endif
  n = normalize(mat3(t, b, n) * mapped + n * 1e-5);
#endif
  return n;
}

float lit(vec3 n) {
  vec3 at = shadowPosition.xyz * 0.5 + 0.5;
  if (any(lessThan(at, vec3(0.0))) || any(greaterThan(at, vec3(1.0)))) return 1.0;
  float bias = 0.0015 + 0.003 * (1.0 - max(dot(n, -sunDirection.xyz), 0.0));
  vec2 texel = 1.0 / vec2(textureSize(shadowMap, 0));
  float sum = 0.0;
  for (int y = 0; y < 2; y++)
    for (int x = 0; x < 2; x++)
      sum += texture(shadowMap, vec3(at.xy + (vec2(x, y) - 0.5) * texel, at.z - bias));
  return sum * 0.25;
}

struct Surface { vec3 n; vec3 v; vec3 diffuse; vec3 f0; float alpha; };

vec3 shade(Surface s, vec3 l) {
  float nl = clamp(dot(s.n, l), 0.0, 1.0);
  if (nl == 0.0) return vec3(0.0);
  vec3 h = normalize(l + s.v);
  float nv = abs(dot(s.n, s.v)) + 1e-4;
  float nh = clamp(dot(s.n, h), 0.0, 1.0);
  float vh = clamp(dot(s.v, h), 0.0, 1.0);
  float a2 = s.alpha * s.alpha;
  float d = nh * nh * (a2 - 1.0) + 1.0;
  float distribution = a2 / (PI * d * d);
  float visibility = 0.5 / (nl * sqrt(nv * nv * (1.0 - a2) + a2) + nv * sqrt(nl * nl * (1.0 - a2) + a2));
  vec3 fresnel = s.f0 + (1.0 - s.f0) * pow(1.0 - vh, 5.0);
  return ((1.0 - fresnel) * s.diffuse / PI + fresnel * distribution * visibility) * nl;
}

vec3 environment(vec3 direction) {
  return mix(groundColor.rgb, skyColor.rgb, smoothstep(-0.4, 0.6, direction.y));
}

void main() {
  vec4 base = baseColor();
#ifdef UNLIT
  fragColor = base;
#else
  vec3 v = normalize(eye.w > 0.5 ? eye.xyz - worldPosition : eye.xyz);
  float metallic = metallicRoughnessFactor.x;
  float roughness = metallicRoughnessFactor.y;
#ifdef METALLIC_ROUGHNESS_UV
  vec4 mr = texture(metallicRoughnessTexture, (metallicRoughnessTransform * vec3(METALLIC_ROUGHNESS_UV, 1.0)).xy);
  metallic *= mr.b;
  roughness *= mr.g;
#endif
  roughness = clamp(roughness, 0.04, 1.0);
  Surface s;
  s.n = surfaceNormal(v);
  s.v = v;
  s.diffuse = base.rgb * (1.0 - metallic);
  s.f0 = mix(vec3(0.04), base.rgb, metallic);
  s.alpha = roughness * roughness;

  vec3 color = shade(s, -sunDirection.xyz) * sunColor.rgb * lit(s.n);
  for (int i = 0; i < ${maxLights}; i++) {
    if (i >= counts.x) break;
    vec3 to = lights[i].position.xyz - worldPosition * lights[i].position.w;
    float distance2 = max(dot(to, to), 1e-6);
    vec3 l = to * inversesqrt(distance2);
    float reach = 1.0;
    if (lights[i].position.w > 0.5) {
      float range = lights[i].color.a;
      float window = range > 0.0 ? clamp(1.0 - pow(distance2 / (range * range), 2.0), 0.0, 1.0) : 1.0;
      float cone = clamp(dot(lights[i].direction.xyz, -l) * lights[i].spot.x + lights[i].spot.y, 0.0, 1.0);
      reach = window * cone * cone / distance2;
    }
    color += shade(s, l) * lights[i].color.rgb * reach;
  }

  vec4 r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
  float nv = clamp(dot(s.n, v), 0.0, 1.0);
  float a004 = min(r.x * r.x, exp2(-9.28 * nv)) * r.x + r.y;
  vec2 ab = vec2(-1.04, 1.04) * a004 + r.zw;
  vec3 reflected = mix(environment(reflect(-v, s.n)), environment(s.n), roughness);
  vec3 ambient = s.diffuse * environment(s.n) + (s.f0 * ab.x + ab.y) * reflected;
#ifdef OCCLUSION_UV
  float occlusion = texture(occlusionTexture, (occlusionTransform * vec3(OCCLUSION_UV, 1.0)).xy).r;
  ambient *= 1.0 + occlusionStrength * (occlusion - 1.0);
#endif
  color += ambient;
  vec3 emitted = emissiveFactor;
#ifdef EMISSIVE_UV
  emitted *= texture(emissiveTexture, (emissiveTransform * vec3(EMISSIVE_UV, 1.0)).xy).rgb;
#endif
  fragColor = vec4(color + emitted, base.a);
#endif
}
`;

const shadowVertex = `${frameBlock}${vertexInputs}
#ifdef HAS_UV0
out vec2 texCoord0;
#endif
#ifdef HAS_UV1
out vec2 texCoord1;
#endif
#ifdef HAS_COLOR
out vec4 vertexColor;
#endif
void main() {
#ifdef HAS_UV0
  texCoord0 = uv0;
#endif
#ifdef HAS_UV1
  texCoord1 = uv1;
#endif
#ifdef HAS_COLOR
  vertexColor = color;
#endif
  gl_Position = shadowFromWorld * (worldFromMesh() * vec4(position, 1.0));
  gl_PointSize = 4.0;
}
`;

/** Depth only; materials that are cut out by alpha cut their shadow too. */
const shadowFragment = `
#ifdef ALPHA_MASK
${materialInputs}
#endif
void main() {
#ifdef ALPHA_MASK
  baseColor();
#endif
}
`;

const postVertex = `
out vec2 uv;
void main() {
  uv = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);
  gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0);
}
`;

/** Luminance by Reinhard's curve with a white point, then the sRGB transfer function. */
const postFragment = `
in vec2 uv;
uniform sampler2D hdrColor;
uniform float exposure;
out vec4 fragColor;
void main() {
  vec3 color = texture(hdrColor, uv).rgb * exposure;
  float luminance = dot(color, vec3(0.2126, 0.7152, 0.0722));
  color *= (1.0 + luminance / 9.0) / (1.0 + luminance);
  color = clamp(color, 0.0, 1.0);
  vec3 low = color * 12.92;
  vec3 high = 1.055 * pow(color, vec3(1.0 / 2.4)) - 0.055;
  fragColor = vec4(mix(high, low, lessThanEqual(color, vec3(0.0031308))), 1.0);
}
`;

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
