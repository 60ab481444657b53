import { Command } from 'commander';
import { withMemoryOption } from './memory-option.ts';
import { recordGltfCommand } from './record-gltf.ts';
import { recordNodeCommand } from './record-node.ts';
import { recordPageCommand } from './record-page.ts';

/** `gpuprof record`: one subcommand for each kind of thing that can be recorded. */
export function recordCommand(): Command {
  const record = new Command('record').addHelpText(
    'after',
    `
Examples:
  $ gpuprof record page scene.html -o scene.cap   a frame of a web page
  $ gpuprof record node render.js -o frame.cap    a frame of a Node program that draws with headless-gl
  $ gpuprof record gltf model.glb -o model.cap    a glTF model`,
  );
  for (const command of [recordPageCommand(), recordNodeCommand(), recordGltfCommand()])
    record.addCommand(withMemoryOption(command));
  return record;
}
