import type { WebGl2 } from '../../gl/webgl2-context.ts';
import type { Item } from './items.ts';
import { determinant3 } from './math.ts';
import { type Program, units } from './programs.ts';
import type { TextureStore } from './textures.ts';

/** Draws items, setting only what differs from the draw before. */
export class Drawer {
  readonly #gl: WebGl2;
  readonly #textures: TextureStore;
  #program: Program | null = null;
  #cull: boolean | null = null;
  #mirrored: boolean | null = null;

  constructor(gl: WebGl2, textures: TextureStore) {
    this.#gl = gl;
    this.#textures = textures;
  }

  /** Forgets what is set; state may have changed since the last draw. */
  reset(): void {
    this.#program = null;
    this.#cull = null;
    this.#mirrored = null;
  }

  #use(program: Program): void {
    if (this.#program === program) return;
    this.#program = program;
    this.#gl.useProgram(program.handle);
  }

  #faces(item: Item): void {
    const gl = this.#gl;
    const cull = !item.surface.isDoubleSided;
    if (cull !== this.#cull) (cull ? gl.enable : gl.disable)(gl.CULL_FACE);
    this.#cull = cull;
    const mirrored = determinant3(item.posed.world) < 0;
    if (mirrored !== this.#mirrored) gl.frontFace(mirrored ? gl.CW : gl.CCW);
    this.#mirrored = mirrored;
  }

  #bindTextures(item: Item, program: Program): void {
    const gl = this.#gl;
    for (const slot of item.surface.slots) {
      if (!program.location(slot.unit)) continue;
      gl.activeTexture(gl.TEXTURE0 + units[slot.unit]);
      gl.bindTexture(gl.TEXTURE_2D, this.#textures.texture(slot.texture, slot.isColor));
      gl.bindSampler(units[slot.unit], this.#textures.sampler(slot.info));
      gl.uniformMatrix3fv(program.location(slot.transformName), false, slot.transform);
    }
  }

  draw(item: Item, program: Program): void {
    const gl = this.#gl;
    const { surface, drawable, joints, posed } = item;
    this.#use(program);
    this.#faces(item);
    this.#bindTextures(item, program);
    if (joints) {
      gl.activeTexture(gl.TEXTURE0 + units.jointMatrices);
      gl.bindTexture(gl.TEXTURE_2D, joints);
    } else gl.uniformMatrix4fv(program.location('world'), false, posed.world);
    gl.uniform4fv(program.location('baseColorFactor'), surface.baseColor);
    gl.uniform2fv(program.location('metallicRoughnessFactor'), surface.metallicRoughness);
    gl.uniform3fv(program.location('emissiveFactor'), surface.emissive);
    gl.uniform1f(program.location('alphaCutoff'), surface.alphaCutoff);
    gl.uniform1f(program.location('normalScale'), surface.normalScale);
    gl.uniform1f(program.location('occlusionStrength'), surface.occlusionStrength);

    gl.bindVertexArray(drawable.vertexArray);
    const { mode, count, indexType } = drawable;
    if (item.instanceCount !== null) {
      if (indexType) gl.drawElementsInstanced(mode, count, indexType, 0, item.instanceCount);
      else gl.drawArraysInstanced(mode, 0, count, item.instanceCount);
    } else if (indexType) gl.drawElements(mode, count, indexType, 0);
    else gl.drawArrays(mode, 0, count);
  }
}
