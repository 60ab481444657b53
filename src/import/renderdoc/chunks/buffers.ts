import { argumentNodes, argumentsOf, emit } from '../arguments.ts';
import type { Fields } from '../node.ts';
import { type ChunkHandler, type ChunkHandlers, direct, isDirect } from './handler.ts';

const GL_DYNAMIC_STORAGE_BIT = 0x100;
/** Reading, writing and keeping mapped: no capture maps. */
const mapBits = 0x1 | 0x2 | 0x40 | 0x80;

/** Commands on a bound buffer: RenderDoc names the buffer in place of its target. */
const onTarget =
  (name: string): ChunkHandler =>
  (t, chunk) => {
    const [buffer, ...rest] = argumentNodes(chunk, 1);
    t.withBuffer(t.id(buffer.value, 'buffer'), (target) =>
      emit(t, name, [{ ...buffer, kind: 'enum', value: target }, ...rest]),
    );
  };

const onTargetOrNamed =
  (name: string): ChunkHandler =>
  (t, chunk) =>
    isDirect(chunk) && chunk.name.startsWith('glNamed') ? direct(t, chunk) : onTarget(name)(t, chunk);

/** What a buffer is made of: its size, and as many bytes, or none. */
function contents(fields: Fields): { readonly size: number; readonly bytes: Uint8Array | null } {
  const [size, bytes] = [fields.number('bytesize'), fields.bytes('data')];
  if (bytes && bytes.length < size) fields.fault(`has ${bytes.length} bytes for a buffer of ${size}`);
  return { size, bytes };
}

const bufferData: ChunkHandler = (t, chunk) => {
  const { fields } = chunk;
  const { size, bytes } = contents(fields);
  const [data, usage] = [t.data(bytes), fields.number('usage')];
  const buffer = t.id(fields.node('buffer').value, 'buffer');
  if (isDirect(chunk) && chunk.name.startsWith('glNamed')) t.call('glNamedBufferData', [buffer, size, data, usage]);
  else t.withBuffer(buffer, (target) => t.call('glBufferData', [target, size, data, usage]));
};

/** What was written through mappings is uploaded instead, which immutable storage has to allow. */
const bufferStorage: ChunkHandler = (t, { fields }) => {
  const flags = (fields.number('flags') & ~mapBits) | GL_DYNAMIC_STORAGE_BIT;
  const { size, bytes } = contents(fields);
  const data = t.data(bytes);
  t.withBuffer(t.id(fields.node('buffer').value, 'buffer'), (target) =>
    t.call('glBufferStorage', [target, size, data, flags]),
  );
};

const copy: ChunkHandler = (t, chunk) => {
  if (chunk.name === 'glCopyNamedBufferSubData') return direct(t, chunk);
  const [read, write, ...rest] = argumentsOf(t, 'glCopyNamedBufferSubData', argumentNodes(chunk));
  t.withBuffer(read as number, (from) => {
    const GL_COPY_READ_BUFFER = 0x8f36;
    if (read === write) return t.call('glCopyBufferSubData', [from, from, ...rest]);
    const to = (target: number) => t.call('glCopyBufferSubData', [from, target, ...rest]);
    const isTaken = t.bindings.buffer(from) !== read;
    t.withBuffer(write as number, (target) => {
      if (target !== from && !isTaken) return to(target);
      t.withBufferAt(GL_COPY_READ_BUFFER, read as number, () =>
        t.call('glCopyBufferSubData', [GL_COPY_READ_BUFFER, target, ...rest]),
      );
    });
  });
};

/** Bytes written through a mapping. */
function written(t: Parameters<ChunkHandler>[0], resource: number, offset: number, bytes: Uint8Array | null): void {
  if (bytes === null) return;
  t.withBuffer(t.id(resource, 'buffer'), (target) =>
    t.call('glBufferSubData', [target, offset, bytes.length, t.data(bytes)]),
  );
}

const unmap: ChunkHandler = (t, { fields }) => {
  const [from, to] = [fields.number('diffStart'), fields.number('diffEnd')];
  if (to <= from) return;
  const bytes = fields.bytes('MapWrittenData');
  const length = Math.min(to - from, bytes?.length ?? 0);
  written(t, fields.node('buffer').value as number, fields.number('offset') + from, bytes?.subarray(0, length) ?? null);
};

const flush: ChunkHandler = (t, { fields }) =>
  written(
    t,
    fields.node('buffer').value as number,
    fields.numberOr('MapOffset', 0) + fields.number('offset'),
    fields.bytes('FlushedData'),
  );

export const bufferHandlers: ChunkHandlers = {
  BufferData: bufferData,
  NamedBufferData: bufferData,
  BufferStorage: bufferStorage,
  NamedBufferStorage: bufferStorage,
  BufferSubData: onTarget('glBufferSubData'),
  NamedBufferSubData: onTargetOrNamed('glBufferSubData'),
  CopyBufferSubData: copy,
  CopyNamedBufferSubData: copy,
  NamedCopyBufferSubData: copy,
  UnmapBuffer: unmap,
  UnmapNamedBuffer: unmap,
  FlushMappedBufferRange: flush,
  FlushMappedNamedBufferRange: flush,
  ClearBufferData: onTarget('glClearBufferData'),
  ClearBufferSubData: onTarget('glClearBufferSubData'),
  ClearNamedBufferData: (t, chunk) => (isDirect(chunk) ? direct(t, chunk) : onTarget('glClearBufferData')(t, chunk)),
  ClearNamedBufferSubData: (t, chunk) =>
    isDirect(chunk) ? direct(t, chunk) : onTarget('glClearBufferSubData')(t, chunk),
};
