// An animation by setInterval, WebGL 2, with a buffer that it fills anew for each frame before it clears.
import createGL from 'gl';

const gl = createGL(80, 60, { createWebGL2Context: true });
const program = gl.createProgram();
for (const [type, source] of [
  [
    gl.VERTEX_SHADER,
    '#version 300 es\nlayout(location = 0) in vec2 at; layout(location = 1) in vec3 tint; out vec3 colour; void main() { colour = tint; gl_Position = vec4(at, 0, 1); }',
  ],
  [
    gl.FRAGMENT_SHADER,
    '#version 300 es\nprecision highp float; in vec3 colour; out vec4 result; void main() { result = vec4(colour, 1); }',
  ],
]) {
  const shader = gl.createShader(type);
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  gl.attachShader(program, shader);
}
gl.linkProgram(program);
const vertices = gl.createBuffer();
gl.bindBuffer(gl.ARRAY_BUFFER, vertices);
gl.bufferData(gl.ARRAY_BUFFER, 60, gl.DYNAMIC_DRAW);
const array = gl.createVertexArray();
gl.bindVertexArray(array);
gl.enableVertexAttribArray(0);
gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 20, 0);
gl.enableVertexAttribArray(1);
gl.vertexAttribPointer(1, 3, gl.FLOAT, false, 20, 8);

let frame = 0;
const timer = setInterval(async () => {
  frame++;
  const angle = frame / 3;
  const corner = (turn) => [Math.cos(angle + turn), Math.sin(angle + turn)];
  const data = [...corner(0), 1, 0, 0, ...corner(2.1), 0, 1, 0, ...corner(4.2), 0, 0, 1];
  gl.bindBuffer(gl.ARRAY_BUFFER, vertices);
  gl.bufferSubData(gl.ARRAY_BUFFER, 0, new Float32Array(data));
  gl.clearColor(0, 0, 0, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  // What follows in microtasks is the same turn.
  await Promise.resolve();
  gl.useProgram(program);
  await null;
  gl.drawArrays(gl.TRIANGLES, 0, 3);
  if (frame === 8) clearInterval(timer);
}, 1);
