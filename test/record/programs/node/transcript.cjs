// Prints what every call gives back, errors and exceptions included. The same with and without a recorder, or it shows.
const util = require('node:util');
const createGL = require('gl');
const [version] = process.argv.slice(2);
const gl = createGL(32, 24, { stencil: true, createWebGL2Context: version === '2' });

const show = (value) => {
  if (typeof value === 'function') return `function ${value.name}/${value.length}`;
  if (Array.isArray(value)) return `[${value.map(show).join()}]`;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return util.inspect(value);
  return value.constructor.name;
};
function call(name, ...args) {
  let line = `${name}: `;
  let result;
  try {
    result = gl[name](...args);
    line += show(result);
  } catch (error) {
    line += `throws ${error.name} ${error.message}`;
  }
  const errors = [];
  for (let error = gl.getError(); error; error = gl.getError()) errors.push(error);
  console.log(line, errors.join());
  return result;
}

console.log(Object.keys(createGL).sort(), createGL.name, createGL.length, gl instanceof createGL.WebGLRenderingContext);
console.log(Object.keys(gl).length, show(gl), gl.drawingBufferWidth, Object.prototype.toString.call(gl));
for (const name of Object.keys(gl)) if (typeof gl[name] === 'function') console.log(show(gl[name]));

function useAll(frame) {
  const supported = call('getSupportedExtensions');
  const extensions = supported
    .filter((name) => !/destroy|resize/i.test(name))
    .map((name) => [name, call('getExtension', name)]);
  for (const [name, extension] of extensions) {
    console.log(name, extension === gl.getExtension(name.toLowerCase()), Object.keys(extension).sort().join());
    for (const member of Object.keys(extension)) console.log(show(extension[member]));
  }
  call('getExtension', 'no_such_extension');
  const vertex = call('createShader', gl.VERTEX_SHADER);
  call('createShader', 1);
  call(
    'shaderSource',
    vertex,
    'attribute vec4 at; uniform mat2 turn[2]; void main() { gl_Position = at * turn[1][0].x; }',
  );
  call('compileShader', vertex);
  call('getShaderParameter', vertex, gl.COMPILE_STATUS);
  const broken = call('createShader', gl.FRAGMENT_SHADER);
  call('shaderSource', broken, 'void main() { nothing }');
  call('compileShader', broken);
  call('getShaderInfoLog', broken);
  call('getShaderSource', broken);
  const fragment = call('createShader', gl.FRAGMENT_SHADER);
  call('shaderSource', fragment, 'precision mediump float; uniform vec4 tint; void main() { gl_FragColor = tint; }');
  call('compileShader', fragment);
  const program = call('createProgram');
  call('useProgram', program);
  call('attachShader', program, vertex);
  call('attachShader', program, vertex);
  call('attachShader', program, fragment);
  call('bindAttribLocation', program, 3, 'at');
  call('linkProgram', program);
  call('deleteShader', vertex);
  call('getProgramParameter', program, gl.LINK_STATUS);
  console.log(call('getAttachedShaders', program).length);
  call('useProgram', program);
  call('useProgram', {});
  const tint = call('getUniformLocation', program, 'tint');
  call('getUniformLocation', program, 'absent');
  call('uniform4f', tint, 0.5, frame / 4, 1, 1);
  call('uniform4fv', tint, [1, 0.5]);
  call('uniform1i', tint, 1);
  call('uniform4f', null, 1, 1, 1, 1);
  call('getUniform', program, tint);
  const turn = call('getUniformLocation', program, 'turn[1]');
  call('uniformMatrix2fv', turn, false, [1, 0, 0, 1]);
  call('getUniform', program, turn);
  call('getAttribLocation', program, 'at');
  call('getActiveUniform', program, 0);
  call('getActiveAttrib', program, 7);
  const data = call('createBuffer');
  call('bufferData', gl.ARRAY_BUFFER, 8, gl.STATIC_DRAW);
  call('bindBuffer', gl.ARRAY_BUFFER, data);
  call('bindBuffer', gl.ELEMENT_ARRAY_BUFFER, data);
  call('bufferData', gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, 0, 1]), gl.STATIC_DRAW);
  call('bufferSubData', gl.ARRAY_BUFFER, 23, new Uint8Array(4));
  call('getBufferParameter', gl.ARRAY_BUFFER, gl.BUFFER_SIZE);
  call('enableVertexAttribArray', 3);
  call('vertexAttribPointer', 3, 2, gl.FLOAT, false, 0, 0);
  call('vertexAttribPointer', 3, 5, gl.FLOAT, false, 0, 0);
  call('getVertexAttrib', 3, gl.VERTEX_ATTRIB_ARRAY_ENABLED);
  call('getVertexAttribOffset', 3, gl.VERTEX_ATTRIB_ARRAY_POINTER);
  const texture = call('createTexture');
  call('isTexture', texture);
  call('bindTexture', gl.TEXTURE_2D, texture);
  call('bindTexture', gl.TEXTURE_CUBE_MAP, texture);
  call('texImage2D', gl.TEXTURE_2D, 0, gl.RGBA, 2, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(16).fill(99));
  call('texImage2D', gl.TEXTURE_2D, 0, gl.RGBA, 2, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(3));
  call('texSubImage2D', gl.TEXTURE_2D, 0, 1, 1, 2, 2, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(16));
  call('texParameteri', gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, 5);
  call('texParameteri', gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  call('getTexParameter', gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER);
  const framebuffer = call('createFramebuffer');
  call('bindFramebuffer', gl.FRAMEBUFFER, framebuffer);
  call('checkFramebufferStatus', gl.FRAMEBUFFER);
  call('framebufferTexture2D', gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  call('checkFramebufferStatus', gl.FRAMEBUFFER);
  console.log(
    gl.getParameter(gl.FRAMEBUFFER_BINDING) === framebuffer,
    gl.getParameter(gl.ARRAY_BUFFER_BINDING) === data,
    gl.getParameter(gl.CURRENT_PROGRAM) === program,
  );
  call('drawArrays', gl.TRIANGLES, 0, 3);
  const pixels = new Uint8Array(16);
  call('readPixels', 0, 0, 2, 2, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  console.log(pixels.join());
  call('bindFramebuffer', gl.FRAMEBUFFER, null);
  call('clear', gl.COLOR_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
  call('clear', 7);
  call('drawArrays', gl.TRIANGLES, 0, 300);
  call('drawArrays', 77, 0, 3);
  call('drawArrays', gl.TRIANGLES, 0, 3);
  call('enable', 1);
  call('getParameter', gl.VIEWPORT);
  call('getParameter', gl.COLOR_WRITEMASK);
  call('getParameter', 1);
  call('getContextAttributes');
  call('pixelStorei', gl.UNPACK_ALIGNMENT, 3);
  // Errors that are asked for late; which of several comes first is nobody's promise.
  gl.enable(2);
  gl.flush();
  gl.drawArrays(gl.TRIANGLES, -1, 3);
  console.log([gl.getError(), gl.getError(), gl.getError()].sort().join());
  call('deleteTexture', texture);
  call('isTexture', texture);
  call('deleteProgram', program);
  call('isProgram', program);
  call('getProgramParameter', program, gl.DELETE_STATUS);
  call('isContextLost');
}

for (let frame = 1; frame <= 2; frame++) {
  console.log(`frame ${frame}`);
  useAll(frame);
  if (frame === 1) gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
}
gl.enable(3);
console.log(gl.getError(), gl.getError());
