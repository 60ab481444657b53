import { frameBlock, materialInputs, vertexInputs } from './shader-inputs.ts';

export const shadowVertex = `${frameBlock}${vertexInputs}
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
export const shadowFragment = `
#ifdef ALPHA_MASK
${materialInputs}
#endif
void main() {
#ifdef ALPHA_MASK
  baseColor();
#endif
}
`;

export const postVertex = `
out vec2 uv;
void main() {
  uv = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);
  gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0);
}
`;

/** Luminance by Reinhard's curve with a white point, then the sRGB transfer function. */
export const postFragment = `
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
