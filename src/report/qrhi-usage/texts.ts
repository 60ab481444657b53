import { type QtNumbering, qtFormatName } from '../../model/qrhi/texture-formats.ts';
import type { QrhiKind, QrhiResource } from '../../model/qrhi/usage.ts';
import { printable } from '../printable.ts';

const units = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

/** A size for people: whole bytes below 1 KiB, then one decimal. */
export function sizeText(sizeBytes: bigint): string {
  if (sizeBytes < 1024n) return `${sizeBytes} B`;
  let value = Number(sizeBytes) / 1024;
  let unit = 0;
  while (value >= 1023.95 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}

/** Milliseconds with six significant digits, as many as the stream has of an average. */
export const msText = (ms: number): string => String(Number(ms.toPrecision(6)));

export const plural = (count: number | bigint, word: string): string =>
  `${count} ${word}${`${count}` === '1' ? '' : 's'}`;

/** Kinds as the rows of a table name them. */
export const kindLabels: Readonly<Record<QrhiKind, string>> = {
  buffer: 'buffers',
  renderbuffer: 'renderbuffers',
  texture: 'textures',
  swapchain: 'swapchains',
  'buffer staging': 'staging of buffers',
  'texture staging': 'staging of textures',
  readback: 'readbacks',
};

const bufferTypes = ['immutable', 'static', 'dynamic'];
const bufferUsages = ['vertex', 'index', 'uniform', 'storage'];
const usageBits = [1n, 2n, 4n, 8n];

function bufferText({
  type,
  usage,
  backing_gpu_buf_count: gpu,
  backing_cpu_buf_count: cpu,
}: QrhiResource['values']): string {
  const parts: string[] = [];
  if (type !== undefined) parts.push(bufferTypes[Number(type)] ?? `type ${type}`);
  if (usage !== undefined) {
    const names = bufferUsages.filter((_, index) => (usage & usageBits[index]) !== 0n);
    parts.push(names.length > 0 ? names.join('+') : `usage ${usage}`);
  }
  if (gpu !== undefined && gpu > 1n) parts.push(`${gpu} copies`);
  if (gpu === 0n && cpu !== undefined && cpu > 0n) parts.push('on the CPU only');
  return parts.join(' ');
}

function imageText(values: QrhiResource['values'], qt: QtNumbering): string {
  const { width, height, format, type, mip_count: mips, layer_count: layers, effective_sample_count: samples } = values;
  const parts: string[] = [];
  if (width !== undefined && height !== undefined) parts.push(`${width}x${height}`);
  if (format !== undefined)
    parts.push(qtFormatName(format, qt) ?? (format === 0n ? 'unknown format' : `format ${format}`));
  if (type !== undefined) parts.push(type === 0n ? 'depth-stencil' : type === 1n ? 'color' : `type ${type}`);
  if (mips !== undefined && mips > 1n) parts.push(`${mips} mips`);
  if (layers !== undefined && layers > 1n) parts.push(`${layers} layers`);
  if (samples !== undefined && samples > 1n) parts.push(`${samples} samples`);
  if (values.buffer_count !== undefined) parts.push(plural(values.buffer_count, 'buffer'));
  if (values.owns_native_resource === 0n) parts.push('not its own');
  if (values.transient_backing === 1n) parts.push('transient');
  if (values.winsys_backing === 1n) parts.push("the window's");
  return parts.join(' ');
}

/** What a resource is, from the values of its line; `qt` is how its stream numbers texture formats. */
export function shapeText({ kind, values }: QrhiResource, qt: QtNumbering): string {
  if (kind === 'buffer') return bufferText(values);
  if (kind === 'buffer staging' || kind === 'texture staging') return `slot ${values.slot}`;
  if (kind === 'readback') return `id ${values.id}`;
  return imageText(values, qt);
}

export const nameText = ({ name }: QrhiResource): string => printable(name);
