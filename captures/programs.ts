import type { WebGl2 } from '../src/gl/webgl2-context.ts';

interface Markers {
  pushGroupMarkerEXT(name: string): void;
  popGroupMarkerEXT(): void;
}

/** A program that draws one frame each time it is called. */
export type Frame = () => void;

function link(gl: WebGl2, vertex: string, fragment: string) {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(type);
    if (!shader) throw new Error('no shader');
    gl.shaderSource(shader, `#version 300 es\nprecision highp float;\n${source}`);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? 'not linked');
  gl.useProgram(program);
  return program;
}

function attribute(gl: WebGl2, location: number, size: number, values: readonly number[]): void {
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(values), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(location);
  gl.vertexAttribPointer(location, size, gl.FLOAT, false, 0, 0);
}

/** One triangle with a colour at each corner. */
export function triangle(gl: WebGl2): Frame {
  link(
    gl,
    `layout(location = 0) in vec2 position;
     layout(location = 1) in vec3 color;
     out vec3 shade;
     void main() { shade = color; gl_Position = vec4(position, 0.0, 1.0); }`,
    `in vec3 shade;
     out vec4 fragColor;
     void main() { fragColor = vec4(shade, 1.0); }`,
  );
  attribute(gl, 0, 2, [-0.8, -0.7, 0.8, -0.7, 0, 0.8]);
  attribute(gl, 1, 3, [0.9, 0.1, 0.1, 0.1, 0.8, 0.2, 0.1, 0.3, 0.9]);
  return () => {
    gl.clearColor(0.1, 0.1, 0.12, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  };
}

/** 2,000 squares of 10 by 10 pixels on a canvas of 500 by 400, in 40 rows that each have a name. */
export function manyDraws(gl: WebGl2): Frame {
  const markers = gl.getExtension('EXT_debug_marker') as Markers;
  const [columns, rows] = [50, 40];
  const program = link(
    gl,
    `layout(location = 0) in vec2 position;
     uniform vec2 place;
     void main() { gl_Position = vec4((position + place) / vec2(${columns}, ${rows}) * 2.0 - 1.0, 0.0, 1.0); }`,
    `uniform vec4 color;
     out vec4 fragColor;
     void main() { fragColor = color; }`,
  );
  const place = gl.getUniformLocation(program, 'place');
  const color = gl.getUniformLocation(program, 'color');
  attribute(gl, 0, 2, [0, 0, 1, 0, 0, 1, 1, 1]);
  return () => {
    gl.clearColor(0, 0, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    for (let row = 0; row < rows; row++) {
      markers.pushGroupMarkerEXT(`row ${row + 1}`);
      for (let column = 0; column < columns; column++) {
        gl.uniform2f(place, column, row);
        gl.uniform4f(color, column / columns, row / rows, (column ^ row) / 64, 1);
        gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
      }
      markers.popGroupMarkerEXT();
    }
  };
}

/** Ten batches of one draw each, whose fragments loop in the ratio 1:2:...:10 towards the same value on any renderer. */
export function tenBatches(gl: WebGl2): Frame {
  const markers = gl.getExtension('EXT_debug_marker') as Markers;
  const program = link(
    gl,
    `layout(location = 0) in vec2 position;
     void main() { gl_Position = vec4(position, 0.0, 1.0); }`,
    `uniform int loops;
     out vec4 fragColor;
     void main() {
       vec4 value = vec4(gl_FragCoord.xy * 0.001, 0.3, 0.7);
       for (int i = 0; i < loops; i++) value = value * 0.6 + value.yzwx * 0.3 + 0.02;
       fragColor = vec4(value.rgb + gl_FragCoord.xyx * 0.006, 1.0);
     }`,
  );
  const loops = gl.getUniformLocation(program, 'loops');
  attribute(gl, 0, 2, [-1, -1, 3, -1, -1, 3]);
  return () => {
    gl.clearColor(0, 0, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    for (let batch = 1; batch <= 10; batch++) {
      markers.pushGroupMarkerEXT(`batch ${batch}`);
      gl.uniform1i(loops, batch * 240);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
      markers.popGroupMarkerEXT();
    }
  };
}
