import { GpuprofError } from '../../errors.ts';
import type { Handler } from '../compile/site.ts';

const shaderSource: Handler = ({ state, args, fn }) => {
  const texts = args[2] as readonly string[];
  const count = Number(args[1]);
  if (count > texts.length)
    throw new GpuprofError('bad-capture', `glShaderSource has ${texts.length} of ${count} texts`);
  const sources = state.programs.sourceArray(texts.slice(0, Math.max(0, count)));
  const id = Number(args[0]);
  return () => {
    fn(state.objects.names.shader[id], sources.count, sources.address, 0);
  };
};

const linkProgram: Handler = ({ state, args }) => {
  const id = Number(args[0]);
  return () => state.programs.link(id);
};

/** What a driver does not take shows at the first use: a program that failed where it was recorded was not used there. */
const useProgram: Handler = (site) => {
  const plain = site.plain();
  const id = Number(site.args[0]);
  let isChecked = id === 0;
  return (at) => {
    plain(at);
    if (isChecked) return;
    isChecked = true;
    site.state.programs.requireLinked(id);
  };
};

/** A shader may be deleted first: it lives until no program holds it. */
const detachShader: Handler = ({ state, args, fn }) => {
  const { names, deletedShaders } = state.objects;
  const [program, shader] = [Number(args[0]), Number(args[1])];
  return () => {
    fn(names.program[program], names.shader[shader] || deletedShaders[shader]);
  };
};

const createShaderProgram: Handler = ({ state, args, fn, call }) => {
  const texts = args[2] as readonly string[];
  const sources = state.programs.sourceArray(texts.slice(0, Number(args[1])));
  const names = state.objects.names.program;
  if (call.result === 0 || call.result >= names.length)
    throw new GpuprofError('bad-capture', `${call.signature.name} makes an object without an id`);
  return () => {
    names[call.result] = fn(Number(args[0]), sources.count, sources.address);
    state.programs.resolveLocations(call.result);
  };
};

/** A name that is missing is empty here, and no memory for GL, which copies it. */
const stringList: Handler = (site) => {
  const texts = site.args[2] as readonly string[];
  if (Number(site.args[1]) > texts.length || texts.includes(''))
    throw new GpuprofError('bad-capture', `${site.call.signature.name} lists fewer names than its count`);
  return site.plain();
};

export const programHandlers: Readonly<Record<string, Handler>> = {
  ShaderSource: shaderSource,
  DetachShader: detachShader,
  LinkProgram: linkProgram,
  UseProgram: useProgram,
  CreateShaderProgramv: createShaderProgram,
  TransformFeedbackVaryings: stringList,
};
