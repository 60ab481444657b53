import type { WebGl2 } from '../../gl/webgl2-context.ts';

type Framebuffer = ReturnType<WebGl2['createFramebuffer']>;
type Texture = ReturnType<WebGl2['createTexture']>;

export interface ShadowTarget {
  readonly framebuffer: Framebuffer;
  readonly depth: Texture;
  readonly size: number;
}

/** A depth texture that compares when it is sampled. */
export function createShadowTarget(gl: WebGl2, size: number): ShadowTarget {
  const depth = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, depth);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, size, size);
  for (const [name, value] of [
    [gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE],
    [gl.TEXTURE_COMPARE_FUNC, gl.LEQUAL],
    [gl.TEXTURE_MIN_FILTER, gl.LINEAR],
    [gl.TEXTURE_MAG_FILTER, gl.LINEAR],
    [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE],
    [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
  ])
    gl.texParameteri(gl.TEXTURE_2D, name, value);
  const framebuffer = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, depth, 0);
  gl.drawBuffers([gl.NONE]);
  gl.readBuffer(gl.NONE);
  return { framebuffer, depth, size };
}

export interface MainTarget {
  /** Where the scene is drawn. */
  readonly framebuffer: Framebuffer;
  /** Where its samples are resolved to; null when it has one sample a pixel. */
  readonly resolved: Framebuffer | null;
  readonly color: Texture;
}

/** Half floats where they can be drawn to, and as many samples as asked for and offered. */
export function createMainTarget(gl: WebGl2, width: number, height: number, samples: number): MainTarget {
  const floats = gl.getExtension('EXT_color_buffer_float') ?? gl.getExtension('EXT_color_buffer_half_float');
  const format = floats ? gl.RGBA16F : gl.RGBA8;
  const offered = gl.getInternalformatParameter(gl.RENDERBUFFER, format, gl.SAMPLES) as Int32Array;
  const count = Math.min(samples, offered[0] ?? 0);

  const color = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, color);
  gl.texStorage2D(gl.TEXTURE_2D, 1, format, width, height);
  for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
  for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);

  const renderbuffer = (attachment: number, internalformat: number) => {
    const made = gl.createRenderbuffer();
    gl.bindRenderbuffer(gl.RENDERBUFFER, made);
    gl.renderbufferStorageMultisample(gl.RENDERBUFFER, count, internalformat, width, height);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, attachment, gl.RENDERBUFFER, made);
  };
  const withTexture = () => {
    const framebuffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, color, 0);
    return framebuffer;
  };
  if (count <= 1) {
    const framebuffer = withTexture();
    const depth = gl.createRenderbuffer();
    gl.bindRenderbuffer(gl.RENDERBUFFER, depth);
    gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT24, width, height);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, depth);
    return { framebuffer, resolved: null, color };
  }
  const framebuffer = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  renderbuffer(gl.COLOR_ATTACHMENT0, format);
  renderbuffer(gl.DEPTH_ATTACHMENT, gl.DEPTH_COMPONENT24);
  return { framebuffer, resolved: withTexture(), color };
}
