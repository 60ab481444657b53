// Draws in a worker thread; the main thread only waits.
const { isMainThread, Worker } = require('node:worker_threads');
if (isMainThread) new Worker(__filename);
else {
  const gl = require('gl')(24, 16);
  for (const green of [0.2, 0.4, 0.6]) {
    gl.clearColor(0, green, 0.5, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  }
}
