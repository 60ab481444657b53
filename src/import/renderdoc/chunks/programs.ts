import { signatureOf } from '../../../gl/command-table.ts';
import { elementBytes } from '../../element-bytes.ts';
import type { BlockKind } from '../program-facts.ts';
import { Inexpressible } from '../translation.ts';
import { type ChunkHandler, type ChunkHandlers, direct } from './handler.ts';

const createShader: ChunkHandler = (t, { fields }) => {
  const id = t.define(fields.first('ResourceId').value as number, 'shader');
  t.call('glCreateShader', [fields.number('type')], id);
};

const createProgram: ChunkHandler = (t, { fields }) => {
  t.call('glCreateProgram', [], t.define(fields.first('ResourceId').value as number, 'program'));
};

const createShaderProgram: ChunkHandler = (t, { fields }) => {
  const id = t.define(fields.first('ResourceId').value as number, 'program');
  const sources = fields.texts('strings');
  t.call('glCreateShaderProgramv', [fields.number('type'), sources.length, sources], id);
};

const shaderSource: ChunkHandler = (t, { fields }) => {
  const sources = fields.texts('sources');
  t.call('glShaderSource', [t.id(fields.node('shader').value, 'shader'), sources.length, sources, null]);
};

/**
 * Attributes and outputs whose place the program left to the driver get the places they had, so that another driver gives
 * them no others.
 */
const link: ChunkHandler = (t, chunk) => {
  const resource = chunk.fields.node('program').value as number;
  const program = t.id(resource, 'program');
  for (const [name, location] of t.programs.inputs(resource))
    if (location >= 0 && !name.startsWith('gl_')) t.call('glBindAttribLocation', [program, location, name]);
  const outputs = t.programs.outputs(resource).filter(([name, number]) => number >= 0 && !name.startsWith('gl_'));
  if (!t.api.es && outputs.length > 1 && !t.programs.hasBoundOutputs(resource))
    for (const [name, number] of outputs) t.call('glBindFragDataLocation', [program, number, name]);
  direct(t, chunk);
};

const bindOutput: ChunkHandler = (t, chunk) => {
  t.programs.boundOutputs(chunk.fields.node('program').value as number);
  direct(t, chunk);
};

/** A block's binding, by the block's name; by its number in a program that the frame makes itself. */
const blockBinding =
  (kind: BlockKind, command: string): ChunkHandler =>
  (t, chunk) => {
    const { fields } = chunk;
    const resource = fields.node('program').value as number;
    const name = fields.find('blockName')
      ? fields.text('blockName')
      : t.programs.block(kind, resource, fields.number(`${kind}BlockIndex`));
    if (!name && !t.programs.knows(resource)) return direct(t, chunk);
    if (!name) throw new Inexpressible(`its ${kind} block has no name`);
    t.call(command, [t.id(resource, 'program'), name, fields.number(`${kind}BlockBinding`)]);
  };

/** `glUniform4f` and its many kin, of the current program or a named one: all are written alike. */
export const uniform: ChunkHandler = (t, chunk) => {
  const { fields } = chunk;
  const resource = fields.node('Program').value as number;
  const program = t.id(resource, 'program');
  const oldLocation = fields.number('location');
  if (oldLocation === -1) return;
  const uniformName = t.programs.uniform(resource, oldLocation);
  if (uniformName === undefined) throw new Inexpressible('the program has no uniform at its location');
  const location = t.location(program, uniformName);
  const values = fields.numbers('values');
  const isNamed = /^glProgram/.test(chunk.name);
  // RenderDoc names the program that is set, which the current pipeline may have in place of the context.
  const name = !isNamed && t.bindings.activeProgram() !== program ? chunk.name.replace('gl', 'glProgram') : chunk.name;
  const signature = signatureOf(name);
  if (!signature) throw new Inexpressible('no GL registry knows it');
  let next = 0;
  const args = signature.params.map((param) => {
    if (param.type === 'object') return program;
    if (param.type === 'location') return location;
    if (param.name === 'count') return fields.number('count');
    if (param.name === 'transpose') return fields.number('transpose');
    if (param.type === 'data') return { kind: 'inline', bytes: elementBytes(values, param.element ?? 'f32') } as const;
    return values[next++] ?? 0;
  });
  t.call(name, args);
};

const binary: ChunkHandler = () => {
  throw new Inexpressible('shaders without source text cannot be replayed elsewhere');
};

export const programHandlers: ChunkHandlers = {
  CreateShader: createShader,
  CreateProgram: createProgram,
  CreateShaderProgramv: createShaderProgram,
  ShaderSource: shaderSource,
  LinkProgram: link,
  BindFragDataLocation: bindOutput,
  BindFragDataLocationIndexed: bindOutput,
  UniformBlockBinding: blockBinding('uniform', 'gpuprofUniformBlockBinding'),
  ShaderStorageBlockBinding: blockBinding('storage', 'gpuprofShaderStorageBlockBinding'),
  ShaderBinary: binary,
  SpecializeShader: binary,
};
