import { realpath, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GpuprofError } from '../../errors.ts';

export interface PageTarget {
  /** The folder to serve for a page that is a file: a real path. */
  readonly folder?: string;
  /** The page's address, when the tool's server is at `origin`. */
  readonly url: (origin: string) => string;
}

async function fileTarget(path: string, search: string): Promise<PageTarget> {
  const isFile = await stat(path).then(
    (stats) => stats.isFile(),
    () => undefined,
  );
  if (isFile === undefined) throw new GpuprofError('bad-input', `${path} does not exist`);
  if (!isFile) throw new GpuprofError('bad-input', `${path} is no file`, { hint: 'name an HTML file or a URL' });
  const folder = await realpath(dirname(path));
  return { folder, url: (origin) => `${origin}/${encodeURIComponent(basename(path))}${search}` };
}

/** What to open: an http, https or data URL as it is, a file or file URL through the tool's server. */
export async function pageTarget(page: string): Promise<PageTarget> {
  if (/^(https?|data):/i.test(page)) {
    if (!URL.canParse(page)) throw new GpuprofError('bad-usage', `${page} is no URL`);
    return { url: () => page };
  }
  if (!/^file:/i.test(page)) return fileTarget(page, '');
  try {
    const url = new URL(page);
    return await fileTarget(fileURLToPath(url), url.search + url.hash);
  } catch (error) {
    if (error instanceof GpuprofError) throw error;
    throw new GpuprofError('bad-usage', `${page} is no file URL`, { cause: error });
  }
}
