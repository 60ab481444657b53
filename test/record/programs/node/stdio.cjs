// Shows its streams, arguments and folder, then draws once.
process.stdin.setEncoding('utf8');
let text = '';
process.stdin.on('data', (chunk) => {
  text += chunk;
});
process.stdin.on('end', () => {
  console.log(JSON.stringify({ text, args: process.argv.slice(2), cwd: process.cwd(), main: require.main === module }));
  console.error('to stderr');
  const gl = require('gl')(8, 8);
  gl.clear(gl.COLOR_BUFFER_BIT);
});
