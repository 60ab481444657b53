/** Makes the sample captures beside this file. Run from the project's root: npx tsx captures/make.ts [folder] */
import { fileURLToPath } from 'node:url';
import { openContext } from '../src/gl/open.ts';
import { setSoftwareThreads } from '../src/gl/software-threads.ts';
import { createWebGL2Context, type WebGl2 } from '../src/gl/webgl2-context.ts';
import { attachProgramRecorder } from '../src/record/attach-program.ts';
import { recordScene } from '../src/record/gltf/record.ts';
import { recordFrames } from '../src/record/record-program.ts';
import { courtyard } from './courtyard.ts';
import { type Frame, manyDraws, tenBatches, triangle } from './programs.ts';

const folder = process.argv[2] ?? fileURLToPath(new URL('.', import.meta.url));
const producer = 'gpuprof captures/make.ts';
// One thread that draws: nothing depends on when others run.
setSoftwareThreads(0);
const context = await openContext('egl', { api: 'es', version: [3, 0] });

for (const [name, program, width, height] of [
  ['triangle', triangle, 256, 256],
  ['draws-2000', manyDraws, 500, 400],
  ['ten-batches', tenBatches, 96, 96],
] as const satisfies readonly (readonly [string, (gl: WebGl2) => Frame, number, number])[]) {
  const gl = createWebGL2Context(context, { width, height });
  const recorder = attachProgramRecorder(gl, { producer: { producer, driver: context.driver } });
  const frame = program(gl);
  await recordFrames(recorder, { path: `${folder}/${name}.cap`, frame: 1, step: frame });
}
await recordScene(context, courtyard(), {
  output: `${folder}/scene.cap`,
  width: 320,
  height: 200,
  frames: 1,
  timeSeconds: 0,
  producer,
  render: { camera: { orbitDegrees: 25 }, samples: 0, shadowSize: 512 },
});
context.destroy();
