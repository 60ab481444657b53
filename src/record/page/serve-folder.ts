import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.htm': 'text/html; charset=utf-8',
  '.xhtml': 'application/xhtml+xml',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.gltf': 'model/gltf+json',
  '.glb': 'model/gltf-binary',
  '.ktx2': 'image/ktx2',
  '.wasm': 'application/wasm',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.gif': 'image/gif',
  '.svg': 'image/svg+xml',
  '.ico': 'image/x-icon',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.mp3': 'audio/mpeg',
  '.ogg': 'audio/ogg',
  '.wav': 'audio/wav',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.otf': 'font/otf',
  '.txt': 'text/plain; charset=utf-8',
  '.glsl': 'text/plain; charset=utf-8',
  '.vert': 'text/plain; charset=utf-8',
  '.frag': 'text/plain; charset=utf-8',
  '.xml': 'application/xml',
};

/** The file that a path names under a folder, also after links are followed; undefined for anything else. */
async function fileUnder(folder: string, path: string): Promise<{ path: string; sizeBytes: number } | undefined> {
  try {
    const real = await realpath(join(folder, path));
    if (!real.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return undefined;
    const { size, isFile } = await stat(real).then((stats) => ({ size: stats.size, isFile: stats.isFile() }));
    return isFile ? { path: real, sizeBytes: size } : undefined;
  } catch {
    return undefined;
  }
}

/** The bytes that a Range header asks for, first and last; undefined for all, null for none that the file has. */
function rangeOf(header: string | undefined, sizeBytes: number): readonly [number, number] | null | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === undefined || (first === '' && last === '')) return undefined;
  const from = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const to = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  return from <= to ? [from, to] : null;
}

/** Answers a request with a file of a folder, which is a real path; there are no listings. `path` is decoded. */
export async function serveFile(
  folder: string,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const file = await fileUnder(folder, path);
  if (!file && path === '/favicon.ico') {
    // Browsers ask for it by themselves, and call its absence an error of the page.
    response.writeHead(204).end();
    return;
  }
  if (!file || (request.method !== 'GET' && request.method !== 'HEAD')) {
    response.writeHead(file ? 405 : 404, { 'Content-Type': 'text/plain' }).end(file ? 'not allowed' : 'no such file');
    return;
  }
  const range = rangeOf(request.headers.range, file.sizeBytes);
  if (range === null) {
    response.writeHead(416, { 'Content-Range': `bytes */${file.sizeBytes}` }).end();
    return;
  }
  const [from, to] = range ?? [0, file.sizeBytes - 1];
  response.writeHead(range ? 206 : 200, {
    'Content-Type': types[extname(file.path).toLowerCase()] ?? 'application/octet-stream',
    'Content-Length': to - from + 1,
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'no-store',
    ...(range && { 'Content-Range': `bytes ${from}-${to}/${file.sizeBytes}` }),
  });
  if (request.method === 'HEAD' || to < from) response.end();
  // A browser that has seen enough closes the connection.
  else await pipeline(createReadStream(file.path, { start: from, end: to }), response).catch(() => {});
}
