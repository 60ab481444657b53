// Groups and labels with every sort of name, where the context has them.
const gl = require('gl')(16, 16);
const names = [
  'Wände und Böden',
  '模型 🎨',
  'a, b; "c" \'d\'',
  'two\nlines\r\nand\ttabs',
  'same',
  'same',
  '',
  '=1+2',
  '<b>&amp;|*_`',
  '\u0000\u001b[31mred',
  'x'.repeat(10_000),
];
const group = gl.pushGroupMarkerEXT
  ? (name, work) => {
      gl.pushGroupMarkerEXT(name);
      work();
      gl.popGroupMarkerEXT();
    }
  : (_name, work) => work();
gl.enable(gl.SCISSOR_TEST);
gl.clear(gl.COLOR_BUFFER_BIT);
for (const [index, name] of names.entries())
  group(name, () => {
    gl.insertEventMarkerEXT?.(name);
    gl.scissor(index, 0, 1, 16);
    gl.clearColor(index / 16, 0.5, 1, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
  });
