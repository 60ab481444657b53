import type { SignatureOf } from './call-list.ts';

/** WebGL methods whose GL command does not follow from their name. */
const named: Readonly<Record<string, string>> = {
  clearDepth: 'glClearDepthf',
  depthRange: 'glDepthRangef',
  drawArraysInstancedBaseInstanceWEBGL: 'glDrawArraysInstancedBaseInstanceANGLE',
  drawElementsInstancedBaseVertexBaseInstanceWEBGL: 'glDrawElementsInstancedBaseVertexBaseInstanceANGLE',
  multiDrawArraysWEBGL: 'glMultiDrawArraysANGLE',
  multiDrawArraysInstancedWEBGL: 'glMultiDrawArraysInstancedANGLE',
  multiDrawArraysInstancedBaseInstanceWEBGL: 'glMultiDrawArraysInstancedBaseInstanceANGLE',
  multiDrawElementsWEBGL: 'glMultiDrawElementsANGLE',
  multiDrawElementsInstancedWEBGL: 'glMultiDrawElementsInstancedANGLE',
  multiDrawElementsInstancedBaseVertexBaseInstanceWEBGL: 'glMultiDrawElementsInstancedBaseVertexBaseInstanceANGLE',
};

/** Methods that ask and change nothing, or that mean nothing outside the recorded process. */
const questions =
  /^(get|is|check)[A-Z]|^(makeXRCompatible|commit|validateProgram|loseContext|restoreContext|destroy|resize)$/;

/** Methods that make objects in GL's lists, which come into a capture when they are used, and the end of queries. */
const begins = /^create[A-Z]|^deleteQuery/;

/** Creation methods and the class of what they return, by name without an extension's suffix. */
export const creations = {
  createBuffer: 'buffer',
  createFramebuffer: 'framebuffer',
  createProgram: 'program',
  createQuery: 'query',
  createRenderbuffer: 'renderbuffer',
  createSampler: 'sampler',
  createShader: 'shader',
  createTexture: 'texture',
  createTransformFeedback: 'transformFeedback',
  createVertexArray: 'vertexArray',
  fenceSync: 'sync',
} as const;

const suffix = /(ANGLE|OES|WEBGL|EXT|OVR|KHR)$/;

/** A method's name as core WebGL has it: `drawArraysInstanced` for `drawArraysInstancedANGLE`. */
export const plainName = (method: string): string => method.replace(suffix, '');

const capitalised = (name: string): string => `gl${name[0].toUpperCase()}${name.slice(1)}`;

/** Whether a method is none of a frame's business: it asks, or means nothing outside the recorded process. */
export const isQuestion = (method: string): boolean => questions.test(method) || begins.test(method);

/** The GL command of a WebGL or extension method, by its core name where there is one; undefined when it has none. */
export function commandOf(method: string, signatureOf: SignatureOf): string | undefined {
  if (questions.test(method)) return undefined;
  const candidates = [
    named[method],
    capitalised(plainName(method)),
    capitalised(method),
    `${capitalised(plainName(method))}ANGLE`,
    ...(method.startsWith('delete') ? [`${capitalised(plainName(method))}s`] : []),
  ];
  return candidates.find((name) => name !== undefined && signatureOf(name) !== undefined);
}
