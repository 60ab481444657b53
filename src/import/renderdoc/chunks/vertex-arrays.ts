import { signatureOf } from '../../../gl/command-table.ts';
import { GL } from '../../../model/gl-constants.ts';
import { elementBytes } from '../../element-bytes.ts';
import { argumentNodes, argumentsOf, emit } from '../arguments.ts';
import { Inexpressible } from '../translation.ts';
import { type ChunkHandler, type ChunkHandlers, direct } from './handler.ts';

/** Commands on the bound vertex array: RenderDoc names it before the command's own arguments. */
const onBound =
  (name: string): ChunkHandler =>
  (t, chunk) => {
    const [array, ...rest] = argumentNodes(chunk, 1);
    t.withVertexArray(t.id(array.value, 'vertexArray'), () => emit(t, name, rest));
  };

/** Attribute pointers read the bound array buffer, which RenderDoc names too. */
const pointer =
  (name: string): ChunkHandler =>
  (t, chunk) => {
    const [array, buffer, ...rest] = argumentNodes(chunk, 2);
    const offset = rest.pop();
    if (!offset) return;
    const id = t.id(buffer.value, 'buffer');
    // Pointers into client memory mean nothing here; RenderDoc puts what a draw reads into buffers of its own.
    rest.push(id === 0 ? { ...offset, kind: 'null', value: null } : offset);
    t.withVertexArray(t.id(array.value, 'vertexArray'), () =>
      t.withBufferAt(GL.ARRAY_BUFFER, id, () => emit(t, name, rest)),
    );
  };

const elementBuffer: ChunkHandler = (t, chunk) => {
  if (t.inFrame) return direct(t, chunk);
  const [array, buffer] = argumentsOf(t, 'glVertexArrayElementBuffer', argumentNodes(chunk));
  t.withVertexArray(array as number, () => t.call('glBindBuffer', [GL.ELEMENT_ARRAY_BUFFER, buffer]));
};

/** The current value of an attribute, in one of very many forms. */
export const vertexAttrib: ChunkHandler = (t, { name, fields }) => {
  const signature = signatureOf(name);
  if (!signature) throw new Inexpressible('no GL registry knows it');
  const values = fields.find('values')?.kind === 'array' ? fields.numbers('values') : [fields.number('values')];
  let next = 0;
  const args = signature.params.map((param) => {
    if (param.name === 'index') return fields.number('index');
    if (param.name === 'type') return fields.number('type');
    if (param.name === 'normalized') return fields.number('normalized');
    if (param.type === 'data') return { kind: 'inline', bytes: elementBytes(values, param.element ?? 'f32') } as const;
    return values[next++] ?? 0;
  });
  t.call(name, args);
};

const handlers: Record<string, ChunkHandler> = {
  VertexAttribPointer: pointer('glVertexAttribPointer'),
  VertexAttribIPointer: pointer('glVertexAttribIPointer'),
  VertexAttribLPointer: pointer('glVertexAttribLPointer'),
  VertexArrayVertexAttribOffset: pointer('glVertexAttribPointer'),
  VertexArrayVertexAttribIOffset: pointer('glVertexAttribIPointer'),
  VertexArrayVertexAttribLOffset: pointer('glVertexAttribLPointer'),
  VertexArrayElementBuffer: elementBuffer,
};

/** Each command on the bound vertex array, with the names of its direct forms: GL 4.5's and EXT_direct_state_access's. */
const forms: readonly (readonly [plain: string, core: string | null, ext: string | null])[] = [
  ['VertexAttribBinding', 'VertexArrayAttribBinding', 'VertexArrayVertexAttribBinding'],
  ['VertexAttribFormat', 'VertexArrayAttribFormat', 'VertexArrayVertexAttribFormat'],
  ['VertexAttribIFormat', 'VertexArrayAttribIFormat', 'VertexArrayVertexAttribIFormat'],
  ['VertexAttribLFormat', 'VertexArrayAttribLFormat', 'VertexArrayVertexAttribLFormat'],
  ['VertexAttribDivisor', null, 'VertexArrayVertexAttribDivisor'],
  ['BindVertexBuffer', 'VertexArrayVertexBuffer', 'VertexArrayBindVertexBuffer'],
  ['BindVertexBuffers', 'VertexArrayVertexBuffers', null],
  ['VertexBindingDivisor', 'VertexArrayBindingDivisor', 'VertexArrayVertexBindingDivisor'],
];
for (const [plain, core, ext] of forms) {
  handlers[plain] = onBound(`gl${plain}`);
  if (core) handlers[core] = direct;
  if (ext) handlers[ext] = onBound(`gl${plain}`);
}
for (const verb of ['Enable', 'Disable']) {
  const bound = onBound(`gl${verb}VertexAttribArray`);
  handlers[`${verb}VertexAttribArray`] = bound;
  handlers[`${verb}VertexArrayAttrib`] = (t, chunk) => (chunk.name.endsWith('EXT') ? bound : direct)(t, chunk);
}

export const vertexArrayHandlers: ChunkHandlers = handlers;
