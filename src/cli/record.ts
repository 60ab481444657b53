import { Command } from 'commander';
import { recordGltfCommand } from './record-gltf.ts';

/** `gpuprof record`: one subcommand for each kind of thing that can be recorded. */
export function recordCommand(): Command {
  return new Command('record').description('record a frame into a capture').addCommand(recordGltfCommand());
}
