// Records a frame itself, with markers.
import createGL from 'gl';
import { observe, recordFrame } from 'gpuprof/record';

const [path, frames] = process.argv.slice(2);
const gl = observe(createGL(40, 30, { createWebGL2Context: true }));
const draw = (shade) => {
  gl.pushGroupMarkerEXT('Schatten');
  gl.clearColor(shade, 0.25, 0.5, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.popGroupMarkerEXT();
  gl.enable(gl.SCISSOR_TEST);
  gl.scissor(4, 4, 8, 8);
  gl.clearColor(1, 1, shade, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.disable(gl.SCISSOR_TEST);
};
const nextTurn = () => new Promise((resolve) => setTimeout(resolve));
draw(0.1);
await nextTurn();
const { notes } = await recordFrame(gl, path, () => draw(0.4), { frames: Number(frames ?? 1) });
console.log(JSON.stringify(notes), gl.getError());
await nextTurn();
draw(0.7);
