/** What RenderDoc's own container tells without RenderDoc. */
import { GpuprofError } from '../errors.ts';
import type { RdcChunk } from '../import/renderdoc/rdc/chunks.ts';
import type { RdcFile } from '../import/renderdoc/rdc/container.ts';
import { jsonText } from '../report/json-text.ts';
import { printable } from '../report/printable.ts';

const magic = Buffer.from('RDOC');

/** Whether a file is an `.rdc` that can only be looked at, since renderdoccmd is not here to convert it. */
export async function isUnconvertible(path: string): Promise<boolean> {
  const { open, stat } = await import('node:fs/promises');
  try {
    if (!(await stat(path)).isFile()) return false;
    const file = await open(path);
    const { buffer } = await file.read(Buffer.alloc(magic.length), 0, magic.length, 0).finally(() => file.close());
    if (!buffer.equals(magic)) return false;
  } catch {
    return false; // Whoever opens it says why.
  }
  const { findRenderdoccmd } = await import('../import/renderdoc/rdc/convert.ts');
  return (await findRenderdoccmd()) === null;
}

async function withRdc<T>(path: string, use: (rdc: RdcFile) => Promise<T>): Promise<T> {
  const { openRdc } = await import('../import/renderdoc/rdc/container.ts');
  const rdc = await openRdc(path);
  try {
    return await use(rdc);
  } finally {
    await rdc.close();
  }
}

const compression = (flags: number): string => (flags & 2 ? ', LZ4' : flags & 4 ? ', Zstandard' : '');

async function chunkCounts(rdc: RdcFile): Promise<Map<string, { count: number; sizeBytes: number }>> {
  const { rdcChunks } = await import('../import/renderdoc/rdc/chunks.ts');
  const counts = new Map<string, { count: number; sizeBytes: number }>();
  for await (const { name, sizeBytes } of rdcChunks(rdc)) {
    const known = counts.get(name);
    if (known) {
      known.count++;
      known.sizeBytes += sizeBytes;
    } else counts.set(name, { count: 1, sizeBytes });
  }
  return counts;
}

/** Lines about an `.rdc`: what wrote it and where, its sections, and how many chunks of each kind its frame has. */
export function rdcInfo(path: string, format: 'table' | 'json'): Promise<string[]> {
  return withRdc(path, async (rdc) => {
    const { conversionCommand } = await import('../import/renderdoc/rdc/convert.ts');
    const { program, version, driver, machine, thumbnail, sections } = rdc;
    const counts = [...(await chunkCounts(rdc))].sort(([a, x], [b, y]) => y.count - x.count || (a < b ? -1 : 1));
    if (format === 'json') {
      const info = {
        format: 'gpuprof-rdc-info',
        version: 1,
        file: path,
        container: version,
        program,
        driver,
        machine: String(machine),
        thumbnail,
        sections,
        chunks: counts.map(([name, chunk]) => ({ name, ...chunk })),
      };
      return [jsonText(info, 2)];
    }
    const rows: (readonly [string, string])[] = [
      ['file', `${printable(path)} (RenderDoc container, version 0x${version.toString(16)})`],
      ['recorded by', printable(`RenderDoc ${program}`)],
      ['driver', printable(driver)],
      ['machine', `0x${machine.toString(16)}`],
      ['thumbnail', thumbnail ? `${thumbnail.width}x${thumbnail.height}` : 'none'],
      ...sections.map(
        (section) =>
          [
            'section',
            `${printable(section.name)}, version ${section.version}, ${section.uncompressedBytes} bytes` +
              `${compression(section.flags)}`,
          ] as const,
      ),
      ['chunks', String(counts.reduce((sum, [, { count }]) => sum + count, 0))],
      ...counts.map(([name, { count, sizeBytes }]) => [`  ${name}`, `${count}, ${sizeBytes} bytes`] as const),
      ['for more', printable(conversionCommand(path))],
    ];
    const width = Math.max(...rows.map(([label]) => label.length)) + 2;
    return rows.map(([label, value]) => label.padEnd(width) + value);
  });
}

/** Deeper groups stay where these are. */
const deepest = 40;

/** The chunks of an `.rdc` by name and length, debug groups as a tree. */
export async function* rdcDump(path: string, format: 'text' | 'json'): AsyncGenerator<string> {
  const { openRdc } = await import('../import/renderdoc/rdc/container.ts');
  const { closesGroup, groupName, rdcChunks } = await import('../import/renderdoc/rdc/chunks.ts');
  const rdc = await openRdc(path);
  try {
    let depth = 0;
    let number = 0;
    for await (const chunk of rdcChunks(rdc)) {
      number++;
      const group = groupName(chunk);
      if (closesGroup(chunk)) depth = Math.max(0, depth - 1);
      yield format === 'json' ? chunkJson(chunk, number, depth, group) : chunkText(chunk, number, depth, group);
      if (group !== null) depth++;
    }
  } finally {
    await rdc.close();
  }
}

const chunkText = ({ name, sizeBytes }: RdcChunk, number: number, depth: number, group: string | null): string =>
  `${number} ${'  '.repeat(Math.min(depth, deepest))}${name}${group === null ? '' : ` "${printable(group)}"`} ${sizeBytes} bytes`;

const chunkJson = ({ name, sizeBytes, offset }: RdcChunk, number: number, depth: number, group: string | null) =>
  jsonText({ chunk: number, name, sizeBytes, offset, depth, ...(group !== null && { group }) });

/** Of an `.rdc` there is neither a frame nor a setup to choose. */
export function refuseParts(frame: number | undefined, setup: boolean | undefined): void {
  if (frame !== undefined || setup)
    throw new GpuprofError('bad-usage', 'the chunks of an .rdc are not told apart by frame', {
      hint: 'leave --frame and --setup out, or convert it with renderdoccmd first',
    });
}
