import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { openCapture } from '../../src/capture/open.ts';
import { formatCall } from '../../src/gl/format-call.ts';
import type { CallStream } from '../../src/model/call-stream.ts';
import type { Manifest } from '../../src/model/capture.ts';
import { type RunOptions, run } from '../helpers/cli.ts';
import { tempFolder } from '../helpers/files.ts';
import { runInSession } from '../helpers/session.ts';

/** Files by name; the page is `index.html`. */
export type Site = Readonly<Record<string, string | Uint8Array>>;

export interface Recorded {
  readonly code: number;
  readonly stderr: string;
  /** Where the capture is, when there is one. */
  readonly path: string;
  /** Files in the output's folder afterwards. */
  readonly left: readonly string[];
}

/** A page of a body and a script. */
export const page = (script: string, body = '<canvas id="view" width="64" height="48"></canvas>'): Site => ({
  'index.html': `<!doctype html><meta charset="utf-8"><body>${body}<script>${script}</script></body>`,
});

/** Script text: `begin(canvas, version)` gives a context, and `paint(gl, red)` clears it, which shows which frame it was. */
export const painter = `
const begin = (canvas, version = 2, options = {}) => canvas.getContext(version === 2 ? 'webgl2' : 'webgl', options);
const paint = (gl, red) => { gl.clearColor(red / 256, 0, 0, 1); gl.clear(gl.COLOR_BUFFER_BIT); };
`;

/** The calls that {@link painter}'s `paint` makes. */
export const painted = (red: number): string[] => [
  `glClearColor(red = ${red / 256}, green = 0, blue = 0, alpha = 1)`,
  'glClear(mask = GL_COLOR_BUFFER_BIT)',
];

export async function writeSite(folder: string, site: Site): Promise<string> {
  for (const [name, text] of Object.entries(site)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  return join(folder, 'index.html');
}

/**
 * Runs the built `gpuprof record page`, in the test file's browser: with `options` in a process and a browser of its own.
 */
export async function recordPage(
  t: TestContext,
  site: Site | string,
  args: readonly string[] = [],
  options?: RunOptions,
): Promise<Recorded> {
  const folder = await tempFolder(t);
  const target = typeof site === 'string' ? site : await writeSite(join(folder, 'site'), site);
  await mkdir(join(folder, 'out'));
  const path = join(folder, 'out', 'frame.cap');
  const line = ['record', 'page', target, '-o', path, ...args];
  const { code, stderr } = await (options ? run(line, options) : runInSession(line));
  return { code, stderr, path, left: await readdir(join(folder, 'out')) };
}

/** The last colour that was set for clearing, as {@link painter} counts. */
export function lastRed({ setup, frames }: Contents): number {
  const set = [...setup, ...frames.flat()].filter((line) => line.startsWith('glClearColor'));
  return Number(/red = ([^,]+)/.exec(set.at(-1) ?? '')?.[1]) * 256;
}

/** A server of the test's own, for pages that need headers or tell something. Returns its origin. */
export async function serve(
  t: TestContext,
  answer: (path: string, body: string) => { headers?: Record<string, string>; body: string; status?: number },
): Promise<string> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const { headers = {}, body, status = 200 } = answer(request.url ?? '', Buffer.concat(parts).toString('utf8'));
    response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', ...headers }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export interface Contents {
  readonly manifest: Manifest;
  readonly setup: readonly string[];
  readonly frames: readonly (readonly string[])[];
}

/** A capture's calls as `gpuprof dump` prints them. */
export async function contentsOf(path: string): Promise<Contents> {
  const capture = await openCapture(path);
  try {
    const { manifest } = capture;
    const lines = (stream: CallStream) => [...stream].map((call) => formatCall(call, manifest));
    const frames: string[][] = [];
    for (const index of manifest.frames.keys()) frames.push(lines(await capture.frame(index + 1)));
    return { manifest, setup: lines(await capture.setup()), frames };
  } finally {
    await capture.close();
  }
}
