/**
 * Calls that every driver refuses and programs make all the same: with a vertex attribute that their shaders do not have,
 * without a vertex array, inside glBegin. They change nothing, and the replayer relies on what such calls say.
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

type Refusal = (call: TraceCall) => string | undefined;

function refusalsOf(session: Session, { name, params }: Signature): readonly Refusal[] {
  const found: Refusal[] = [];
  const at = params.findIndex((param) => param.name === 'index' || param.name === 'attribindex');
  if (at >= 0 && aboutAttributes.test(name))
    found.push(({ args }) => {
      const attribute = numberOf(args[at]);
      return attribute >= 0 && attribute < mostAttributes ? undefined : 'GL has no such vertex attribute';
    });
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
