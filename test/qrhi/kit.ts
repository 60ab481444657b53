import { QrhiUsageTally } from '../../src/analysis/qrhi/usage.ts';
import { QrhiStreamReader } from '../../src/import/qrhi/stream-reader.ts';
import type { QrhiLine } from '../../src/model/qrhi/line.ts';
import type { QrhiUsage } from '../../src/model/qrhi/usage.ts';
import { type QrhiFormatName, qrhiFormats } from '../../src/report/qrhi-usage/formats.ts';
import type { QrhiReportOptions, QrhiStreamReport } from '../../src/report/qrhi-usage/stream-report.ts';

/** Reads bytes that arrive in chunks of this many. */
export function linesOf(stream: string | Buffer, chunkBytes = 7): QrhiLine[] {
  const bytes = Buffer.from(stream as string);
  const lines: QrhiLine[] = [];
  const reader = new QrhiStreamReader((line) => lines.push(line));
  for (let at = 0; at < bytes.length; at += chunkBytes) reader.push(bytes.subarray(at, at + chunkBytes));
  reader.end();
  return lines;
}

export function usageOf(stream: string | Buffer, top = 10): QrhiUsage {
  const tally = new QrhiUsageTally(top);
  for (const line of linesOf(stream, 65536)) tally.add(line);
  return tally.figures();
}

export const reportOf = (title: string, stream: string): QrhiStreamReport => ({
  title,
  sizeBytes: Buffer.byteLength(stream),
  usage: usageOf(stream),
  notes: [],
});

/** The document of some reports. */
export function documentOf(
  name: QrhiFormatName,
  reports: readonly QrhiStreamReport[],
  options: QrhiReportOptions,
): string {
  const { begin, stream, end } = qrhiFormats[name];
  return [begin, ...reports.flatMap((report, index) => [...stream(report, index, options)]), end].join('');
}

export const buffer = (res: number | bigint, sizeBytes: number | bigint, copies = 1, name = ''): string =>
  `1,5,${res},${name},type,0,usage,1,logical_size,${sizeBytes},effective_size,${sizeBytes},` +
  `backing_gpu_buf_count,${copies},backing_cpu_buf_count,${copies === 0 ? 1 : 0},\n`;

export const texture = (res: number, sizeBytes: number, owns = 1, name = ''): string =>
  `7,6,${res},${name},width,16,height,8,format,1,owns_native_resource,${owns},mip_count,1,layer_count,1,` +
  `effective_sample_count,1,approx_byte_size,${sizeBytes},\n`;

export const renderbuffer = (res: number, sizeBytes: number): string =>
  `5,6,${res},,type,0,width,10,height,10,effective_sample_count,1,transient_backing,0,winsys_backing,0,approx_byte_size,${sizeBytes},\n`;

export const swapchain = (res: number, sizeBytes: number): string =>
  `11,7,${res},,width,10,height,10,buffer_count,2,msaa_buffer_count,0,effective_sample_count,1,approx_total_byte_size,${sizeBytes},\n`;

export const release = (op: 2 | 6 | 8 | 12, res: number | bigint): string => `${op},9,${res},,\n`;

/** A small stream with all that a program does, and what real ones do besides. */
export const smallStream = [
  buffer(100, 84, 1, 'Triangle vbuf'),
  buffer(101, 68, 0, 'Triangle ubuf'),
  '3,6,100,Triangle vbuf,slot,0,size,84,\n',
  '4,6,100,Triangle vbuf,slot,0,\n',
  texture(200, 512, 1, 'a_ b é'),
  texture(201, 4096, 0, 'imported'),
  renderbuffer(300, 400),
  renderbuffer(300, 1600),
  swapchain(400, 800),
  '13,8,200,a_ b é,id,77,size,512,\n',
  '14,9,0,,id,77,\n',
  '15,9,0,,real_alloc_count,1,sub_alloc_count,3,total_size,2000,unused_size,48,\n',
  '15,10,0,,real_alloc_count,1,sub_alloc_count,3,total_size,1000,unused_size,1048,\n',
  '17,20,400,,frames_since_resize,121,min_ms_frame_delta,2,max_ms_frame_delta,13,Favg_ms_frame_delta,5.01667,\n',
  '18,20,400,,frames_since_resize,121,min_ms_frame_build,1,max_ms_frame_build,9,Favg_ms_frame_build,0.5,\n',
  '16,21,400,,Fmin_ms_gpu_frame_time,1e-07,Fmax_ms_gpu_frame_time,2.5,Favg_ms_gpu_frame_time,0.25,\n',
  '12,22,400,,\n',
  '12,22,400,,\n',
  '2,22,100,Triangle vbuf,\n',
  '8,22,200,a_ b é,\n',
].join('');
