// Renders a few thumbnails, one after the other, and leaves with process.exit.
const createGL = require('gl');

const width = 64;
const height = 48;
const gl = createGL(width, height, { preserveDrawingBuffer: true });

function compile(type, source) {
  const shader = gl.createShader(type);
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  return shader;
}

const program = gl.createProgram();
const shaders = [
  compile(
    gl.VERTEX_SHADER,
    'attribute vec2 at; varying vec2 uv; void main() { uv = at; gl_Position = vec4(at * 1.6 - 0.8, 0, 1); }',
  ),
  compile(
    gl.FRAGMENT_SHADER,
    'precision mediump float; varying vec2 uv; uniform sampler2D image; void main() { gl_FragColor = texture2D(image, uv); }',
  ),
];
for (const shader of shaders) gl.attachShader(program, shader);
gl.linkProgram(program);
for (const shader of shaders) gl.deleteShader(shader);
gl.useProgram(program);
gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([0, 0, 1, 0, 0, 1, 1, 1]), gl.STATIC_DRAW);
gl.enableVertexAttribArray(0);
gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);

const count = Number(process.argv[2] ?? 4);
for (let number = 1; number <= count; number++) {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  const texels = Uint8Array.from({ length: 16 * 16 * 4 }, (_, index) => (index * 7 * number + 64) & 255);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 16, 16, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  gl.clearColor(0.1 * number, 0.2, 0.3, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  const pixels = new Uint8Array(width * height * 4);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  gl.deleteTexture(texture);
  const sum = pixels.reduce((total, value) => total + value, 0);
  console.log(`thumbnail ${number}: ${sum}`);
}
process.exit(0);
