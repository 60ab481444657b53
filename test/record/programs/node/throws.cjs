// Draws two frames and fails in the middle of the third.
const gl = require('gl')(8, 8);
let frame = 0;
setInterval(() => {
  frame++;
  gl.clearColor(frame / 5, 0, 0, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  if (frame === 3) throw new Error('the third frame is too much');
}, 1);
