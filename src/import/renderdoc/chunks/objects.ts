import type { ObjectClass } from '../../../model/signature.ts';
import type { Translation } from '../translation.ts';
import { type ChunkHandler, type ChunkHandlers, direct } from './handler.ts';

const plurals: Readonly<Record<string, ObjectClass>> = {
  Buffers: 'buffer',
  Framebuffers: 'framebuffer',
  ProgramPipelines: 'programPipeline',
  Queries: 'query',
  Renderbuffers: 'renderbuffer',
  Samplers: 'sampler',
  Textures: 'texture',
  TransformFeedbacks: 'transformFeedback',
  VertexArrays: 'vertexArray',
};

/** RenderDoc writes one chunk for each object that a command made. */
const make =
  (objectClass: ObjectClass): ChunkHandler =>
  (t, { name, fields }) => {
    const id = t.define(fields.first('ResourceId').value as number, objectClass);
    t.call(name, fields.find('target') ? [fields.number('target'), 1, [id]] : [1, [id]]);
  };

const makeHandlers: Record<string, ChunkHandler> = {};
for (const [plural, objectClass] of Object.entries(plurals)) {
  makeHandlers[`Gen${plural}`] = make(objectClass);
  makeHandlers[`Create${plural}`] = make(objectClass);
}

/** What glObjectLabel calls an object of each class. */
const identifiers: Partial<Record<ObjectClass, number>> = {
  buffer: 0x82e0,
  shader: 0x82e1,
  program: 0x82e2,
  query: 0x82e3,
  programPipeline: 0x82e4,
  sampler: 0x82e6,
  texture: 0x1702,
  vertexArray: 0x8074,
  transformFeedback: 0x8e22,
  renderbuffer: 0x8d41,
  framebuffer: 0x8d40,
};

const label: ChunkHandler = (t, { fields }) => {
  const resource = fields.node('Resource').value as number;
  const objectClass = t.classOf(resource);
  const identifier = objectClass && identifiers[objectClass];
  if (identifier === undefined) return;
  const text = fields.text('Label');
  if (text === 'Default VAO' && t.defaultVertexArray === 0) t.defaultVertexArray = t.id(resource, objectClass);
  t.call('glObjectLabel', [identifier, t.id(resource, objectClass), -1, text]);
};

const push: ChunkHandler = (t, { fields }) => {
  t.groups++;
  t.call('glPushDebugGroup', [fields.number('source'), fields.number('id'), -1, fields.text('message')]);
};

/** A group that was opened before the capture began has no beginning here. */
const pop: ChunkHandler = (t) => {
  if (t.groups === 0) return;
  t.groups--;
  t.call('glPopDebugGroup', []);
};

const GL_DEBUG_SOURCE_APPLICATION = 0x824a;
const GL_DEBUG_TYPE_MARKER = 0x8268;
const GL_DEBUG_SEVERITY_NOTIFICATION = 0x826b;

function message(t: Translation, source: number, type: number, id: number, severity: number, text: string): void {
  t.call('glDebugMessageInsert', [source, type, id, severity, -1, text]);
}

const insertMarker: ChunkHandler = (t, { fields }) =>
  message(
    t,
    GL_DEBUG_SOURCE_APPLICATION,
    GL_DEBUG_TYPE_MARKER,
    0,
    GL_DEBUG_SEVERITY_NOTIFICATION,
    fields.text('marker'),
  );

const insertMessage: ChunkHandler = (t, { fields: f }) =>
  message(t, f.number('source'), f.number('type'), f.number('id'), f.number('severity'), f.text('name'));

const fence: ChunkHandler = (t, { fields }) => {
  const id = t.define(fields.node('sync').value as number, 'sync');
  t.call('glFenceSync', [fields.number('condition'), fields.number('flags')], id);
};

export const objectHandlers: ChunkHandlers = {
  ...makeHandlers,
  ObjectLabel: label,
  LabelObject: label,
  ObjectPtrLabel: label,
  PushDebugGroup: push,
  PushGroupMarker: push,
  PopDebugGroup: pop,
  PopGroupMarker: pop,
  InsertEventMarker: insertMarker,
  StringMarkerGREMEDY: insertMarker,
  DebugMessageInsert: insertMessage,
  FenceSync: fence,
  ClientWaitSync: direct,
};
