import assert from 'node:assert/strict';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { projectRoot, run, runProgram } from '../helpers/cli.ts';
import { samplePath, tempFolder } from '../helpers/files.ts';
import { runInSession } from '../helpers/session.ts';

const script = join(projectRoot, 'bin', 'gpuprof.js');

/** One line on standard error, nothing on standard output, exit 2. */
async function refuses(args: readonly string[], line: string): Promise<void> {
  const { code, stdout, stderr } = await runInSession(args);
  assert.deepEqual({ code, stdout, stderr }, { code: 2, stdout: '', stderr: `gpuprof: ${line}\n` });
}

test('help and version go to standard output', async () => {
  for (const args of [['--help'], ['replay', '--help'], ['help', 'replay'], ['--version']]) {
    const { code, stdout, stderr } = await run(args);
    assert.deepEqual([code, stderr], [0, ''], args.join(' '));
    assert.notEqual(stdout, '');
  }
});

test('help loads no native code', async () => {
  const { code, stderr } = await run(['replay', '--help'], { nodeArgs: ['--no-addons'] });
  assert.deepEqual([code, stderr], [0, '']);
});

/** What a command line loads: modules of this project by their paths in src/, and packages. */
async function loads(args: readonly string[]): Promise<{ own: string[]; packages: string[] }> {
  const telling = pathToFileURL(join(projectRoot, 'test', 'helpers', 'tell-modules.js')).href;
  const { code, stderr } = await run(args, { nodeArgs: ['--import', telling] });
  assert.equal(code, 0, stderr);
  const found = (text: string, pattern: RegExp) => [...new Set(Array.from(text.matchAll(pattern), ([, path]) => path))];
  const files = await Promise.all(
    found(stderr, /^loads file:.*\/(dist\/.*)$/gm).map((path) => readFile(join(projectRoot, path), 'utf8')),
  );
  // The build names each module above what it made of it.
  const own = found(files.join('\n'), /^\/\/ src\/(.*)\.ts$/gm);
  return { own, packages: found(stderr, /^loads file:.*\/node_modules\/([^/]*)/gm).sort() };
}

test('help and version load next to nothing, and help of a command that command alone', async () => {
  const version = await loads(['--version']);
  assert.deepEqual(version.packages, []);
  assert.ok(version.own.includes('version') && !version.own.includes('cli/program'), version.own.join());
  const help = await loads(['--help']);
  assert.deepEqual(help.packages, ['commander']);
  assert.deepEqual(
    help.own.filter((path) =>
      /^(analysis|capture(?!\/whole-file)|gl|import|model(?!\/memory-limit)|query|record|replay)\//.test(path),
    ),
    [],
  );
  const ofReplay = await loads(['replay', '--help']);
  assert.deepEqual(ofReplay.packages, ['commander']);
  assert.deepEqual(
    ofReplay.own.filter((path) =>
      /^cli\/(compare|doctor|dump|gate|import|info|qrhi|record|screenshot|view)$/.test(path),
    ),
    [],
  );
});

test('certificates that Node.js is to read are read once, not by each process', async () => {
  const env = { NODE_EXTRA_CA_CERTS: '/nowhere.pem' };
  for (const args of [
    ['replay', samplePath('triangle'), '--driver', 'egl', '--no-timing'],
    ['compare', samplePath('triangle'), samplePath('triangle'), '--driver', 'egl', '--counters-only'],
    ['doctor'],
  ]) {
    const { code, stderr } = await run(args, { env });
    assert.equal(code, 0, stderr);
    assert.equal(stderr.match(/nowhere\.pem/g)?.length, 1, `${args[0]}: ${stderr}`);
  }
});

