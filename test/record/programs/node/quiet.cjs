// Programs that draw nothing: how far they come is their argument.
const [how] = process.argv.slice(2);
if (how !== 'none') {
  const createGL = require('gl');
  if (how === 'null') createGL(0, 64);
  if (how === 'context') createGL(40, 30).createBuffer();
}
if (how === 'wait') setInterval(() => {}, 1000);
