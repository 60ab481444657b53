import type { Material, Texture, TextureInfo } from '@gltf-transform/core';
import type { EmissiveStrength, PBRSpecularGlossiness, Transform, Transmission } from '@gltf-transform/extensions';
import type { PrimitiveShape } from './geometry.ts';
import type { units } from './programs.ts';

type SlotName = 'baseColor' | 'metallicRoughness' | 'normal' | 'occlusion' | 'emissive';

/** A texture that a material samples in this primitive. */
export interface TextureSlot {
  readonly unit: keyof typeof units;
  readonly transformName: string;
  readonly texture: Texture;
  readonly info: TextureInfo;
  readonly isColor: boolean;
  /** Column-major 3x3 for texture coordinates. */
  readonly transform: readonly number[];
}

/** A material as the shader wants it, for one primitive. */
export interface Surface {
  readonly name: string;
  readonly defines: readonly string[];
  readonly slots: readonly TextureSlot[];
  readonly isBlended: boolean;
  readonly isMasked: boolean;
  readonly isDoubleSided: boolean;
  readonly baseColor: readonly number[];
  readonly metallicRoughness: readonly [number, number];
  readonly emissive: readonly number[];
  readonly alphaCutoff: number;
  readonly normalScale: number;
  readonly occlusionStrength: number;
}

const TRIANGLES = 4;

/** The older way to describe a material, drawn as a dielectric with its colour. */
const glossinessOf = (material: Material | null): PBRSpecularGlossiness | null =>
  material?.getExtension<PBRSpecularGlossiness>('KHR_materials_pbrSpecularGlossiness') ?? null;

/** Source: KHR_texture_transform: offset, rotation (anticlockwise in image space), scale. */
function transformOf(transform: Transform | null): readonly number[] {
  if (!transform) return [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const [x, y] = transform.getOffset();
  const [sx, sy] = transform.getScale();
  const cosine = Math.cos(transform.getRotation());
  const sine = Math.sin(transform.getRotation());
  return [cosine * sx, -sine * sx, 0, sine * sy, cosine * sy, 0, x, y, 1];
}

function slotsOf(material: Material, shape: PrimitiveShape): { slots: TextureSlot[]; defines: string[] } {
  const slots: TextureSlot[] = [];
  const defines: string[] = [];
  const add = (name: SlotName, texture: Texture | null, info: TextureInfo | null, isColor: boolean) => {
    if (!texture || !info) return;
    const transform = info.getExtension<Transform>('KHR_texture_transform');
    const set = transform?.getTexCoord() ?? info.getTexCoord();
    if (set > 1 || !shape.attributes.has(set === 0 ? 'TEXCOORD_0' : 'TEXCOORD_1')) return;
    const upper = name.replace(/[A-Z]/g, '_$&').toUpperCase();
    defines.push(`${upper}_UV texCoord${set}`);
    slots.push({
      unit: `${name}Texture`,
      transformName: `${name}Transform`,
      texture,
      info,
      isColor,
      transform: transformOf(transform),
    });
  };
  const glossiness = glossinessOf(material);
  if (glossiness) add('baseColor', glossiness.getDiffuseTexture(), glossiness.getDiffuseTextureInfo(), true);
  else add('baseColor', material.getBaseColorTexture(), material.getBaseColorTextureInfo(), true);
  if (material.getExtension('KHR_materials_unlit')) return { slots, defines };
  if (!glossiness)
    add('metallicRoughness', material.getMetallicRoughnessTexture(), material.getMetallicRoughnessTextureInfo(), false);
  add('normal', material.getNormalTexture(), material.getNormalTextureInfo(), false);
  add('occlusion', material.getOcclusionTexture(), material.getOcclusionTextureInfo(), false);
  add('emissive', material.getEmissiveTexture(), material.getEmissiveTextureInfo(), true);
  return { slots, defines };
}

/** The textures a material may sample, for decoding. */
export function texturesOf(material: Material): Texture[] {
  const textures = [
    glossinessOf(material)?.getDiffuseTexture() ?? null,
    material.getBaseColorTexture(),
    material.getMetallicRoughnessTexture(),
    material.getNormalTexture(),
    material.getOcclusionTexture(),
    material.getEmissiveTexture(),
  ];
  return textures.filter((texture) => texture !== null);
}

/** What `material` (glTF's default when null) means for a primitive; `name` is shown when the material has none. */
export function surfaceOf(material: Material | null, shape: PrimitiveShape, name: string): Surface {
  const { slots, defines } = material ? slotsOf(material, shape) : { slots: [], defines: [] };
  const isMasked = material?.getAlphaMode() === 'MASK';
  // Without refraction, what lets light through is best shown as see-through.
  const transmission = material?.getExtension<Transmission>('KHR_materials_transmission')?.getTransmissionFactor() ?? 0;
  const isBlended = material?.getAlphaMode() === 'BLEND' || (transmission > 0 && !isMasked);
  const hasNormal = shape.attributes.has('NORMAL');
  if (material?.getExtension('KHR_materials_unlit') || (shape.mode < TRIANGLES && !hasNormal)) defines.push('UNLIT');
  if (isMasked) defines.push('ALPHA_MASK');
  if (material?.getDoubleSided()) defines.push('DOUBLE_SIDED');
  const strength =
    material?.getExtension<EmissiveStrength>('KHR_materials_emissive_strength')?.getEmissiveStrength() ?? 1;
  const glossiness = glossinessOf(material);
  const baseColor = [...(glossiness?.getDiffuseFactor() ?? material?.getBaseColorFactor() ?? [1, 1, 1, 1])];
  baseColor[3] *= 1 - 0.75 * transmission;
  return {
    name: material?.getName() || name,
    defines,
    slots,
    isBlended,
    isMasked,
    isDoubleSided: material?.getDoubleSided() ?? false,
    baseColor,
    metallicRoughness: glossiness
      ? [0, 1 - glossiness.getGlossinessFactor()]
      : [material?.getMetallicFactor() ?? 1, material?.getRoughnessFactor() ?? 1],
    emissive: (material?.getEmissiveFactor() ?? [0, 0, 0]).map((value) => value * strength),
    alphaCutoff: material?.getAlphaCutoff() ?? 0.5,
    normalScale: material?.getNormalScale() ?? 1,
    occlusionStrength: material?.getOcclusionStrength() ?? 1,
  };
}
