/** The entries of Qt's QRhiProfiler stream (Qt 5.14 to 6.2, qrhiprofiler.cpp): `op,timestamp,res,name,` and `key,value,` pairs. */

/** What a kind of entry is called, and its keys in Qt's order. A key that starts with F has a float, any other a qint64. */
export interface QrhiOp {
  readonly name: string;
  readonly keys: readonly string[];
}

/** QRhiProfiler::StreamOp by number. */
export const qrhiOps = {
  1: {
    name: 'NewBuffer',
    keys: ['type', 'usage', 'logical_size', 'effective_size', 'backing_gpu_buf_count', 'backing_cpu_buf_count'],
  },
  2: { name: 'ReleaseBuffer', keys: [] },
  3: { name: 'NewBufferStagingArea', keys: ['slot', 'size'] },
  4: { name: 'ReleaseBufferStagingArea', keys: ['slot'] },
  5: {
    name: 'NewRenderBuffer',
    keys: [
      'type',
      'width',
      'height',
      'effective_sample_count',
      'transient_backing',
      'winsys_backing',
      'approx_byte_size',
    ],
  },
  6: { name: 'ReleaseRenderBuffer', keys: [] },
  7: {
    name: 'NewTexture',
    keys: [
      'width',
      'height',
      'format',
      'owns_native_resource',
      'mip_count',
      'layer_count',
      'effective_sample_count',
      'approx_byte_size',
    ],
  },
  8: { name: 'ReleaseTexture', keys: [] },
  9: { name: 'NewTextureStagingArea', keys: ['slot', 'size'] },
  10: { name: 'ReleaseTextureStagingArea', keys: ['slot'] },
  11: {
    name: 'ResizeSwapChain',
    keys: ['width', 'height', 'buffer_count', 'msaa_buffer_count', 'effective_sample_count', 'approx_total_byte_size'],
  },
  12: { name: 'ReleaseSwapChain', keys: [] },
  13: { name: 'NewReadbackBuffer', keys: ['id', 'size'] },
  14: { name: 'ReleaseReadbackBuffer', keys: ['id'] },
  15: { name: 'GpuMemAllocStats', keys: ['real_alloc_count', 'sub_alloc_count', 'total_size', 'unused_size'] },
  16: { name: 'GpuFrameTime', keys: ['Fmin_ms_gpu_frame_time', 'Fmax_ms_gpu_frame_time', 'Favg_ms_gpu_frame_time'] },
  17: {
    name: 'FrameToFrameTime',
    keys: ['frames_since_resize', 'min_ms_frame_delta', 'max_ms_frame_delta', 'Favg_ms_frame_delta'],
  },
  18: {
    name: 'FrameBuildTime',
    keys: ['frames_since_resize', 'min_ms_frame_build', 'max_ms_frame_build', 'Favg_ms_frame_build'],
  },
} as const satisfies Readonly<Record<number, QrhiOp>>;

export type QrhiOpNumber = keyof typeof qrhiOps;

/** The port that Qt's viewer listens on, and that QSG_RHI_PROFILE_HOST means when no port is given. */
export const qrhiPort = 30667;
