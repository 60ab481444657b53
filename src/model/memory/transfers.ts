/** Books clears, blits, copies, uploads and mipmap generation: what they read and what they write. */
import type { Call } from '../call.ts';
import type { ActionKind } from '../event-tree.ts';
import { baseName, GL } from '../gl-constants.ts';
import { firstData, firstObject, numberNamed } from '../named-arguments.ts';
import { texelBytes } from '../texel-sizes.ts';
import { textureOf } from '../texture-shapes.ts';
import { bufferOf } from './buffers.ts';
import { intersection, type Rectangle } from './fixed-state.ts';
import type { Followers } from './followers.ts';
import { imageBytes } from './image-bytes.ts';
import type { Ledger } from './ledger.ts';
import { colorTargets, depthStencilTargets, readTarget, type Target, useClearedTargets, useTarget } from './targets.ts';

const size = (call: Call, ...names: readonly string[]): number | undefined => {
  const value = numberNamed(call, ...names);
  return value === undefined ? undefined : Math.max(0, value);
};

function useBytes(f: Followers, ledger: Ledger, buffer: number, bytes: number, part = ''): void {
  const whole = f.buffers.sizeBytes(buffer);
  if (whole > 0) ledger.use(f.buffers.role(buffer), `buffer ${buffer}`, whole, bytes, part);
}

/** Books the part of a texture's level that the command names; all of the level where it names none. */
function useRegion(f: Followers, ledger: Ledger, id: number, level: number, call: Call, side = ''): void {
  const { key, sizeBytes, levels } = f.textures.texture(id);
  const image = levels.find((each) => each.level === level);
  if (!image) return;
  const compressed = numberNamed(call, 'imageSize');
  const width = size(call, 'width', 'srcWidth');
  const region =
    width === undefined
      ? image.sizeBytes
      : image.samples *
        imageBytes({
          internalFormat: image.internalFormat,
          width,
          height: size(call, 'height', 'srcHeight') ?? 1,
          depth: size(call, 'depth', 'srcDepth') ?? 1,
        });
  const bytes = compressed ?? Math.min(region * ratio(image), image.sizeBytes);
  const target = numberNamed(call, 'target') ?? side;
  ledger.use('texture', key, sizeBytes, Math.min(bytes, image.sizeBytes), `level ${level} target ${target}`);
}

/** Unsized formats keep texels as they were uploaded, which their format alone does not tell. */
const ratio = ({ internalFormat, texelBytes: kept }: { internalFormat: number; texelBytes: number }): number => {
  const alone = imageBytes({ internalFormat, width: 1, height: 1, depth: 1 });
  return internalFormat <= 4 || (internalFormat >= GL.RED && internalFormat <= GL.LUMINANCE_ALPHA) ? kept / alone : 1;
};

function useImage(f: Followers, ledger: Ledger, call: Call, side: 'src' | 'dst'): void {
  const id = numberNamed(call, `${side}Name`) ?? 0;
  if (numberNamed(call, `${side}Target`) !== GL.RENDERBUFFER)
    useRegion(f, ledger, id, numberNamed(call, `${side}Level`) ?? 0, call, side);
  else {
    const image = f.textures.renderbuffer(id);
    const pixels = (size(call, 'srcWidth') ?? 0) * (size(call, 'srcHeight') ?? 0);
    if (image)
      ledger.use('target', `renderbuffer ${id}`, image.sizeBytes, pixels * image.texelBytes * image.samples, side);
  }
}

/** A rectangle by two corners, in either order. */
function corners(call: Call, side: 'src' | 'dst'): Rectangle {
  const [x0, x1, y0, y1] = ['X0', 'X1', 'Y0', 'Y1'].map((corner) => numberNamed(call, side + corner) ?? 0);
  return { x: Math.min(x0, x1), y: Math.min(y0, y1), width: Math.abs(x1 - x0), height: Math.abs(y1 - y0) };
}

const whole = ({ width, height }: Target): Rectangle => ({ x: 0, y: 0, width, height });

function useBlit(f: Followers, ledger: Ledger, call: Call): void {
  const named = firstObject(call, 'framebuffer') !== undefined;
  const source = named ? Number(call.args[0]) : f.bindings.readFramebuffer;
  const destination = named ? Number(call.args[1]) : f.bindings.drawFramebuffer;
  const isResolve = call.signature.name.startsWith('glResolve');
  const mask = isResolve ? GL.COLOR_BUFFER_BIT : (numberNamed(call, 'mask') ?? 0);
  const depth = (mask & GL.DEPTH_BUFFER_BIT) !== 0;
  const stencil = (mask & GL.STENCIL_BUFFER_BIT) !== 0;
  const isColor = (mask & GL.COLOR_BUFFER_BIT) !== 0;
  const read = isColor ? readTarget(f, source) : undefined;
  for (const target of [...(read ? [read] : []), ...depthStencilTargets(f, source, depth, stencil)])
    useTarget(ledger, target, isResolve ? whole(target) : intersection(whole(target), corners(call, 'src')));
  const written = isColor ? [...colorTargets(f, destination).values()] : [];
  for (const target of [...written, ...depthStencilTargets(f, destination, depth, stencil)]) {
    const region = f.state.region(target.width, target.height, false);
    useTarget(ledger, target, isResolve ? region : intersection(region, corners(call, 'dst')));
  }
}

/** What is read of the framebuffer by copies to textures and by glReadPixels. */
function useReadPixels(f: Followers, ledger: Ledger, call: Call): void {
  const target = readTarget(f, f.bindings.readFramebuffer);
  const [x, y, width, height = 1] = ['x', 'y', 'width', 'height'].map((name) => numberNamed(call, name) ?? undefined);
  const region = { x: x ?? 0, y: y ?? 0, width: width ?? 0, height };
  if (target) useTarget(ledger, target, intersection(whole(target), region));
}

