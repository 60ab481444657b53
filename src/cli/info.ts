import { Command, Option } from 'commander';
import { aboutFile } from '../errors.ts';
import type { ActionCounts } from '../model/action-counts.ts';
import type { Canvas, Capture, Manifest } from '../model/capture.ts';
import type { DataUse, ResourceKind } from '../model/resource-kinds.ts';
import { jsonText } from '../report/json-text.ts';
import { printable } from '../report/printable.ts';

const largestShown = 10;

interface FrameInfo extends ActionCounts {
  readonly frame: number;
  readonly calls: number;
}

interface ResourceGroup {
  readonly kind: ResourceKind;
  readonly count: number;
  readonly sizeBytes: number;
}

/** What `--format json` prints. */
interface CaptureInfo {
  readonly format: 'gpuprof-info';
  readonly version: 1;
  readonly file: string;
  readonly sizeBytes: number;
  readonly capture: Pick<
    Manifest,
    'version' | 'api' | 'apiVersion' | 'profile' | 'origin' | 'canvas' | 'requires' | 'hasReference' | 'notes'
  >;
  readonly setupCalls: number;
  readonly frames: readonly FrameInfo[];
  readonly objects: Manifest['objects'];
  readonly resources: readonly ResourceGroup[];
  readonly shaders: { readonly count: number; readonly sourceBytes: number };
  readonly largest: readonly { readonly resource: number; readonly kind: ResourceKind; readonly sizeBytes: number }[];
}

function groupResources({ resources }: Manifest, { kinds }: DataUse): ResourceGroup[] {
  const groups = new Map<ResourceKind, { count: number; sizeBytes: number }>();
  for (const [index, { sizeBytes }] of resources.entries()) {
    const group = groups.get(kinds[index]) ?? { count: 0, sizeBytes: 0 };
    groups.set(kinds[index], { count: group.count + 1, sizeBytes: group.sizeBytes + sizeBytes });
  }
  return [...groups].map(([kind, group]) => ({ kind, ...group })).sort((a, b) => b.sizeBytes - a.sizeBytes);
}

async function describe(capture: Capture): Promise<CaptureInfo> {
  const { stat } = await import('node:fs/promises');
  const { ActionCounter } = await import('../model/action-counts.ts');
  const { DataUse } = await import('../model/resource-kinds.ts');
  const { manifest } = capture;
  const { version, api, apiVersion, profile, origin, canvas, requires, hasReference, notes } = manifest;
  const use = new DataUse(manifest.resources.length);
  const counter = new ActionCounter(manifest);
  const setup = await capture.setup();
  use.follow(setup);
  counter.follow(setup);
  const frames: FrameInfo[] = [];
  for (let frame = 1; frame <= manifest.frames.length; frame++) {
    const stream = await capture.frame(frame);
    use.follow(stream);
    frames.push({ frame, calls: stream.length, ...counter.count(stream) });
  }
  return {
    format: 'gpuprof-info',
    version: 1,
    file: capture.path,
    sizeBytes: (await stat(capture.path)).size,
    capture: {
      version,
      api,
      apiVersion,
      ...(profile && { profile }),
      origin,
      canvas,
      requires,
      hasReference,
      ...(notes && { notes }),
    },
    setupCalls: manifest.setup.calls,
    frames,
    objects: manifest.objects,
    resources: groupResources(manifest, use),
    shaders: { count: use.shaders, sourceBytes: use.shaderSourceBytes },
    largest: manifest.resources
      .map(({ sizeBytes }, resource) => ({ resource, kind: use.kinds[resource], sizeBytes }))
      .sort((a, b) => b.sizeBytes - a.sizeBytes || a.resource - b.resource)
      .slice(0, largestShown),
  };
}

