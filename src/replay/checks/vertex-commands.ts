/** Which commands have a part in the checks of vertices (vertex-checks.ts). */
import { baseName } from '../../model/gl-constants.ts';
import { perSignature } from '../../model/per-signature.ts';
import { legacyPointers } from './client-arrays.ts';

type Role =
  | 'pointer'
  | 'legacy'
  | 'interleaved'
  | 'client state'
  | 'unit state'
  | 'client unit'
  | 'restart'
  | 'restart index'
  | 'divisor'
  | 'moved'
  | 'save'
  | 'put back'
  | 'element'
  | 'draw';

const exact: Readonly<Record<string, Role>> = {
  InterleavedArrays: 'interleaved',
  EnableClientState: 'client state',
  DisableClientState: 'client state',
  EnableClientStatei: 'unit state',
  DisableClientStatei: 'unit state',
  EnableClientStateIndexed: 'unit state',
  DisableClientStateIndexed: 'unit state',
  ClientActiveTexture: 'client unit',
  Enable: 'restart',
  Disable: 'restart',
  PrimitiveRestartIndex: 'restart index',
  PushClientAttrib: 'save',
  PopClientAttrib: 'put back',
  ArrayElement: 'element',
};

interface Command {
  readonly name: string;
  readonly role: Role | null;
  /** For draws with indices, other than indirect ones. */
  readonly isIndexed: boolean;
}

/** Commands that give an attribute another layout or another place than glVertexAttribPointer did. */
const moving =
  /^(VertexAttrib[IL]?(Format|Binding)|BindVertexBuffers?|VertexArray(Vertex)?Attrib[IL]?(Format|Binding|Offset)|VertexArray(Bind)?VertexBuffers?)$/;

function roleOf(name: string): Role | null {
  if (Object.hasOwn(exact, name)) return exact[name];
  if (Object.hasOwn(legacyPointers, name)) return 'legacy';
  if (/^VertexAttrib[IL]?Pointer$/.test(name)) return 'pointer';
  // A place has the number of the attribute that glVertexAttribPointer puts there.
  if (/^Vertex(Array)?(Vertex)?(Attrib|Binding)Divisor$/.test(name)) return 'divisor';
  if (moving.test(name)) return 'moved';
  return /^(Multi)?Draw(Range)?(Arrays|Elements|TransformFeedback)/.test(name) ? 'draw' : null;
}

/** Whether calls of this signature give an array by its address or offset. */
export const givesArray = perSignature(({ name }) =>
  ['pointer', 'legacy', 'interleaved'].includes(roleOf(baseName(name)) ?? ''),
);

export const commandOf = perSignature((signature): Command => {
  const name = baseName(signature.name);
  return { name, role: roleOf(name), isIndexed: /Elements/.test(name) && !/Indirect/.test(name) };
});
