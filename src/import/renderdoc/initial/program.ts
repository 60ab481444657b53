import { elementBytes } from '../../element-bytes.ts';
import type { Fields } from '../node.ts';
import type { Translation } from '../translation.ts';

interface UniformType {
  readonly setter: string;
  readonly element: 'f32' | 'f64' | 'i32' | 'u32';
  readonly isMatrix: boolean;
}

const elements = { f: 'f32', d: 'f64', i: 'i32', ui: 'u32' } as const;
const types = new Map<number, UniformType>();
const vectors = (letter: keyof typeof elements, glTypes: readonly number[]) => {
  for (const [index, type] of glTypes.entries())
    types.set(type, { setter: `${index + 1}${letter}v`, element: elements[letter], isMatrix: false });
};
vectors('f', [0x1406, 0x8b50, 0x8b51, 0x8b52]);
vectors('d', [0x140a, 0x8ffc, 0x8ffd, 0x8ffe]);
vectors('i', [0x1404, 0x8b53, 0x8b54, 0x8b55]);
vectors('ui', [0x1405, 0x8dc6, 0x8dc7, 0x8dc8]);
vectors('ui', [0x8b56, 0x8b57, 0x8b58, 0x8b59]); // BOOL
const matrices = (letter: 'f' | 'd', first: number, sizes: readonly string[]) => {
  for (const [index, size] of sizes.entries())
    types.set(first + index, { setter: `Matrix${size}${letter}v`, element: elements[letter], isMatrix: true });
};
matrices('f', 0x8b5a, ['2', '3', '4']);
matrices('f', 0x8b65, ['2x3', '2x4', '3x2', '3x4', '4x2', '4x3']);
matrices('d', 0x8f46, ['2', '3', '4', '2x3', '2x4', '3x2', '3x4', '4x2', '4x3']);

const GL_UNSIGNED_INT_ATOMIC_COUNTER = 0x92db;
/** GL_IMAGE_1D to GL_UNSIGNED_INT_IMAGE_2D_MULTISAMPLE_ARRAY. */
const isImage = (type: number): boolean => type >= 0x904c && type <= 0x906c;
const opaque: UniformType = { setter: '1iv', element: 'i32', isMatrix: false };

function setUniform(t: Translation, program: number, uniform: Fields): void {
  const base = uniform.text('Basename');
  const isArray = uniform.number('IsArray') !== 0;
  const values = uniform.structs('Values').filter((value) => value.number('Location') >= 0);
  if (values.length === 0) return;
  const glType = values[0].number('Type');
  if (glType === GL_UNSIGNED_INT_ATOMIC_COUNTER || (isImage(glType) && t.api.es)) return;
  const { setter, element, isMatrix } = types.get(glType) ?? opaque;
  const data = {
    kind: 'inline',
    bytes: elementBytes(
      values.flatMap((value) => value.numbers('data')),
      element,
    ),
  } as const;
  const location = t.location(program, isArray ? `${base}[0]` : base);
  t.call(`glUniform${setter}`, isMatrix ? [location, values.length, 0, data] : [location, values.length, data]);
}

/** Gives a program the uniform values and block bindings that it had when the frame began. */
export function setProgram(t: Translation, program: number, contents: Fields): void {
  const state = contents.struct('ProgramUniforms');
  const uniforms = state.structs('ValueUniforms');
  if (uniforms.length > 0)
    t.withProgram(program, () => {
      for (const uniform of uniforms) setUniform(t, program, uniform);
    });
  for (const block of state.structs('UBOBindings'))
    t.call('gpuprofUniformBlockBinding', [program, block.text('Name'), block.number('Binding')]);
  if (t.api.es) return;
  for (const block of state.structs('SSBOBindings'))
    t.call('gpuprofShaderStorageBlockBinding', [program, block.text('Name'), block.number('Binding')]);
}
