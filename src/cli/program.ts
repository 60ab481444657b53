import { Command } from 'commander';
import { version } from './version.ts';

/** The whole command line. Each command loads what it needs only when it runs, so that start-up stays quick. */
export function createProgram(): Command {
  const program = new Command('gpuprof')
    .description('Capture one frame of a WebGL or OpenGL program, replay it headless, and time every draw.')
    .version(version)
    .option('--debug', 'show the stack of an error')
    .exitOverride()
    .showHelpAfterError('(gpuprof --help lists the commands)');
  return program;
}
