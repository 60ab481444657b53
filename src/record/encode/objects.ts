import { constants as c } from '../../gl/webgl2/constants.ts';
import { activeInfos } from '../webgl.ts';
import { type Encoder, int } from './encoding.ts';

/** Classes of objects that GL deletes in lists. Queries are not: what they measure is no part of a replay. */
const listed = ['Buffer', 'Framebuffer', 'Renderbuffer', 'Sampler', 'Texture', 'TransformFeedback', 'VertexArray'];

const encoders: Record<string, Encoder> = {
  createShader:
    ({ calls, snapshot, shadows }, [type]) =>
    (result) => {
      const shadow = shadows.get(result);
      if (shadow) calls.add('glCreateShader', [int(type)], snapshot.created(shadow));
    },
  createProgram:
    ({ calls, snapshot, shadows }) =>
    (result) => {
      const shadow = shadows.get(result);
      if (shadow) calls.add('glCreateProgram', [], snapshot.created(shadow));
    },
  fenceSync:
    ({ calls, snapshot, shadows }, [condition, flags]) =>
    (result) => {
      const shadow = shadows.get(result);
      if (shadow) calls.add('glFenceSync', [int(condition), int(flags)], snapshot.created(shadow));
    },
  shaderSource: ({ calls, snapshot }, [shader, source]) => {
    const id = snapshot.id(shader);
    return () => calls.add('glShaderSource', [id, 1, [String(source)], null]);
  },
  transformFeedbackVaryings: ({ calls, snapshot }, [program, names, mode]) => {
    const id = snapshot.id(program);
    const list = Array.from(names as ArrayLike<unknown>, String);
    return () => calls.add('glTransformFeedbackVaryings', [id, list.length, list, int(mode)]);
  },
  // Drivers place attributes as they like: those of this one, which only the linked program tells, are asked for.
  linkProgram: ({ calls, snapshot, gl }, [handle]) => {
    const id = snapshot.id(handle);
    if (id === 0) return null;
    return () => {
      const program = handle as object;
      for (const { name } of activeInfos(gl, program, c.ACTIVE_ATTRIBUTES, 'getActiveAttrib'))
        calls.add('glBindAttribLocation', [id, gl.getAttribLocation(program, name), name]);
      calls.add('glLinkProgram', [id]);
    };
  },
  // By name: the index of a block may differ between drivers.
  uniformBlockBinding: ({ calls, snapshot, gl }, [program, index, binding]) => {
    const id = snapshot.id(program);
    const name = id === 0 ? null : gl.getActiveUniformBlockName(program as object, int(index));
    return name === null ? null : () => calls.add('gpuprofUniformBlockBinding', [id, name, int(binding)]);
  },
  pushGroupMarkerEXT:
    ({ calls }, [name]) =>
    () =>
      calls.add('glPushGroupMarkerEXT', [0, String(name)]),
  insertEventMarkerEXT:
    ({ calls }, [name]) =>
    () =>
      calls.add('glInsertEventMarkerEXT', [0, String(name)]),
  renderbufferStorage:
    ({ calls }, [target, format, width, height]) =>
    () =>
      calls.add('glRenderbufferStorage', [
        int(target),
        format === c.DEPTH_STENCIL ? c.DEPTH24_STENCIL8 : int(format),
        int(width),
        int(height),
      ]),
};

// An object that is deleted while it is bound is bound no longer.
for (const name of listed)
  encoders[`delete${name}`] = ({ calls, snapshot }, [handle], command) => {
    const id = snapshot.deleted(handle);
    return id === 0 ? null : () => calls.add(command, [1, [id]]);
  };
for (const name of ['Shader', 'Program', 'Sync'])
  encoders[`delete${name}`] = ({ calls, snapshot }, [handle]) => {
    const id = snapshot.id(handle);
    return id === 0 ? null : () => calls.add(`glDelete${name}`, [id]);
  };

/** Calls that create, delete or name objects. */
export const objectEncoders: Readonly<Record<string, Encoder>> = encoders;
