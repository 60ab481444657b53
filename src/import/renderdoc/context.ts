import { GpuprofError } from '../../errors.ts';
import { GL } from '../../model/gl-constants.ts';
import type { CaptureHead } from '../../model/sink.ts';
import type { Fields } from './node.ts';
import type { Api, Translation } from './translation.ts';

const largestSide = 16384;

/** The window of a context: "Internal::Context Configuration". */
export interface WindowParameters {
  readonly width: number;
  readonly height: number;
  readonly depth: boolean;
  readonly stencil: boolean;
  readonly alpha: boolean;
  /** 0 when not multisampled. */
  readonly samples: number;
  readonly isSrgb: boolean;
}

export function windowOf(parameters: Fields): WindowParameters {
  const [width, height] = [parameters.number('width'), parameters.number('height')];
  if (!(width >= 1 && width <= largestSide && height >= 1 && height <= largestSide))
    parameters.fault(`has a window of ${width}x${height}; at most ${largestSide} each way`);
  const samples = parameters.numberOr('multiSamples', 1);
  return {
    width,
    height,
    depth: parameters.number('depthBits') > 0,
    stencil: parameters.number('stencilBits') > 0,
    alpha: parameters.number('colorBits') >= 32,
    samples: samples > 1 ? samples : 0,
    isSrgb: parameters.numberOr('isSRGB', 0) !== 0,
  };
}

/** What GL made the capture, from the driver's name in the file and GL_VERSION. */
export function apiOf(driver: string, version: string, path: string): Api {
  if (driver !== 'OpenGL' && driver !== 'OpenGLES' && driver !== 'OpenGL ES')
    throw new GpuprofError(
      'bad-input',
      `${path} holds ${driver || 'no driver'} calls: only OpenGL and OpenGL ES can be imported`,
    );
  const es = driver !== 'OpenGL' || version.startsWith('OpenGL ES');
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? [null, es ? '3' : '4', es ? '2' : '5'];
  return {
    es,
    version: Number(major) * 10 + Number(minor),
    compatibility: !es && version.includes('Compatibility Profile'),
  };
}

/** What is known of the capture as a whole. */
export function headOf(api: Api, parameters: Fields, producer: string): Omit<CaptureHead, 'canvas'> {
  return {
    api: api.es ? 'gles' : 'gl',
    apiVersion: [Math.floor(api.version / 10), api.version % 10],
    ...(!api.es && { profile: api.compatibility ? 'compatibility' : 'core' }),
    origin: {
      producer,
      driver: api.es ? 'gles' : 'gl',
      vendor: '',
      renderer: parameters.text('renderer'),
      version: parameters.text('version'),
    },
    requires: { extensions: [], limits: {} },
  };
}

/** Framebuffers that stand for windows other than the one that is the canvas. */
export class Windows {
  readonly #known = new Map<number | bigint, number>();

  /** Makes the window's framebuffer the default one; the first window is the canvas. */
  use(t: Translation, resource: number | bigint, window: WindowParameters): void {
    let id = this.#known.get(resource);
    if (id === undefined) {
      id = this.#known.size === 0 ? 0 : makeWindow(t, window);
      this.#known.set(resource, id);
      t.alias(resource, 'framebuffer', id);
    }
    t.windowFramebuffer = id;
  }
}

const GL_RGBA8 = 0x8058;
const GL_DEPTH24_STENCIL8 = 0x88f0;

function makeWindow(t: Translation, { width, height, depth, stencil, samples }: WindowParameters): number {
  const framebuffer = t.builder.newId('framebuffer');
  t.call('glGenFramebuffers', [1, [framebuffer]]);
  t.withDrawFramebuffer(framebuffer, () => {
    const parts = [
      [GL_RGBA8, GL.COLOR_ATTACHMENT0],
      ...(depth || stencil ? [[GL_DEPTH24_STENCIL8, GL.DEPTH_STENCIL_ATTACHMENT]] : []),
    ];
    for (const [format, point] of parts) {
      const renderbuffer = t.builder.newId('renderbuffer');
      t.call('glGenRenderbuffers', [1, [renderbuffer]]);
      t.withRenderbuffer(renderbuffer, () =>
        t.call('glRenderbufferStorageMultisample', [GL.RENDERBUFFER, samples, format, width, height]),
      );
      t.call('glFramebufferRenderbuffer', [GL.DRAW_FRAMEBUFFER, point, GL.RENDERBUFFER, renderbuffer]);
    }
  });
  return framebuffer;
}
