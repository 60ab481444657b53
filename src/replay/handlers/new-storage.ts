/** In captures of WebGL new storage holds zeros and depth 1, whatever was in the GPU's memory before. */

import type { GlContext } from '../../gl/context.ts';
import { type CopyTexImage, copyPart, partOfCopy, type ReadBox } from '../../gl/new-storage/copies.ts';
import { clearNewRenderbuffer } from '../../gl/new-storage/renderbuffers.ts';
import { clearNewImage, clearNewStorage } from '../../gl/new-storage/textures.ts';
import type { Argument, Call } from '../../model/call.ts';
import { baseName, GL } from '../../model/gl-constants.ts';
import type { Op } from '../compile/invokers.ts';
import type { ReplayState, Site } from '../compile/site.ts';

export const isWebGl = ({ manifest }: ReplayState): boolean => manifest.api.startsWith('webgl');

type Clear = () => void;

/** `TexImage2D` and `TexImage3D` without data: target, level, internal format, sizes, border, format, type. */
function image(context: GlContext, a: readonly number[], dimensions: number): Clear {
  const [width, height, depth] = [0, 1, 2].map((d) => (d < dimensions ? a[3 + d] : 1));
  const [format, type] = a.slice(4 + dimensions);
  const made = { target: a[0], level: a[1], internalFormat: a[2], format, type, width, height, depth };
  return () => clearNewImage(context, made);
}

function storage(context: GlContext, a: readonly number[], dimensions: number): Clear {
  const depth = dimensions === 3 ? a[5] : 1;
  const made = { target: a[0], levels: a[1], internalFormat: a[2], width: a[3], height: a[4], depth };
  return () => clearNewStorage(context, made);
}

function renderbuffer({ state: { context, objects, bindings } }: Site, format: number): Clear {
  const id = bindings.renderbuffer;
  return () => clearNewRenderbuffer(context, objects.names.renderbuffer[id], format);
}

const numbers = ({ args }: Call): number[] =>
  args.map((value: Argument) => (typeof value === 'object' ? 0 : Number(value)));

/** How to clear what a call makes of the bound texture; undefined for calls that make nothing, or nothing empty. */
export function clearingOf(context: GlContext, call: Call): Clear | undefined {
  const [, kind, dimensions] = /^Tex(Image|Storage)([23])D$/.exec(baseName(call.signature.name)) ?? [];
  if (kind === 'Storage') return storage(context, numbers(call), Number(dimensions));
  if (kind !== 'Image' || call.args[call.args.length - 1] !== null) return undefined;
  return image(context, numbers(call), Number(dimensions));
}

function clearOf(site: Site): Clear | undefined {
  const name = baseName(site.call.signature.name);
  const a = numbers(site.call);
  if (name === 'RenderbufferStorage') return renderbuffer(site, a[1]);
  if (name === 'RenderbufferStorageMultisample') return renderbuffer(site, a[2]);
  return clearingOf(site.state.context, site.call);
}

/** The call as it stands, and in captures of WebGL what it makes is cleared: right then, before any later bracket. */
export function withNewContents(site: Site): Op {
  const plain = site.plain();
  const clear = isWebGl(site.state) ? clearOf(site) : undefined;
  if (!clear) return plain;
  return (at) => {
    plain(at);
    clear();
  };
}

/** glCopyTexImage2D as it stands, and in captures of WebGL with zeros where it reads beyond the edges of its source. */
export function withZerosAround(site: Site): Op {
  const plain = site.plain();
  if (!isWebGl(site.state)) return plain;
  const { context, objects, bindings } = site.state;
  const args = site.args.map(Number) as unknown as CopyTexImage;
  const targets = new Map(bindings.textureTargets);
  const targetOf = (name: number) => targets.get(objects.names.texture.indexOf(name)) ?? GL.TEXTURE_2D;
  /** Sizes are the same in every run. */
  let part: ReadBox | null | undefined;
  return (at) => {
    if (part === undefined) part = partOfCopy(context, args, targetOf);
    if (part === null) plain(at);
    else copyPart(context, args, part);
  };
}
