// Each immediate asks for the next before it draws.
const gl = require('gl')(16, 16);
let frame = 0;
function loop() {
  if (frame < 6) setImmediate(loop);
  frame++;
  gl.clearColor(frame / 10, 0, 1, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.enable(gl.SCISSOR_TEST);
  gl.scissor(frame, 2, 4, 4);
  gl.clearColor(0, frame / 10, 0, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.disable(gl.SCISSOR_TEST);
}
loop();
