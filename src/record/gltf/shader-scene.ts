import { frameBlock, materialInputs, maxLights, vertexInputs } from './shader-inputs.ts';

export const sceneVertex = `${frameBlock}${vertexInputs}
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

/**
 * Metallic-roughness after glTF 2.0, appendix B: GGX distribution, Smith visibility, Schlick Fresnel. The environment is
 * a sky over a ground, seen by rough and smooth surfaces through the fit of Lazarov, "Getting More Physical in Call of
 * Duty: Black Ops II" (SIGGRAPH 2013).
 */
export const sceneFragment = `${frameBlock}${materialInputs}
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
