import { GL } from '../../../model/gl-constants.ts';
import type { ObjectClass } from '../../../model/signature.ts';
import type { Chunk, Fields } from '../node.ts';
import { Inexpressible, type Translation } from '../translation.ts';
import { setFramebuffer, setPipeline, setTransformFeedback, setVertexArray } from './objects.ts';
import { setProgram } from './program.ts';
import { setSampler, setTexture } from './texture.ts';

function setBuffer(t: Translation, buffer: number, contents: Fields): void {
  const bytes = contents.bytes('BufferContents');
  if (bytes) t.withBuffer(buffer, (target) => t.call('glBufferSubData', [target, 0, bytes.length, t.data(bytes)]));
}

type Setter = (t: Translation, id: number, contents: Fields) => void;

/** By RenderDoc's name of the kind of object, in the order in which contents are set: others refer to buffers and textures. */
const setters = new Map<string, readonly [ObjectClass, Setter]>([
  ['Buffer', ['buffer', setBuffer]],
  ['Texture', ['texture', setTexture]],
  ['Sampler', ['sampler', (t, id, contents) => setSampler(t, id, contents.struct('SamplerState'))]],
  ['Program', ['program', setProgram]],
  ['ProgramPipe', ['programPipeline', setPipeline]],
  ['Framebuffer', ['framebuffer', setFramebuffer]],
  ['VertexArray', ['vertexArray', setVertexArray]],
  ['Feedback', ['transformFeedback', setTransformFeedback]],
]);

/** RenderDoc's numbers of the kinds of objects, for files that name none. */
const kinds = [
  'Unknown',
  'Special',
  'Texture',
  'Sampler',
  'Framebuffer',
  'Renderbuffer',
  'Buffer',
  'VertexArray',
  'Shader',
  'Program',
  'ProgramPipe',
  'Feedback',
];

export const contentsKind = ({ fields }: Chunk): string => kinds[fields.number('Type')] ?? 'Unknown';

/** Where the contents of a kind come in the order of setting. */
export const contentsRank = (kind: string): number => [...setters.keys()].indexOf(kind);

/** Gives one object what it had when the frame began. */
export function setInitialContents(t: Translation, chunk: Chunk): void {
  const kind = contentsKind(chunk);
  if (kind === 'Renderbuffer') return; // RenderDoc keeps none.
  const setter = setters.get(kind);
  if (!setter) throw new Inexpressible(`contents of kind ${kind} are not known`);
  const [objectClass, set] = setter;
  const resource = chunk.fields.node('id').value as number;
  // The window's framebuffer and objects that nothing made have contents too; nothing uses them.
  if (t.classOf(resource) !== objectClass) return;
  set(t, t.id(resource, objectClass), chunk.fields);
}

/** Uploads must not be taken from a buffer that the creation chunks left bound. */
export function unbindUnpackBuffer(t: Translation): void {
  if (t.bindings.buffer(GL.PIXEL_UNPACK_BUFFER) !== 0) t.call('glBindBuffer', [GL.PIXEL_UNPACK_BUFFER, 0]);
}
