import { constants as c } from '../gl/webgl2/constants.ts';
import type { CaptureHead } from '../model/sink.ts';
import type { Target } from './gl-guard.ts';
import type { TextureObserver } from './observe-textures.ts';

/** Who made a capture, on what. */
export interface Producer {
  /** Name and version of the program that records. */
  readonly producer: string;
  /** Where the context comes from: `headless-gl`, `egl`, `chromium`. */
  readonly driver: string;
}

const UNMASKED_VENDOR_WEBGL = 0x9245;
const UNMASKED_RENDERER_WEBGL = 0x9246;

/** GL extensions that bring a compressed format, by the formats they bring; ETC2 is part of ES 3.0. */
const compressedFormats: readonly (readonly [string, number, number])[] = [
  ['GL_EXT_texture_compression_s3tc', 0x83f0, 0x83f3],
  ['GL_EXT_texture_compression_s3tc_srgb', 0x8c4c, 0x8c4f],
  ['GL_EXT_texture_compression_rgtc', 0x8dbb, 0x8dbe],
  ['GL_EXT_texture_compression_bptc', 0x8e8c, 0x8e8f],
  ['GL_OES_compressed_ETC1_RGB8_texture', 0x8d64, 0x8d64],
  ['GL_IMG_texture_compression_pvrtc', 0x8c00, 0x8c03],
  ['GL_KHR_texture_compression_astc_ldr', 0x93b0, 0x93bd],
  ['GL_KHR_texture_compression_astc_ldr', 0x93d0, 0x93dd],
];

/** Extensions that the textures seen so far need. Float render targets are the replay's to check when it attaches them. */
function requiredExtensions(formats: ReadonlySet<number>): string[] {
  const needed = new Set<string>();
  for (const [extension, first, last] of compressedFormats)
    for (const format of formats) if (format >= first && format <= last) needed.add(extension);
  return [...needed].sort();
}

/** The head of a capture that begins now. */
export function describeContext(
  target: Target,
  textures: TextureObserver,
  { producer, driver }: Producer,
): CaptureHead {
  const { gl, version, extensions } = target;
  const attributes = gl.getContextAttributes() ?? {};
  const text = (name: number) => String(gl.getParameter(name) ?? '');
  // Only where the program has asked for it: the recorder enables nothing.
  const unmasked = extensions.has('webgl_debug_renderer_info');
  const bound = gl.getParameter(c.FRAMEBUFFER_BINDING) as object | null;
  gl.bindFramebuffer(version === 2 ? c.DRAW_FRAMEBUFFER : c.FRAMEBUFFER, null);
  const samples = attributes.antialias ? Number(gl.getParameter(c.SAMPLES)) : 0;
  gl.bindFramebuffer(version === 2 ? c.DRAW_FRAMEBUFFER : c.FRAMEBUFFER, bound);
  const limits: [string, number][] = [
    ['GL_MAX_TEXTURE_SIZE', textures.largest],
    ['GL_MAX_3D_TEXTURE_SIZE', textures.largest3d],
    ['GL_MAX_ARRAY_TEXTURE_LAYERS', textures.layers > 1 ? textures.layers : 0],
  ];
  return {
    api: version === 2 ? 'webgl2' : 'webgl1',
    apiVersion: version === 2 ? [3, 0] : [2, 0],
    origin: {
      producer,
      driver,
      vendor: text(unmasked ? UNMASKED_VENDOR_WEBGL : c.VENDOR),
      renderer: text(unmasked ? UNMASKED_RENDERER_WEBGL : c.RENDERER),
      version: text(c.VERSION),
    },
    canvas: {
      width: gl.drawingBufferWidth,
      height: gl.drawingBufferHeight,
      alpha: attributes.alpha !== false,
      depth: attributes.depth !== false,
      stencil: Boolean(attributes.stencil),
      samples,
      preserved: Boolean(attributes.preserveDrawingBuffer),
    },
    requires: {
      extensions: requiredExtensions(textures.compressed),
      limits: Object.fromEntries(limits.filter(([, least]) => least > 0)),
    },
  };
}
