import type { Bindings } from '../bindings.ts';
import type { Argument } from '../call.ts';
import { getOrAdd } from '../get-or-add.ts';
import { GL } from '../gl-constants.ts';
import { type BindingCommands, deleting, eachOf, ids, number, setOrDelete } from './binding-command.ts';
import { forgetAttachment } from './framebuffers.ts';

function bindTexture(b: Bindings, unit: number, target: number, texture: number): void {
  if (texture && !b.textureTargets.has(texture)) b.textureTargets.set(texture, target);
  setOrDelete(
    getOrAdd(b.textures, unit, () => new Map()),
    target,
    texture,
  );
}

/** Binds to the target the texture was made with; texture 0 unbinds every target of the unit. */
function bindTextureUnit(b: Bindings, unit: number, texture: number): void {
  if (texture === 0) b.textures.get(unit)?.clear();
  else bindTexture(b, unit, b.textureTargets.get(texture) ?? GL.TEXTURE_2D, texture);
}

function forgetTexture(b: Bindings, id: number): void {
  for (const unit of b.textures.values()) for (const [target, bound] of unit) if (bound === id) unit.delete(target);
  for (const [unit, image] of b.images) if (image.texture === id) b.images.delete(unit);
  forgetAttachment(b, 'texture', id);
}

const image =
  (unit: number, texture: number, a: readonly Argument[]) =>
  (b: Bindings): void => {
    if (texture === 0) b.images.delete(unit);
    else
      b.images.set(unit, {
        texture,
        level: number(a[2]),
        layered: Boolean(a[3]),
        layer: number(a[4]),
        access: number(a[5]),
        format: number(a[6]),
      });
  };

const readWrite = 0x88ba;

/** Textures, samplers and images, by unit. */
export const textureCommands: BindingCommands = {
  ActiveTexture: (b, a) => {
    b.activeUnit = number(a[0]) - GL.TEXTURE0;
  },
  BindTexture: (b, a) => bindTexture(b, b.activeUnit, number(a[0]), number(a[1])),
  BindMultiTexture: (b, a) => bindTexture(b, number(a[0]) - GL.TEXTURE0, number(a[1]), number(a[2])),
  BindTextureUnit: (b, a) => bindTextureUnit(b, number(a[0]), number(a[1])),
  BindTextures: (b, a) => eachOf(a[1], a[2], (id, index) => bindTextureUnit(b, number(a[0]) + index, id)),
  CreateTextures: (b, a) => {
    for (const id of ids(a[2])) b.textureTargets.set(id, number(a[0]));
  },
  TextureView: (b, a) => {
    b.textureTargets.set(number(a[0]), number(a[1]));
  },
  DeleteTextures: deleting(forgetTexture),
  BindSampler: (b, a) => setOrDelete(b.samplers, number(a[0]), number(a[1])),
  BindSamplers: (b, a) => eachOf(a[1], a[2], (id, index) => setOrDelete(b.samplers, number(a[0]) + index, id)),
  DeleteSamplers: deleting((b, id) => {
    for (const [unit, bound] of b.samplers) if (bound === id) b.samplers.delete(unit);
  }),
  BindImageTexture: (b, a) => image(number(a[0]), number(a[1]), a)(b),
  BindImageTextures: (b, a) =>
    eachOf(a[1], a[2], (id, index) => image(number(a[0]) + index, id, [0, 0, 0, 1, 0, readWrite, 0])(b)),
};
