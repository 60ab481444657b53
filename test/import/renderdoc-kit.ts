import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { openContext } from '../../src/gl/open.ts';
import type { ImportSummary } from '../../src/import/formats.ts';
import { MemoryCaptureBuilder } from '../../src/import/memory-capture.ts';
import { importXml } from '../../src/import/renderdoc/import-xml.ts';
import type { Capture } from '../../src/model/capture.ts';
import { Replayer } from '../../src/replay/replayer.ts';

/**
 * Captures that RenderDoc 1.24 made of small programs on llvmpipe (Mesa 22.3.6), 112x84 pixels, without their thumbnails:
 * `tex` (textures of every shape), `fbo` (targets), `buf` (buffers, compute, feedback, pipelines), `ext`
 * (EXT_direct_state_access), `es` (OpenGL ES 3). The pictures are what the programs themselves read from their windows.
 * `misc` (tessellation, geometry, subroutines, viewports, conditional rendering, two contexts with windows of their own) is
 * compared with RenderDoc's own replay: its window was multisampled, which RenderDoc does not keep for EGL.
 */
export const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/renderdoc-${name}`, import.meta.url));

export const fixtureXml = async (name: string): Promise<string> =>
  gunzipSync(await readFile(fixture(`${name}.zip.xml.gz`))).toString('utf8');

/** Puts a fixture's two files into a folder, the XML changed; returns the XML's path. */
export async function unpack(
  name: string,
  folder: string,
  change: (xml: string) => string | Uint8Array = (xml) => xml,
): Promise<string> {
  const path = join(folder, `${name}.zip.xml`);
  await copyFile(fixture(`${name}.zip`), join(folder, `${name}.zip`));
  await writeFile(path, change(await fixtureXml(name)));
  return path;
}

export async function importFile(path: string): Promise<{ capture: Capture; summary: ImportSummary }> {
  const builder = new MemoryCaptureBuilder();
  const { head, summary } = await importXml(path, builder);
  return { capture: builder.finish(path, head, summary.notes), summary };
}

/** Plays the last frame once on egl. */
export async function playLast(capture: Capture) {
  const context = await openEgl(capture);
  const replayer = await Replayer.create(context, capture);
  try {
    const frame = await replayer.loadFrame(capture.manifest.frames.length);
    frame.play();
    frame.collectErrors();
    const { renderer, versionText } = context;
    return { canvas: frame.readCanvas(), errors: replayer.glErrors.slice(), renderer, versionText };
  } finally {
    replayer.destroy();
    context.destroy();
  }
}

const openEgl = ({ manifest: { api, profile } }: Capture) =>
  openContext('egl', api === 'gl' ? { api: 'gl', profile } : { api: 'es' });

/** Names of the chunks of the frame that are calls, as the XML has them. */
export function frameChunks(xml: string): string[] {
  const names = [...xml.matchAll(/<chunk id="\d+" name="([^"]*)"/g)].map(([, name]) => name);
  const from = names.indexOf('Internal::Context Configuration') + 1;
  return names.slice(from, names.indexOf('Internal::End of Capture')).filter((name) => !/SwapBuffers/.test(name));
}
