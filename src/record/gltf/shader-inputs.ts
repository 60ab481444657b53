/** GLSL that several programs share: what comes in, and what #define switches on. */

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

/** Attributes, and where a vertex stands in the world. */
export const vertexInputs = `
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

/** The base colour, cut out by alpha where the material says so. */
export const materialInputs = `
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
