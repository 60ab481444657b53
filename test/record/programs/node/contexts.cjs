// Three contexts: one never draws, one draws in every turn, and one twice as often.
const createGL = require('gl');
createGL(4, 4).enable(3042);
const slow = createGL(20, 10);
const quick = createGL(30, 15, { createWebGL2Context: true });
const draw = (gl, shade) => {
  gl.clearColor(shade, 1 - shade, 0, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
};
let turn = 0;
const timer = setInterval(() => {
  draw(quick, turn / 10);
  draw(slow, turn / 10);
  draw(quick, turn / 10 + 0.05);
  if (++turn === 5) clearInterval(timer);
}, 1);
