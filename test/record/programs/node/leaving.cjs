// Draws and takes its canvas away in the same turn: the way is its argument.
const gl = require('gl')(16, 8);
const draw = (red) => {
  gl.clearColor(red, 0.5, 0, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
};
draw(0.25);
const [way] = process.argv.slice(2);
if (way === 'destroy') gl.getExtension('STACKGL_destroy_context').destroy();
if (way === 'resize') {
  gl.getExtension('STACKGL_resize_drawingbuffer').resize(32, 24);
  draw(0.75);
}
if (way === 'exit') process.exit(5);
if (way === 'throw') throw new Error('after the draw');
if (way === 'abort') process.abort();
if (way === 'hang') setInterval(() => {}, 1000);
