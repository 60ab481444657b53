/** Values of the generic vertex attributes, which no object holds. */
import type { GlContext } from '../../gl/context.ts';
import type { Call } from '../../model/call.ts';
import { baseName } from '../../model/gl-constants.ts';
import { perSignature } from '../../model/per-signature.ts';
import type { Signature } from '../../model/signature.ts';
import { glEnums } from '../constants.ts';

const e = glEnums('GL_CURRENT_VERTEX_ATTRIB', 'GL_MAX_VERTEX_ATTRIBS');

type Kind = 'i' | 'ui' | 'd';

const kindOf = perSignature(({ name }): Kind | 'f' | null => {
  const match = /^VertexAttrib(I|L)?[1-4].*?(u?)[bsifd]v?$/.exec(baseName(name));
  if (!match) return null;
  if (match[1] === 'L') return 'd';
  if (match[1] !== 'I') return 'f';
  return match[2] ? 'ui' : 'i';
});

/** How the capture has set attributes last, by index: GL does not tell. Those not listed hold floats. */
export class AttributeKinds {
  readonly #kinds = new Map<number, Kind>();

  /** Whether calls of this signature set attributes; others need not be observed. */
  static follows = (signature: Signature): boolean => kindOf(signature) !== null;

  observe({ signature, args }: Call): void {
    const kind = kindOf(signature);
    if (kind === null) return;
    if (kind === 'f') this.#kinds.delete(Number(args[0]));
    else this.#kinds.set(Number(args[0]), kind);
  }

  copy(): ReadonlyMap<number, Kind> {
    return new Map(this.#kinds);
  }
}

/** Keeps every attribute's value; GL must be in the state that `kinds` was copied in. */
export function saveVertexAttributes(context: GlContext, kinds: ReadonlyMap<number, Kind>): () => void {
  const { gl, scratch } = context;
  const restores: (() => void)[] = [];
  for (let index = 0; index < context.integer(e.GL_MAX_VERTEX_ATTRIBS); index++) {
    const kind = kinds.get(index);
    const name = e.GL_CURRENT_VERTEX_ATTRIB;
    if (kind === 'i') gl.glGetVertexAttribIiv(index, name, scratch.address);
    else if (kind === 'ui') gl.glGetVertexAttribIuiv(index, name, scratch.address);
    else if (kind === 'd') gl.glGetVertexAttribLdv(index, name, scratch.address);
    else gl.glGetVertexAttribfv(index, name, scratch.address);
    // The compatibility profile does not tell attribute 0.
    if (gl.glGetError() !== 0) continue;
    const list = kind === 'i' ? scratch.i32 : kind === 'ui' ? scratch.u32 : kind === 'd' ? scratch.f64 : scratch.f32;
    const values = [...list.slice(0, 4)];
    const set =
      kind === 'i'
        ? gl.glVertexAttribI4i
        : kind === 'ui'
          ? gl.glVertexAttribI4ui
          : kind === 'd'
            ? gl.glVertexAttribL4d
            : gl.glVertexAttrib4f;
    restores.push(() => void set(index, ...values));
  }
  return () => {
    for (const restore of restores) restore();
  };
}