function bytes(count: number): string {
  if (count < 1024) return `${count} bytes`;
  return count < 2 ** 20 ? `${(count / 1024).toFixed(1)} KiB` : `${(count / 2 ** 20).toFixed(1)} MiB`;
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

function canvasText({ width, height, alpha, depth, stencil, samples, preserved }: Canvas): string {
  const has = { alpha, depth, stencil, preserved };
  const parts = Object.entries(has).flatMap(([name, on]) => (on ? [name] : []));
  if (samples > 0) parts.push(`${samples} samples`);
  return [`${width}x${height}`, ...parts].join(', ');
}

function infoLines({ capture, ...info }: CaptureInfo): string[] {
  const { api, apiVersion, profile, origin, canvas, requires } = capture;
  const limits = Object.entries(requires.limits).map(([name, least]) => `${name} >= ${least}`);
  const total = info.resources.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const rows: (readonly [string, string])[] = [
    ['file', `${printable(info.file)} (${bytes(info.sizeBytes)}, capture version ${capture.version})`],
    ['API', `${api} ${apiVersion.join('.')}${profile ? ` ${profile}` : ''}`],
    ['canvas', canvasText(canvas)],
    ['recorded by', printable(`${origin.producer} on ${origin.driver}`)],
    ['recorded on', printable(`${origin.renderer} (${origin.vendor}), ${origin.version}`)],
    ['needs', [...requires.extensions, ...limits].join(', ') || 'nothing special'],
    ['reference', capture.hasReference ? 'yes' : 'no'],
    ...(capture.notes ?? []).map((note) => ['note', printable(note)] as const),
    ['setup', plural(info.setupCalls, 'call')],
  ];
  for (const { frame, calls, draws, actions } of info.frames) {
    const kinds = Object.entries(actions).map(([kind, count]) => `${count} ${kind}`);
    rows.push([`frame ${frame}`, [plural(calls, 'call'), plural(draws, 'draw')].join(', ')]);
    rows.push(['  actions', kinds.join(', ') || 'none']);
  }
  const objects = Object.entries(info.objects).map(([name, highest]) => `${highest} ${name}`);
  rows.push(['object ids', objects.join(', ') || 'none']);
  rows.push(['shaders', `${info.shaders.count}, ${bytes(info.shaders.sourceBytes)} of source`]);
  const count = info.resources.reduce((sum, group) => sum + group.count, 0);
  rows.push(['resources', `${count}, ${bytes(total)}`]);
  for (const group of info.resources) rows.push([`  ${group.kind}`, `${group.count}, ${bytes(group.sizeBytes)}`]);
  if (info.largest.length > 0) rows.push(['largest', '']);
  for (const { resource, kind, sizeBytes } of info.largest)
    rows.push([`  resource ${resource}`, `${bytes(sizeBytes)}, ${kind}`]);
  const width = Math.max(...rows.map(([label]) => label.length)) + 2;
  return rows.map(([label, value]) => (label.padEnd(width) + value).trimEnd());
}

/** `gpuprof info FILE`: what is in a capture. */
export function infoCommand(): Command {
  return new Command('info')
    .argument('<file>', 'a capture (.cap), or a file that can be imported')
    .addOption(new Option('--format <format>', 'how to print').choices(['table', 'json']).default('table'))
    .addHelpText(
      'after',
      `
Examples:
  $ gpuprof info scene.cap                 for people
  $ gpuprof info scene.cap --format json   for programs`,
    )
    .action(async (file: string, { format }: { readonly format: 'table' | 'json' }) => {
      const { openAnyCapture } = await import('./open-capture.ts');
      const { printLines } = await import('./print-lines.ts');
      const { isUnconvertible, rdcInfo } = await import('./rdc.ts');
      if (await isUnconvertible(file)) return printLines(await rdcInfo(file, format));
      const capture = await openAnyCapture(file);
      try {
        const info = await describe(capture);
        await printLines(format === 'json' ? [jsonText(info, 2)] : infoLines(info));
      } catch (error) {
        throw aboutFile(error, file);
      } finally {
        await capture.close();
      }
    });
}
