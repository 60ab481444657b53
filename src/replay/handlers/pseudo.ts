/** The calls of src/gl/registry/pseudo-lines.ts. */
import { GpuprofError } from '../../errors.ts';
import { Scratch } from '../../gl/native.ts';
import type { Argument, DataArgument } from '../../model/call.ts';
import { GL } from '../../model/gl-constants.ts';
import { texelBytes } from '../../model/texel-sizes.ts';
import { dataAddress, type Handler, type Site } from '../compile/site.ts';
import { drawImage } from '../restore/image-draw.ts';

const GL_SHADER_STORAGE_BLOCK = 0x92e6;

const n = (value: Argument): number => Math.max(0, Number(value));

/** Pixels in arguments `first` (width) and following: width, height, format, type, data. */
function pixels(site: Site, first: number) {
  const [width, height, format, type] = site.args.slice(first, first + 4).map(n);
  const data = site.args[first + 4] as DataArgument;
  const length = data?.kind === 'inline' ? data.bytes.byteLength : data?.kind === 'resource' ? data.byteLength : 0;
  const bytes = texelBytes(format, type);
  if (bytes === 0 || length < width * height * bytes)
    throw new GpuprofError(
      'bad-capture',
      `${site.call.signature.name} has ${length} bytes for ${width}x${height} pixels`,
    );
  return { width, height, format, type, address: dataAddress(site, first + 4), memory: undefined as unknown };
}

/** The same pixels with the top row first. */
function upsideDown(site: Site, data: number, image: ReturnType<typeof pixels>): ReturnType<typeof pixels> {
  const { width, height, format, type } = image;
  const rowBytes = width * texelBytes(format, type);
  const bytes = site.memory.bytesOf(site.args[data]);
  const flipped = new Scratch(Math.max(1, rowBytes * height));
  for (let row = 0; row < height; row++)
    flipped.u8.set(bytes.subarray(row * rowBytes, (row + 1) * rowBytes), (height - 1 - row) * rowBytes);
  return { ...image, address: flipped.address, memory: flipped };
}

const canvasContents: Handler = (site) => {
  const { context, canvas } = site.state;
  const given = pixels(site, 1);
  const image = canvas.isFlipped ? upsideDown(site, 5, given) : given;
  const aspect = n(site.args[0]);
  const renderbuffer = aspect === GL.COLOR ? canvas.color : canvas.depthStencil;
  return () => drawImage(context, renderbuffer, aspect, image);
};

const renderbufferContents: Handler = (site) => {
  const { context, objects } = site.state;
  const image = pixels(site, 2);
  const id = n(site.args[0]);
  return () => drawImage(context, objects.names.renderbuffer[id], n(site.args[1]), image);
};

const canvasSize: Handler = ({ state, args }) => {
  const { canvas, context, objects, bindings } = state;
  const [draw, read] = [bindings.drawFramebuffer, bindings.readFramebuffer];
  return () => {
    canvas.resize(n(args[0]), n(args[1]));
    context.gl.glBindFramebuffer(GL.DRAW_FRAMEBUFFER, objects.names.framebuffer[draw]);
    context.gl.glBindFramebuffer(GL.READ_FRAMEBUFFER, objects.names.framebuffer[read]);
  };
};

/** By name: the index of a block may differ between drivers. */
const uniformBlockBinding: Handler = ({ state, args }) => {
  const { gl, scratch } = state.context;
  const id = n(args[0]);
  return () => {
    const program = state.objects.names.program[id];
    const index = gl.glGetUniformBlockIndex(program, scratch.cString(String(args[1])));
    if (index !== 0xffffffff) gl.glUniformBlockBinding(program, index, n(args[2]));
  };
};

/** By name, as for uniform blocks. */
const storageBlockBinding: Handler = ({ state, args }) => {
  const { gl, scratch } = state.context;
  const id = n(args[0]);
  return () => {
    const program = state.objects.names.program[id];
    const index = gl.glGetProgramResourceIndex(program, GL_SHADER_STORAGE_BLOCK, scratch.cString(String(args[1])));
    if (index !== 0xffffffff) gl.glShaderStorageBlockBinding(program, index, n(args[2]));
  };
};

export const pseudoHandlers: Readonly<Record<string, Handler>> = {
  gpuprofCanvasContents: canvasContents,
  gpuprofRenderbufferContents: renderbufferContents,
  gpuprofCanvasSize: canvasSize,
  gpuprofShaderStorageBlockBinding: storageBlockBinding,
  gpuprofUniformBlockBinding: uniformBlockBinding,
};
