/** Making and deleting GL objects of any class by name. */
import type { GlContext } from '../../gl/context.ts';
import { Scratch } from '../../gl/native.ts';
import type { ObjectClass } from '../../model/signature.ts';

const plurals: Readonly<Partial<Record<ObjectClass, string>>> = {
  assemblyProgram: 'ProgramsARB',
  buffer: 'Buffers',
  framebuffer: 'Framebuffers',
  programPipeline: 'ProgramPipelines',
  query: 'Queries',
  renderbuffer: 'Renderbuffers',
  sampler: 'Samplers',
  texture: 'Textures',
  transformFeedback: 'TransformFeedbacks',
  vertexArray: 'VertexArrays',
};
const list = new Scratch(8);

/** Classes whose names glGen* makes before there is any object. */
export const generatedClasses = Object.keys(plurals) as readonly ObjectClass[];

/** Whether GL has an object of this name: a generated name that was never bound has none. True where GL cannot tell. */
export function isObject(context: GlContext, objectClass: ObjectClass, name: number): boolean {
  const command: `gl${string}` = `glIs${objectClass[0].toUpperCase()}${objectClass.slice(1)}`;
  return context.find(command) === undefined || context.gl[command](name) !== 0;
}

/** A new name of a generated class, or a new program. */
export function generateObject({ gl }: GlContext, objectClass: ObjectClass): number {
  if (objectClass === 'program') return gl.glCreateProgram() as number;
  gl[`glGen${plurals[objectClass]}`](1, list.address);
  return list.u32[0];
}

export function deleteObject({ gl }: GlContext, objectClass: ObjectClass, name: number): void {
  if (objectClass === 'program') gl.glDeleteProgram(name);
  else if (objectClass === 'shader') gl.glDeleteShader(name);
  else if (plurals[objectClass]) {
    list.u32[0] = name;
    gl[`glDelete${plurals[objectClass]}`](1, list.address);
  }
}
