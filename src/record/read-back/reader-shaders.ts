import { constants as c } from '../../gl/webgl2/constants.ts';

/** Which copying shader: `float`, `int`, `uint` give words on WebGL 2; `bytes` and `packed` are for WebGL 1. */
export type Sampled =
  | 'white'
  | { readonly target: number; readonly numbers: 'float' | 'int' | 'uint' | 'bytes' | 'packed' };

export function vertexSource(version: 1 | 2): string {
  if (version === 1) return 'attribute vec2 corner; void main() { gl_Position = vec4(corner, 0.0, 1.0); }';
  return `#version 300 es
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }`;
}

const samplers = new Map<number, string>([
  [c.TEXTURE_2D, 'sampler2D'],
  [c.TEXTURE_3D, 'sampler3D'],
  [c.TEXTURE_2D_ARRAY, 'sampler2DArray'],
  [c.TEXTURE_CUBE_MAP, 'samplerCube'],
]);

const direction = 'face * vec3((gl_FragCoord.xy + vec2(0.0, place.x)) / size * 2.0 - 1.0, 1.0)';

function words(target: number, numbers: string): string {
  const prefix = numbers === 'int' ? 'i' : numbers === 'uint' ? 'u' : '';
  // By place and not by texelFetch: Chromium's SwiftShader fetches only a part of what lies below a texture's base level.
  const across = '(vec2(at) + 0.5) / size';
  const places = new Map<number, string>([
    [c.TEXTURE_CUBE_MAP, direction],
    [c.TEXTURE_2D, across],
    [c.TEXTURE_2D_ARRAY, `vec3(${across}, place.y)`],
    [c.TEXTURE_3D, `vec3(${across}, (place.y + 0.5) / place.z)`],
  ]);
  const fetch = `textureLod(source, ${places.get(target)}, 0.0)`;
  return `#version 300 es
precision highp float;
precision highp int;
uniform highp ${prefix}${samplers.get(target)} source;
uniform vec3 place;
uniform vec2 size;
uniform mat3 face;
out uvec4 words;
void main() {
  ivec2 at = ivec2(gl_FragCoord.xy) + ivec2(0, int(place.x));
  words = ${numbers === 'float' ? `floatBitsToUint(${fetch})` : `uvec4(${fetch})`};
}`;
}

/** The bits of an IEEE 754 single, least significant byte in red, by arithmetic alone. */
const pack = `
vec4 bytesOf(float value) {
  if (value == 0.0) return vec4(0.0);
  float sign = value < 0.0 ? 128.0 : 0.0;
  float size = abs(value);
  float exponent = clamp(floor(log2(size)), -126.0, 127.0);
  float fraction = size * exp2(-exponent);
  if (fraction >= 2.0) { fraction *= 0.5; exponent += 1.0; }
  if (fraction < 1.0 && exponent > -126.0) { fraction *= 2.0; exponent -= 1.0; }
  float biased = fraction < 1.0 ? 0.0 : exponent + 127.0;
  float mantissa = (fraction < 1.0 ? fraction : fraction - 1.0) * 8388608.0;
  float high = floor(mantissa / 65536.0);
  float middle = floor((mantissa - high * 65536.0) / 256.0);
  float low = mantissa - high * 65536.0 - middle * 256.0;
  return vec4(low, middle, high + mod(biased, 2.0) * 128.0, sign + floor(biased / 2.0)) / 255.0;
}`;

function bytes(target: number, numbers: string): string {
  const cube = target === c.TEXTURE_CUBE_MAP;
  const fetch = cube
    ? `textureCube(source, ${direction})`
    : 'texture2D(source, (gl_FragCoord.xy + vec2(0.0, place.x)) / size)';
  return `precision highp float;
uniform highp ${cube ? 'samplerCube' : 'sampler2D'} source;
uniform vec3 place;
uniform vec2 size;
uniform mat3 face;
uniform vec4 component;
${numbers === 'packed' ? pack : ''}
void main() { gl_FragColor = ${numbers === 'packed' ? `bytesOf(dot(${fetch}, component))` : fetch}; }`;
}

export function fragmentSource(version: 1 | 2, sampled: Sampled): string {
  if (sampled === 'white')
    return version === 1
      ? 'void main() { gl_FragColor = vec4(1.0); }'
      : '#version 300 es\nprecision highp float; out vec4 colour; void main() { colour = vec4(1.0); }';
  return version === 2 ? words(sampled.target, sampled.numbers) : bytes(sampled.target, sampled.numbers);
}
