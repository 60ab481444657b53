import { baseName, bindingTarget, GL } from '../../../model/gl-constants.ts';
import { argumentNodes, emit } from '../arguments.ts';
import type { Chunk, Node } from '../node.ts';
import type { Translation } from '../translation.ts';
import { type ChunkHandler, type ChunkHandlers, direct } from './handler.ts';

/** `glTexSubImage2D` for the plain, direct and MultiTex forms alike. */
const plainName = (name: string): string => `gl${baseName(name).replace(/(MultiTex|Texture|Tex)(?=[A-Z])/, 'Tex')}`;

/** GL 4.5's direct state access names the texture and no target; not for images that EXT_direct_state_access alone defines. */
const isCoreDirect = (chunk: Chunk): boolean =>
  /^gl(Compressed|Copy)?Texture(SubImage|Storage|Parameter|Buffer)/.test(chunk.name) && !chunk.name.endsWith('EXT');

const faces = Array.from({ length: 6 }, (_, index) => GL.TEXTURE_CUBE_MAP_POSITIVE_X + index);

/** Uploads from memory do not see the unpack buffer that was bound when they were recorded: none was, or its bytes were taken. */
function fromMemory(t: Translation, chunk: Chunk, action: () => void): void {
  const isOffset = chunk.fields.find('UnpackOffset') !== undefined && chunk.fields.numberOr('UnpackBufBound', 0) !== 0;
  if (isOffset) action();
  else t.withBufferAt(GL.PIXEL_UNPACK_BUFFER, 0, action);
}

/** Commands on a bound texture: RenderDoc names it before the command's own arguments. */
const onBound: ChunkHandler = (t, chunk) => {
  const [texture, target, ...rest] = argumentNodes(chunk, 2);
  const id = t.id(texture.value, 'texture');
  if (isCoreDirect(chunk)) return emit(t, chunk.name, [texture, ...rest]);
  t.withTexture(Number(target.value), id, () => emit(t, plainName(chunk.name), [target, ...rest]));
};

const storage: ChunkHandler = (t, chunk) => {
  t.textures.store(t.id(chunk.fields.node('texture').value, 'texture'));
  onBound(t, chunk);
};

/** glTexImage2DMultisample, or its immutable form: RenderDoc writes the same for both. */
const image: ChunkHandler = (t, chunk) => {
  const { fields } = chunk;
  const texture = t.id(fields.node('texture').value, 'texture');
  const [target, level] = [fields.number('target'), fields.numberOr('level', 0)];
  // Of a cube map that was only sized, RenderDoc may keep the first face's call alone; all six are meant.
  const missing =
    !t.inFrame && bindingTarget(target) === GL.TEXTURE_CUBE_MAP
      ? faces.filter((face) => !t.textures.has(texture, face, level))
      : [];
  const nodes = argumentNodes(chunk);
  const define = (at: number) => {
    t.textures.define(texture, at, level);
    const retargeted = nodes.map((node): Node => (node.name === 'target' ? { ...node, value: at } : node));
    t.withTexture(at, texture, () => emit(t, plainName(chunk.name), retargeted.slice(1)));
  };
  fromMemory(t, chunk, () => {
    for (const face of missing) if (face !== target) define(face);
    define(target);
  });
};

const subImage: ChunkHandler = (t, chunk) => fromMemory(t, chunk, () => onBound(t, chunk));

const copyImage: ChunkHandler = (t, chunk) => {
  const { fields } = chunk;
  t.textures.define(t.id(fields.node('texture').value, 'texture'), fields.number('target'), fields.number('level'));
  onBound(t, chunk);
};

/** RenderDoc notes the target also where the command has none. */
const mipmap: ChunkHandler = (t, chunk) => {
  const [texture, target] = argumentNodes(chunk, 2);
  if (chunk.name === 'glGenerateTextureMipmap') return emit(t, chunk.name, [texture]);
  t.withTexture(Number(target.value), t.id(texture.value, 'texture'), () => emit(t, 'glGenerateMipmap', [target]));
};

const GL_TEXTURE_BUFFER = 0x8c2a;

/** Buffer textures go by the bound target, as whose the chunk may name none. */
const buffer: ChunkHandler = (t, chunk) => {
  const [texture, target, ...rest] = argumentNodes(chunk, 2);
  if (isCoreDirect(chunk)) return emit(t, chunk.name, [texture, ...rest]);
  t.withTexture(GL_TEXTURE_BUFFER, t.id(texture.value, 'texture'), () =>
    emit(t, plainName(chunk.name), [{ ...target, value: GL_TEXTURE_BUFFER }, ...rest]),
  );
};

const multiTexture: ChunkHandler = (t, chunk) => {
  const [unit, target, texture] = argumentNodes(chunk, 3);
  const before = t.bindings.activeUnit + GL.TEXTURE0;
  emit(t, 'glActiveTexture', [unit]);
  emit(t, 'glBindTexture', [target, texture]);
  t.call('glActiveTexture', [before]);
};

const view: ChunkHandler = (t, chunk) => {
  t.textures.store(t.id(chunk.fields.node('texture').value, 'texture'));
  direct(t, chunk);
};

const handlers: Record<string, ChunkHandler> = {
  TexBuffer: buffer,
  TexBufferRange: buffer,
  TextureBuffer: buffer,
  TextureBufferRange: buffer,
  GenerateMipmap: mipmap,
  GenerateTextureMipmap: mipmap,
  GenerateMultiTexMipmap: mipmap,
  BindMultiTexture: multiTexture,
  TextureView: view,
};

for (const form of ['Tex', 'Texture', 'MultiTex']) {
  for (const dimensions of [1, 2, 3]) {
    handlers[`${form}Image${dimensions}D`] = image;
    handlers[`Compressed${form}Image${dimensions}D`] = image;
    handlers[`${form}SubImage${dimensions}D`] = subImage;
    handlers[`Compressed${form}SubImage${dimensions}D`] = subImage;
    handlers[`Copy${form}Image${dimensions}D`] = copyImage;
    handlers[`Copy${form}SubImage${dimensions}D`] = onBound;
    handlers[`${form}Storage${dimensions}D`] = storage;
    handlers[`${form}Storage${dimensions}DMultisample`] = storage;
    handlers[`${form}Image${dimensions}DMultisample`] = onBound;
  }
  for (const type of ['i', 'f', 'iv', 'fv', 'Iiv', 'Iuiv']) handlers[`${form}Parameter${type}`] = onBound;
}

export const textureHandlers: ChunkHandlers = handlers;