test('wrong usage is one line that says where help is', async () => {
  await refuses(['replya'], "unknown command 'replya' (Did you mean replay?); see gpuprof --help");
  await refuses(['a.cap'], "unknown command 'a.cap'; to replay a file: gpuprof replay a.cap");
  await refuses(['replay'], "missing required argument 'file'; see gpuprof replay --help");
  await refuses(
    ['replay', 'a.cap', '--rums', '3'],
    "unknown option '--rums' (Did you mean --runs?); see gpuprof replay --help",
  );
  await refuses(
    ['replay', 'a.cap', '--runs', '0'],
    "option '--runs <n>' argument '0' is invalid. It must be a whole number from 1 to 1000000; see gpuprof replay --help",
  );
  await refuses(
    ['replay', 'a.cap', '--unit', 'h'],
    "option '--unit <unit>' argument 'h' is invalid. Allowed choices are auto, ns, us, ms, s; see gpuprof replay --help",
  );
  await refuses(
    ['replay', 'a.cap', '--top', '3', '--depth', '1'],
    "option '--top <n>' cannot be used with option '--depth <n>'; see gpuprof replay --help",
  );
  await refuses(
    ['replay', 'a.cap', 'b.cap'],
    "too many arguments for 'replay'. Expected 1 argument but got 2; see gpuprof replay --help",
  );
});

test('options that contradict each other are named', async () => {
  await refuses(
    ['replay', 'a.cap', '--no-timing', '--verify', '--csv', 'x'],
    '--csv asks for a report, which --no-timing leaves out',
  );
  await refuses(['replay', 'a.cap', '--tolerance', '3'], '--tolerance is for --verify; add --verify');
  await refuses(
    ['replay', 'a.cap', '--csv', '-', '--json', '-'],
    'two outputs go to standard output; give each a file of its own',
  );
});

test('no output replaces the input or another output, by whatever name', async (t) => {
  const folder = await tempFolder(t);
  const input = join(folder, 'in.cap');
  const link = join(folder, 'link.cap');
  await writeFile(input, 'kept');
  await symlink(input, link);
  const replaces = (path: string) => `${path} is the input, which the output would replace; name another file`;
  await refuses(['replay', input, '-o', link], replaces(link));
  await refuses(['replay', link, '--no-timing', '--screenshot', input], replaces(input));
  await refuses(['record', 'gltf', input, '-o', join(folder, '.', 'in.cap')], replaces(input));
  const twice = [join(folder, 'out.csv'), `${folder}/../${basename(folder)}/out.csv`];
  await refuses(
    ['replay', input, '--csv', twice[0], '-o', twice[1]],
    `two outputs go to ${twice[0]}; give each a file of its own`,
  );
  assert.equal(await readFile(input, 'utf8'), 'kept');
});

test('help for a command that is not there says so', async () => {
  await refuses(['help', 'record', 'foo'], "unknown command 'foo'; see gpuprof --help");
  await refuses(['help', 'replya'], "unknown command 'replya' (Did you mean replay?); see gpuprof --help");
  const { code, stdout } = await runInSession(['help', 'record', 'gltf']);
  assert.deepEqual([code, stdout.split('\n')[0]], [0, 'Usage: gpuprof record gltf [options] <model>']);
});

test('no argument of the user reaches the terminal as it is', async () => {
  const { stderr } = await runInSession(['\u001b[2J']);
  assert.match(stderr, /^gpuprof: unknown command '␛\[2J'/);
});

test('--debug works anywhere and adds the stack', async () => {
  for (const args of [
    ['--debug', 'replay', 'none.cap'],
    ['replay', 'none.cap', '--debug'],
  ]) {
    const { code, stderr } = await run(args);
    assert.equal(code, 2);
    assert.match(stderr, /^gpuprof: cannot read none\.cap: no such file\nGpuprofError: .*\n {4}at /);
  }
});

test('output that cannot be written is one line and exit 2', async () => {
  for (const args of ['--help', `dump ${samplePath('triangle')}`, `info ${samplePath('triangle')}`]) {
    const command = `"$0" "$1" ${args} > /dev/full`;
    const { code, stderr } = await runProgram('bash', ['-c', command, process.execPath, script]);
    assert.deepEqual(
      [code, stderr],
      [2, 'gpuprof: cannot write standard output: no space is left on the device\n'],
      args,
    );
  }
});
