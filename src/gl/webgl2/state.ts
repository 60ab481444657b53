import { constants as c } from './constants.ts';
import type { Core } from './core.ts';
import { type HandleClass, idOf, isDeleted, type WebGLSampler } from './objects.ts';
import { kindOf } from './parameters.ts';

const GL_NUM_COMPRESSED_TEXTURE_FORMATS = 0x86a2;
const TEXTURE_MAX_ANISOTROPY_EXT = 0x84fe;
const UNMASKED_VENDOR_WEBGL = 0x9245;

const floatTexParameters: readonly number[] = [c.TEXTURE_MAX_LOD, c.TEXTURE_MIN_LOD, TEXTURE_MAX_ANISOTROPY_EXT];

/** State queries that return what WebGL says they return. */
export function stateMethods(core: Core) {
  const { gl, handles } = core;
  const { scratch } = core.context;

  const floats = (pname: number, count: number): Float32Array => {
    gl.glGetFloatv(pname, scratch.address);
    return scratch.f32.slice(0, count);
  };
  const ints = (pname: number, count: number): Int32Array => {
    gl.glGetIntegerv(pname, scratch.address);
    return scratch.i32.slice(0, count);
  };
  const text = (pname: number): string => {
    if (pname === c.VERSION) return `WebGL 2.0 (${core.context.versionText})`;
    if (pname === c.SHADING_LANGUAGE_VERSION) return 'WebGL GLSL ES 3.00';
    return pname === c.VENDOR || pname === UNMASKED_VENDOR_WEBGL ? core.context.vendor : core.context.renderer;
  };
  /** What GL does not know, or knows otherwise because the canvas is a framebuffer object. */
  const own = (pname: number): unknown => {
    switch (pname) {
      case c.UNPACK_FLIP_Y_WEBGL:
        return core.flipY;
      case c.UNPACK_PREMULTIPLY_ALPHA_WEBGL:
        return core.premultiply;
      case c.UNPACK_COLORSPACE_CONVERSION_WEBGL:
        return core.colorspaceConversion;
      case c.MAX_CLIENT_WAIT_TIMEOUT_WEBGL:
        return 0;
      case c.COMPRESSED_TEXTURE_FORMATS:
        return new Uint32Array(ints(pname, core.integer(GL_NUM_COMPRESSED_TEXTURE_FORMATS)));
      case c.DRAW_BUFFER0:
      case c.READ_BUFFER: {
        const framebuffer = pname === c.READ_BUFFER ? core.readFramebuffer : core.drawFramebuffer;
        const value = core.integer(pname);
        return framebuffer === null && value === c.COLOR_ATTACHMENT0 ? c.BACK : value;
      }
      default:
        return undefined;
    }
  };
  const queryResult = (query: WebGLSampler, pname: number): number => {
    const wide = core.context.find('glGetQueryObjectui64v');
    if (!wide) {
      gl.glGetQueryObjectuiv(idOf(query), pname, scratch.address);
      return scratch.u32[0];
    }
    wide(idOf(query), pname, scratch.address);
    return Number(scratch.u64[0]);
  };

  return {
    getError: (): number => core.takeError(),
    isContextLost: (): boolean => false,
    clearDepth: (depth: number): void => depthCommand(core, 'glClearDepthf', 'glClearDepth', [depth]),
    depthRange: (near: number, far: number): void => depthCommand(core, 'glDepthRangef', 'glDepthRange', [near, far]),
    getParameter(pname: number): unknown {
      const value = own(pname);
      if (value !== undefined) return value;
      const kind = kindOf.get(pname) ?? 'int';
      switch (kind) {
        case 'int':
          return core.integer(pname);
        case 'uint':
          return core.integer(pname) >>> 0;
        case 'long':
          gl.glGetInteger64v(pname, scratch.address);
          return Number(scratch.i64[0]);
        case 'bool':
          return core.integer(pname) !== 0;
        case 'float':
          return floats(pname, 1)[0];
        case 'floats2':
        case 'floats4':
          return floats(pname, kind === 'floats2' ? 2 : 4);
        case 'ints2':
        case 'ints4':
          return ints(pname, kind === 'ints2' ? 2 : 4);
        case 'bools4':
          return Array.from(ints(pname, 4), Boolean);
        case 'string':
          return text(pname);
        default:
          return handles.get(kind, core.integer(pname));
      }
    },
    getIndexedParameter(target: number, index: number): unknown {
      if (target === c.UNIFORM_BUFFER_BINDING || target === c.TRANSFORM_FEEDBACK_BUFFER_BINDING) {
        gl.glGetIntegeri_v(target, index, scratch.address);
        return handles.get('buffer', scratch.u32[0]);
      }
      gl.glGetInteger64i_v(target, index, scratch.address);
      return Number(scratch.i64[0]);
    },
    getInternalformatParameter(target: number, format: number, pname: number): Int32Array | null {
      if (pname !== c.SAMPLES) {
        core.fail(c.INVALID_ENUM);
        return null;
      }
      const GL_NUM_SAMPLE_COUNTS = 0x9380;
      gl.glGetInternalformativ(target, format, GL_NUM_SAMPLE_COUNTS, 1, scratch.address);
      const count = Math.min(64, scratch.i32[0]);
      gl.glGetInternalformativ(target, format, pname, count, scratch.address);
      return scratch.i32.slice(0, count);
    },
    getRenderbufferParameter(target: number, pname: number): number {
      gl.glGetRenderbufferParameteriv(target, pname, scratch.address);
      return scratch.i32[0];
    },
    getTexParameter(target: number, pname: number): number | boolean {
      if (floatTexParameters.includes(pname)) {
        gl.glGetTexParameterfv(target, pname, scratch.address);
        return scratch.f32[0];
      }
      gl.glGetTexParameteriv(target, pname, scratch.address);
      return pname === c.TEXTURE_IMMUTABLE_FORMAT ? scratch.i32[0] !== 0 : scratch.i32[0];
    },
    getSamplerParameter(sampler: WebGLSampler, pname: number): number {
      if (floatTexParameters.includes(pname)) {
        gl.glGetSamplerParameterfv(idOf(sampler), pname, scratch.address);
        return scratch.f32[0];
      }
      gl.glGetSamplerParameteriv(idOf(sampler), pname, scratch.address);
      return scratch.i32[0];
    },
    getVertexAttrib(index: number, pname: number): unknown {
      if (pname === c.CURRENT_VERTEX_ATTRIB) {
        gl.glGetVertexAttribfv(index, pname, scratch.address);
        return scratch.f32.slice(0, 4);
      }
      gl.glGetVertexAttribiv(index, pname, scratch.address);
      const value = scratch.i32[0];
      if (pname === c.VERTEX_ATTRIB_ARRAY_BUFFER_BINDING) return handles.get('buffer', value);
      const isNumber =
        pname === c.VERTEX_ATTRIB_ARRAY_SIZE ||
        pname === c.VERTEX_ATTRIB_ARRAY_STRIDE ||
        pname === c.VERTEX_ATTRIB_ARRAY_TYPE ||
        pname === c.VERTEX_ATTRIB_ARRAY_DIVISOR;
      return isNumber ? value : value !== 0;
    },
    getVertexAttribOffset(index: number, pname: number): number {
      scratch.u64[0] = 0n;
      gl.glGetVertexAttribPointerv(index, pname, scratch.address);
      return Number(scratch.u64[0]);
    },
    getQuery(target: number, pname: number): unknown {
      gl.glGetQueryiv(target, pname, scratch.address);
      return pname === c.CURRENT_QUERY ? handles.get('query', scratch.i32[0]) : scratch.i32[0];
    },
    getQueryParameter(query: WebGLSampler, pname: number): number | boolean {
      const value = queryResult(query, pname);
      return pname === c.QUERY_RESULT_AVAILABLE ? value !== 0 : value;
    },
    fenceSync(condition: number, flags: number) {
      const address = gl.glFenceSync(condition, flags);
      return address ? handles.add('sync' satisfies HandleClass, address) : null;
    },
    clientWaitSync(sync: WebGLSampler, flags: number, timeout: number): number {
      if (isDeleted(sync)) {
        core.fail(c.INVALID_VALUE);
        return c.WAIT_FAILED;
      }
      return gl.glClientWaitSync(idOf(sync), flags, timeout);
    },
    getSyncParameter(sync: WebGLSampler, pname: number): number {
      gl.glGetSynciv(idOf(sync), pname, 1, scratch.address + 8, scratch.address);
      return scratch.i32[0];
    },
  };
}

/** ES takes depths as floats; desktop GL before 4.1 only as doubles. */
function depthCommand(
  core: Core,
  command: 'glClearDepthf' | 'glDepthRangef',
  wide: 'glClearDepth' | 'glDepthRange',
  values: number[],
): void {
  (core.context.find(command) ?? core.gl[wide])(...values);
}
