// Runs for a long while: makes and deletes something of every kind in each frame, and keeps little.
import createGL from 'gl';

const gl = createGL(48, 48);
const arrays = gl.getExtension('OES_vertex_array_object');
gl.getExtension('OES_texture_float');
const compile = (type, source) => {
  const shader = gl.createShader(type);
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  return shader;
};
function link(fragment) {
  const program = gl.createProgram();
  const shaders = [
    compile(
      gl.VERTEX_SHADER,
      'attribute vec2 at; varying vec2 uv; void main() { uv = at * 0.5 + 0.5; gl_Position = vec4(at, 0, 1); }',
    ),
    compile(
      gl.FRAGMENT_SHADER,
      `precision highp float; varying vec2 uv; uniform sampler2D image; uniform float amount; void main() { ${fragment} }`,
    ),
  ];
  for (const shader of shaders) gl.attachShader(program, shader);
  gl.bindAttribLocation(program, 0, 'at');
  gl.linkProgram(program);
  for (const shader of shaders) gl.deleteShader(shader);
  return program;
}
function surface(side, type, texels) {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, side, side, 0, gl.RGBA, type, texels);
  for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
  const framebuffer = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  return { texture, framebuffer };
}

const step = link('gl_FragColor = fract(texture2D(image, uv.yx) * 1.01 + amount);');
const show = link('gl_FragColor = vec4(texture2D(image, uv).rgb + amount * 0.0, 1.0);');
const array = arrays.createVertexArrayOES();
arrays.bindVertexArrayOES(array);
gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
gl.enableVertexAttribArray(0);
gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
let [from, to] = [1, 2].map((seed) =>
  surface(
    32,
    gl.FLOAT,
    Float32Array.from({ length: 4096 }, (_, index) => ((index * seed) % 17) / 17),
  ),
);
// A name that only dead objects have.
const dead = link('gl_FragColor = vec4(amount); /* a dead program */');

function frame(number) {
  gl.deleteTexture(surface(64, gl.UNSIGNED_BYTE, new Uint8Array(16384).fill(number)).texture);
  gl.deleteFramebuffer(gl.getParameter(gl.FRAMEBUFFER_BINDING));
  const scratch = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, scratch);
  gl.bufferData(gl.ARRAY_BUFFER, 4096, gl.STATIC_DRAW);
  gl.deleteBuffer(scratch);
  gl.deleteRenderbuffer(gl.createRenderbuffer());
  if (number === 3) gl.deleteProgram(dead);

  gl.bindFramebuffer(gl.FRAMEBUFFER, to.framebuffer);
  gl.viewport(0, 0, 32, 32);
  gl.bindTexture(gl.TEXTURE_2D, from.texture);
  gl.useProgram(step);
  gl.uniform1f(gl.getUniformLocation(step, 'amount'), number / 1000);
  gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.viewport(0, 0, 48, 48);
  gl.bindTexture(gl.TEXTURE_2D, to.texture);
  gl.useProgram(show);
  gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  [from, to] = [to, from];
}

for (let number = 1; number <= 150; number++) {
  frame(number);
  await new Promise(setImmediate);
}
