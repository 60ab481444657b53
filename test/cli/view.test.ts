import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { projectRoot } from '../helpers/cli.ts';
import { tempFolder } from '../helpers/files.ts';
import { runInSession } from '../helpers/session.ts';
import { writeSmallCapture } from './small-capture.ts';

const script = join(projectRoot, 'bin', 'gpuprof.js');

interface Viewing {
  /** What it printed. */
  readonly address: string;
  /** Ctrl-C; resolves with the exit code and what standard error had. */
  end(): Promise<readonly [code: number | null, stderr: string]>;
}

/** Starts `gpuprof view` and waits for the address. */
async function view(t: TestContext, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Viewing> {
  const child = spawn(process.execPath, [script, 'view', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DISPLAY: undefined, WAYLAND_DISPLAY: undefined, ...env },
  });
  t.after(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (text: Buffer) => {
    stderr += text.toString();
  });
  const closed = once(child, 'close');
  const lines = createInterface(child.stdout);
  const [address] = await Promise.race([
    once(lines, 'line'),
    closed.then(([code]) => {
      throw new Error(`it ended with ${code}: ${stderr}`);
    }),
  ]);
  return {
    address,
    end: async () => {
      child.kill('SIGINT');
      const [code] = await closed;
      return [code, stderr];
    },
  };
}

/** As a browser asks, or somebody worse. */
async function ask(
  address: string,
  path: string | undefined = undefined,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]>; body: string }> {
  const { port, pathname, host } = new URL(address);
  const asked = request({ host: '127.0.0.1', port, method, path: path ?? pathname, headers: { host, ...headers } });
  asked.end();
  const [response] = await once(asked, 'response');
  let body = '';
  for await (const chunk of response) body += chunk;
  return { status: response.statusCode, headers: response.headers, body };
}

test('a page at an address that nobody can guess, for this machine alone, until Ctrl-C', async (t) => {
  const folder = await tempFolder(t);
  const file = join(folder, 'a.html');
  const page = '<!doctype html>\n<title>a</title>';
  await writeFile(file, page);
  const { address, end } = await view(t, [file, '--no-open']);
  assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/report\.html$/);
  const { status, headers, body } = await ask(address);
  assert.deepEqual([status, body], [200, page]);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
  assert.equal(headers['access-control-allow-origin'], undefined);
  assert.match(String(headers['content-security-policy']), /^default-src 'none';.* frame-ancestors 'none'$/);
  const { pathname, port } = new URL(address);
  for (const [path, sent, method, expected] of [
    ['/', {}, 'GET', 404],
    [pathname.replace('report.html', ''), {}, 'GET', 404],
    [pathname.replace('report.html', '../../etc/passwd'), {}, 'GET', 404],
    [`${pathname}?a`, {}, 'GET', 404],
    [pathname, { host: 'evil.example' }, 'GET', 403],
    [pathname, { host: `evil.example:${port}` }, 'GET', 403],
    [pathname, { host: `localhost:${port}` }, 'GET', 200],
    [pathname, {}, 'POST', 405],
    [pathname, { origin: 'https://evil.example' }, 'OPTIONS', 405],
  ] as const)
    assert.equal((await ask(address, path, sent, method)).status, expected, `${method} ${path}`);
  assert.equal((await ask(address, undefined, {}, 'HEAD')).body, '');
  assert.deepEqual(await end(), [0, 'gpuprof: open this address in a browser; Ctrl-C ends it\n']);
});

test('a capture is replayed, and a report in JSON becomes a page', async (t) => {
  const folder = await tempFolder(t);
  const file = await writeSmallCapture(join(folder, 'small.cap'));
  const { address, end } = await view(t, [file, '--driver', 'egl']);
  const { body } = await ask(address);
  assert.match(body, /^<!doctype html>/);
  assert.match(body, /<script type="application\/json" id="data">\{"pictures":\["iVBOR/);
  assert.equal((await end())[0], 0);
  const json = join(folder, 'a.json');
  await runInSession(['replay', file, '--driver', 'egl', '--timer', 'finish', '--runs', '1', '--json', json]);
  const report = await view(t, [json]);
  assert.match((await ask(report.address)).body, /<title>[^<]*small\.cap: gpuprof<\/title>/);
  assert.equal((await report.end())[0], 0);
});

test('speedscope may read its file, and no other site', async (t) => {
  const file = join(await tempFolder(t), 'a.json');
  const text = '{"$schema":"https://www.speedscope.app/file-format-schema.json"}';
  await writeFile(file, text);
  const { address, end } = await view(t, [file]);
  const url = new URL(address);
  assert.equal(url.origin, 'https://www.speedscope.app');
  const own = new URLSearchParams(url.hash.slice(1)).get('profileURL') ?? '';
  for (const [origin, allowed] of [
    ['https://www.speedscope.app', 'https://www.speedscope.app'],
    ['https://evil.example', undefined],
  ] as const) {
    const { status, headers, body } = await ask(own, undefined, { origin });
    assert.deepEqual([status, body, headers['access-control-allow-origin']], [200, text, allowed]);
    assert.equal((await ask(own, undefined, { origin }, 'OPTIONS')).status, allowed ? 204 : 405);
  }
  assert.equal((await end())[0], 0);
});

test('the browser is opened where there is a display, and what opens it is ended', async (t) => {
  const folder = await tempFolder(t);
  const file = join(folder, 'a.html');
  await writeFile(file, '<!doctype html>');
  const opened = join(folder, 'opened');
  await writeFile(
    join(folder, 'xdg-open'),
    `#!/bin/sh\necho $$ "$1" > ${opened}.new; mv ${opened}.new ${opened}; exec sleep 1000\n`,
  );
  await chmod(join(folder, 'xdg-open'), 0o755);
  const { address, end } = await view(t, [file], { DISPLAY: ':0', PATH: `${folder}${delimiter}${process.env.PATH}` });
  let told = '';
  while (told === '') told = await readFile(opened, 'utf8').catch(() => '');
  const [pid, shown] = told.trim().split(' ');
  assert.equal(shown, address);
  assert.deepEqual(await end(), [0, 'gpuprof: opened in the default browser; Ctrl-C ends it\n']);
  // Its parent is gone, so that the system has taken it over and buries it.
  while (
    await readFile(`/proc/${pid}/cmdline`, 'utf8').then(
      (text) => text !== '',
      () => false,
    )
  );
});

test('one line for what cannot be shown', async (t) => {
  const folder = await tempFolder(t);
  const trace = join(folder, 'a.trace.json');
  await writeFile(trace, '{"displayTimeUnit":"ns","traceEvents":[]}');
  const text = join(folder, 'a.txt');
  await writeFile(text, 'hello');
  const other = createServer().listen(0, '127.0.0.1');
  t.after(() => other.close());
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const page = join(folder, 'a.html');
  await writeFile(page, '<!doctype html>');
  for (const [args, line] of [
    [
      [text],
      `${text} is nothing that can be viewed; captures, and what gpuprof replay writes with --html, --json, --perfetto and --speedscope, can`,
    ],
    [[folder], `cannot read ${folder}: it is a folder`],
    [
      [trace, '--port', '9002'],
      'ui.perfetto.dev reads from port 9001 of this machine only; leave --port out, or open the file there by hand: Open trace file',
    ],
    [
      [page, '--port', String(port)],
      `port ${port} is in use on 127.0.0.1; end what listens there, or name another with --port`,
    ],
  ] as const) {
    const { code, stdout, stderr } = await runInSession(['view', ...args]);
    assert.deepEqual([code, stdout, stderr], [2, '', `gpuprof: ${line}\n`]);
  }
});
