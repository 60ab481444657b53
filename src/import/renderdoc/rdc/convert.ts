import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { access, constants, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { GpuprofError } from '../../../errors.ts';
import { rdcChunks } from './chunks.ts';
import { openRdc } from './container.ts';

const program = 'renderdoccmd';
const timeLimitMs = 10 * 60_000;
const mostUnpackedBytes = 64 * 2 ** 30;
const keptErrorText = 4096;

/** The path of renderdoccmd, or null where it is not installed. */
export async function findRenderdoccmd(): Promise<string | null> {
  for (const folder of (process.env.PATH ?? '').split(delimiter).filter(Boolean)) {
    const path = join(folder, program);
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  return null;
}

const quoted = (path: string): string => (/^[\w./+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

/** The command that makes a file of an `.rdc` that can be imported. */
export const conversionCommand = (path: string): string =>
  `${program} convert -f ${quoted(path)} -o ${quoted(path.replace(/(\.rdc)?$/i, '.zip.xml'))} -c zip.xml`;

/** Runs the program to its end. Throws GpuprofError when it fails, or takes too long. */
function run(command: string, path: string, output: string): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(command, ['convert', '-f', resolve(path), '-o', output, '-c', 'zip.xml'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: timeLimitMs,
      killSignal: 'SIGKILL',
    });
    const end = () => child.kill('SIGKILL');
    process.once('exit', end);
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (more: string) => {
      text = (text + more).slice(-keptErrorText);
    });
    child.once('error', (error) => fail(new GpuprofError('bad-input', `cannot run ${program}: ${error.message}`)));
    child.once('close', (code, signal) => {
      process.off('exit', end);
      if (code === 0) return done();
      const reason = text.trim().split('\n').at(-1) || (signal ? `it was ended by ${signal}` : `exit code ${code}`);
      fail(new GpuprofError('bad-input', `${program} cannot convert ${path}: ${reason}`));
    });
  });
}

/** Where the container is damaged, which renderdoccmd does not say; null when nothing is found. */
async function damage(path: string): Promise<GpuprofError | null> {
  const rdc = await openRdc(path);
  try {
    for await (const _ of rdcChunks(rdc));
    return null;
  } catch (error) {
    if (error instanceof GpuprofError) return error;
    throw error;
  } finally {
    await rdc.close();
  }
}

/**
 * Converts an `.rdc` with renderdoccmd, hands the XML to `use`, and leaves nothing behind. Throws GpuprofError `bad-input`
 * for what is no sound `.rdc`, and when renderdoccmd is not installed, with the command to run elsewhere.
 */
export async function withConverted<T>(path: string, use: (xml: string) => Promise<T>): Promise<T> {
  const rdc = await openRdc(path);
  await rdc.close();
  const unpacked = rdc.sections.reduce((sum, { uncompressedBytes }) => sum + uncompressedBytes, 0);
  if (unpacked > mostUnpackedBytes)
    throw new GpuprofError('bad-input', `${path} unpacks to ${unpacked} bytes; at most ${mostUnpackedBytes}`);
  const command = await findRenderdoccmd();
  if (command === null)
    throw new GpuprofError(
      'bad-input',
      `${path} can only be read by RenderDoc itself, and ${program} is not installed`,
      {
        hint: `where it is, run: ${conversionCommand(path)}; gpuprof info and dump show what there is without it`,
      },
    );
  const folder = await mkdtemp(join(tmpdir(), 'gpuprof-rdc-'));
  const tidy = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', tidy);
  try {
    const xml = join(folder, 'capture.zip.xml');
    await run(command, path, xml).catch(async (error) => {
      throw (await damage(path)) ?? error;
    });
    return await use(xml);
  } finally {
    await rm(folder, { recursive: true, force: true });
    process.off('exit', tidy);
  }
}
