/**
 * Calls of vertex attributes and buffers that every driver refuses and programs make all the same: for an attribute that
 * their shaders do not have, with values that GL does not have, inside glBegin. They change nothing, and the replayer relies on what such calls say.
 * Source: OpenGL 4.6, sections 10.2, 10.3 and (compatibility profile) 10.7; OpenGL ES 3.2, section 10.3.
 */
import type { Signature } from '../../../model/signature.ts';
import type { TraceCall } from '../trace.ts';
import { LeftOut, type Session, type Translate } from './session.ts';
import { numberOf } from './values.ts';

/** No driver has more. */
const mostAttributes = 32;

const aboutAttributes = /^gl((En|Dis)able)?Vertex(Array)?Attrib/;
const formats = /^gl(VertexAttrib[IL]?(Format|Binding)|VertexBindingDivisor|BindVertexBuffer)/;
const outsideOnly = /Buffer(Data|Storage)|BindBuffer|VertexArray|Pointer(EXT|OES)?$|PixelStore/;

const sizes: ReadonlySet<number> = new Set([1, 2, 3, 4, 0x80e1]);
/** BYTE to FLOAT, DOUBLE, HALF_FLOAT (and OES's), FIXED, and the packed ones. */
const types: ReadonlySet<number> = new Set([
  0x1400, 0x1401, 0x1402, 0x1403, 0x1404, 0x1405, 0x1406, 0x140a, 0x140b, 0x8d61, 0x140c, 0x8368, 0x8d9f, 0x8c3b,
]);
const usages: ReadonlySet<number> = new Set([0, 1, 2, 4, 5, 6, 8, 9, 10].map((usage) => 0x88e0 + usage));
/** ARRAY, ELEMENT_ARRAY, PIXEL_PACK, PIXEL_UNPACK, UNIFORM, TEXTURE, TRANSFORM_FEEDBACK and the later ones. */
const targets: ReadonlySet<number> = new Set([
  0x8892, 0x8893, 0x88eb, 0x88ec, 0x8a11, 0x8c2a, 0x8c8e, 0x8f36, 0x8f37, 0x8f3f, 0x80ee, 0x90d2, 0x90ee, 0x9192,
  0x92c0,
]);

/** What each argument by this name must be, where a command is about attributes or buffers. */
const allowedValues: Readonly<Record<string, (value: number) => boolean>> = {
  size: (value) => sizes.has(value),
  type: (value) => types.has(value),
  stride: (value) => value >= 0,
  usage: (value) => usages.has(value),
  target: (value) => targets.has(value),
};
const judged: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^glVertexAttrib[IL]?Pointer/, ['size', 'type', 'stride']],
  [/^gl(Named)?BufferData/, ['usage']],
  [/^glBindBuffer(ARB)?$/, ['target']],
];

type Refusal = (call: TraceCall) => string | undefined;

function refusalsOf(session: Session, { name, params }: Signature): readonly Refusal[] {
  const found: Refusal[] = [];
  const at = params.findIndex((param) => param.name === 'index' || param.name === 'attribindex');
  if (at >= 0 && aboutAttributes.test(name))
    found.push(({ args }) => {
      const attribute = numberOf(args[at]);
      return attribute >= 0 && attribute < mostAttributes ? undefined : 'GL has no such vertex attribute';
    });
  for (const [pattern, names] of judged)
    for (const each of pattern.test(name) ? names : []) {
      const place = params.findIndex((param) => param.name === each);
      if (place >= 0)
        found.push(({ args }) => (allowedValues[each](numberOf(args[place])) ? undefined : `GL has no such ${each}`));
    }
  if (formats.test(name))
    found.push(() => {
      const { bindings, profile } = session.context;
      return profile.api === 'gles' && bindings.vertexArray === 0 ? 'no vertex array was bound' : undefined;
    });
  if (outsideOnly.test(name))
    found.push(() => (session.context.bindings.insideBegin ? 'it is not allowed after glBegin' : undefined));
  return found;
}

/** The translator, but for calls that GL refuses: those are left out. */
export function allowed(session: Session, signature: Signature, translate: Translate): Translate {
  const refusals = refusalsOf(session, signature);
  if (refusals.length === 0) return translate;
  return (call) => {
    for (const refusal of refusals) {
      const why = refusal(call);
      if (why !== undefined) throw new LeftOut(why);
    }
    translate(call);
  };
}