/** Pixels that leave for the buffer that is bound to take them. */
function usePacked(f: Followers, ledger: Ledger, texels: number, call: Call): void {
  const bytes = texelBytes(numberNamed(call, 'format') ?? 0, numberNamed(call, 'type') ?? 0);
  useBytes(f, ledger, f.bindings.buffer(GL.PIXEL_PACK_BUFFER), bytes > 0 ? texels * bytes : Number.MAX_SAFE_INTEGER);
}

function useCopy(f: Followers, ledger: Ledger, call: Call): void {
  const name = baseName(call.signature.name);
  if (name === 'CopyImageSubData') {
    useImage(f, ledger, call, 'src');
    useImage(f, ledger, call, 'dst');
  } else if (/BufferSubData$/.test(name)) {
    const bytes = size(call, 'size') ?? 0;
    const { bindings } = f;
    useBytes(
      f,
      ledger,
      numberNamed(call, 'readBuffer') ?? bindings.buffer(numberNamed(call, 'readTarget') ?? 0),
      bytes,
      'read',
    );
    useBytes(
      f,
      ledger,
      numberNamed(call, 'writeBuffer') ?? bindings.buffer(numberNamed(call, 'writeTarget') ?? 0),
      bytes,
      'written',
    );
  } else if (/^Readn?Pixels$/.test(name)) {
    useReadPixels(f, ledger, call);
    usePacked(f, ledger, (size(call, 'width') ?? 0) * (size(call, 'height') ?? 0), call);
  } else if (name.startsWith('Get')) {
    const id = textureOf(call, f.bindings);
    const level = numberNamed(call, 'level') ?? 0;
    useRegion(f, ledger, id, level, call);
    const image = f.textures.texture(id).levels.find((each) => each.level === level);
    usePacked(f, ledger, image ? image.width * image.height * image.layers : 0, call);
  } else if (name !== 'CopyPixels') {
    useReadPixels(f, ledger, call);
    useRegion(f, ledger, textureOf(call, f.bindings), numberNamed(call, 'level') ?? 0, call);
  }
}

function useUpload(f: Followers, ledger: Ledger, call: Call): void {
  const name = baseName(call.signature.name);
  if (/Buffer(Sub)?Data$|BufferStorage$/.test(name)) {
    useBytes(f, ledger, bufferOf(call, f.bindings), size(call, 'size') ?? 0);
    return;
  }
  useRegion(f, ledger, textureOf(call, f.bindings), numberNamed(call, 'level') ?? 0, call);
  if (firstData(call)?.kind !== 'offset') return;
  const perTexel = texelBytes(numberNamed(call, 'format') ?? 0, numberNamed(call, 'type') ?? 0);
  const texels = ['width', 'height', 'depth'].reduce((product, side) => product * (size(call, side) ?? 1), 1);
  const bytes = size(call, 'imageSize') ?? texels * perTexel;
  useBytes(f, ledger, f.bindings.buffer(GL.PIXEL_UNPACK_BUFFER), bytes);
}

function useClear(f: Followers, ledger: Ledger, call: Call): void {
  const name = baseName(call.signature.name);
  if (/Tex(Sub)?Image$/.test(name))
    useRegion(f, ledger, textureOf(call, f.bindings), numberNamed(call, 'level') ?? 0, call);
  else if (/Buffer(Sub)?Data$/.test(name)) {
    const buffer = bufferOf(call, f.bindings);
    useBytes(f, ledger, buffer, size(call, 'size') ?? f.buffers.sizeBytes(buffer));
  } else {
    const framebuffer = firstObject(call, 'framebuffer') ?? f.bindings.drawFramebuffer;
    const mask = numberNamed(call, 'mask');
    const buffer = numberNamed(call, 'buffer');
    useClearedTargets(
      f,
      ledger,
      framebuffer,
      mask === undefined
        ? {
            color: buffer === GL.COLOR && (numberNamed(call, 'drawbuffer') ?? 0),
            depth: buffer === GL.DEPTH || buffer === GL.DEPTH_STENCIL,
            stencil: buffer === GL.STENCIL || buffer === GL.DEPTH_STENCIL,
          }
        : {
            color: (mask & GL.COLOR_BUFFER_BIT) !== 0,
            depth: (mask & GL.DEPTH_BUFFER_BIT) !== 0,
            stencil: (mask & GL.STENCIL_BUFFER_BIT) !== 0,
          },
    );
  }
}

/** The level that is read, and those that are made of it. */
function useMipmaps(f: Followers, ledger: Ledger, call: Call): void {
  const id = textureOf(call, f.bindings);
  const { key, sizeBytes, levels } = f.textures.texture(id);
  for (const { level, sizeBytes: bytes } of levels)
    if (level >= f.textures.baseLevel(id)) ledger.use('texture', key, sizeBytes, bytes, `level ${level}`);
}

/** Actions that define what they write to, so that sizes are known once they were followed. */
export const bookedAfter: ReadonlySet<ActionKind> = new Set(['upload', 'copy', 'mipmap']);

/** Books one action that is neither draw nor dispatch. */
export function useTransfer(f: Followers, ledger: Ledger, kind: ActionKind, call: Call): void {
  if (kind === 'clear') useClear(f, ledger, call);
  else if (kind === 'blit' || kind === 'resolve') useBlit(f, ledger, call);
  else if (kind === 'copy') useCopy(f, ledger, call);
  else if (kind === 'upload') useUpload(f, ledger, call);
  else if (kind === 'mipmap') useMipmaps(f, ledger, call);
  ledger.endAction();
}
