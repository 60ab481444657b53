// Has others draw too: a fork that draws more than it does itself. Only this process is to be recorded.
const { fork } = require('node:child_process');
const createGL = require('gl');
const child = process.argv[2] === 'child';
const gl = child ? createGL(50, 50) : createGL(12, 12);
const draw = () => {
  gl.clearColor(0.5, child ? 1 : 0, 0, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
};
if (child) for (let frame = 0; frame < 5; frame++) setTimeout(draw, frame);
else
  fork(__filename, ['child']).on('exit', (code) => {
    console.log(`child: ${code}, ${process.execArgv.length} options, plan: ${process.env.GPUPROF_RECORD_NODE}`);
    draw();
  });
