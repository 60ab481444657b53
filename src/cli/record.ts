import { Command } from 'commander';
import { recordGltfCommand } from './record-gltf.ts';
import { recordNodeCommand } from './record-node.ts';
import { recordPageCommand } from './record-page.ts';

/** `gpuprof record`: one subcommand for each kind of thing that can be recorded. */
export function recordCommand(): Command {
  const record = new Command('record');
  for (const command of [recordPageCommand(), recordNodeCommand(), recordGltfCommand()]) record.addCommand(command);
  return record;
}
