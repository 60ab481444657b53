/**
 * The Qt textures that a GL texture is written as. Qt's have one level or all, one layer or a cube's six, and a size in
 * bytes that follows from that. Any other texture (an array, a volume, a part of a chain, levels that do not fit) is
 * written level by level, the layers of one below each other: the bytes stay exact.
 */
import { GL } from '../gl-constants.ts';
import type { TextureImage, TextureResource } from '../life/resource.ts';
import { blockOf } from '../texture-formats.ts';
import type { QtTexture } from './resource-values.ts';
import { type QtNumbering, qtImageBytes, qtTextureFormat } from './texture-formats.ts';

export interface TexturePart {
  /** Unique within the texture. */
  readonly part: number;
  readonly name: string;
  /** The levels in it, the first and the last. */
  readonly levels: readonly [number, number];
  readonly texture: QtTexture;
}

/** Images of one level that are alike: layers of one image, as many as their depths come to. */
interface LevelImages {
  readonly image: TextureImage;
  layers: number;
  faces: number;
}

const isFace = (target: number): boolean =>
  target >= GL.TEXTURE_CUBE_MAP_POSITIVE_X && target <= GL.TEXTURE_CUBE_MAP_NEGATIVE_Z;

const alike = (a: TextureImage, b: TextureImage): boolean =>
  a.level === b.level &&
  a.width === b.width &&
  a.height === b.height &&
  a.internalFormat === b.internalFormat &&
  a.format === b.format &&
  a.type === b.type;

function gather(images: readonly TextureImage[]): LevelImages[] {
  const groups: LevelImages[] = [];
  for (const image of images) {
    let group = groups.find((other) => alike(other.image, image));
    if (!group) {
      group = { image, layers: 0, faces: 0 };
      groups.push(group);
    }
    group.layers += Math.max(0, image.depth);
    if (isFace(image.target)) group.faces++;
  }
  return groups;
}

const isCube = ({ image, layers, faces }: LevelImages): boolean =>
  faces === 6 && layers === 6 && image.width === image.height;
const layersOf = (group: LevelImages): number => (isCube(group) ? 6 : group.layers);
const fullChain = (width: number, height: number): number => 32 - Math.clz32(Math.max(1, width, height));

/** Whether the groups are the levels of one Qt texture. */
function isOneTexture(groups: readonly LevelImages[]): boolean {
  const [first] = groups;
  const { image } = first;
  const layers = layersOf(first);
  if (image.level !== 0 || (layers !== 1 && !isCube(first))) return false;
  if (groups.length !== 1 && groups.length !== fullChain(image.width, image.height)) return false;
  return groups.every(
    (group, level) =>
      group.image.level === level &&
      layersOf(group) === layers &&
      group.image.internalFormat === image.internalFormat &&
      group.image.format === image.format &&
      group.image.type === image.type &&
      (level === 0 ||
        (group.image.width === Math.max(1, image.width >> level) &&
          group.image.height === Math.max(1, image.height >> level))),
  );
}

/** Layers below each other, each beginning at a whole block. */
function stackedHeight({ image, layers }: LevelImages): number {
  const blockHeight = blockOf(image.internalFormat)?.[1] ?? 1;
  return layers === 1 ? image.height : Math.ceil(image.height / blockHeight) * blockHeight * layers;
}

/** The parts of a texture, at least one unless it has no images. */
export function textureParts(texture: TextureResource, numbering: QtNumbering): TexturePart[] {
  const groups = gather(texture.images);
  const samples = Math.max(1, texture.samples);
  const one = (members: readonly LevelImages[], layers: number, height: number): QtTexture => {
    const { image } = members[0];
    const eachBytes = (group: LevelImages): number =>
      layers * qtImageBytes(image, group.image.width, members.length === 1 ? height : group.image.height);
    return {
      width: image.width,
      height,
      format: qtTextureFormat(image, numbering),
      owns: texture.owns,
      mips: members.length,
      layers,
      samples,
      sizeBytes: members.reduce((sum, group) => sum + eachBytes(group), 0) * samples,
    };
  };
  if (groups.length === 0) return [];
  if (isOneTexture(groups)) {
    const { image } = groups[0];
    const levels = [0, groups.length - 1] as const;
    return [{ part: 0, name: texture.name, levels, texture: one(groups, layersOf(groups[0]), image.height) }];
  }
  return groups.map((group, part) => {
    const { level } = group.image;
    const shape = isCube(group) ? one([group], 6, group.image.height) : one([group], 1, stackedHeight(group));
    return { part, name: `${texture.name} level ${level}`, levels: [level, level], texture: shape };
  });
}
