// Draws frame after frame, each on a context of its own, for which headless-gl asks the X display.
const createGL = require('gl');
const draw = () => {
  const gl = createGL(8, 8);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.getExtension('STACKGL_destroy_context').destroy();
  process.stderr.write('drawing\n');
  setImmediate(draw);
};
draw();
