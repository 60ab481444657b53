/** Which commands have a part in the checks of vertices (vertex-checks.ts). */
import { baseName } from '../../model/gl-constants.ts';
import { perSignature } from '../../model/per-signature.ts';
import { legacyPointers } from './client-arrays.ts';

type Role =
  | 'pointer'
  | 'legacy'
  | 'interleaved'
  | 'client state'
  | 'client unit'
  | 'restart'
  | 'restart index'
  | 'divisor'
  | 'save'
  | 'put back'
  | 'element'
  | 'draw';

const exact: Readonly<Record<string, Role>> = {
  InterleavedArrays: 'interleaved',
  EnableClientState: 'client state',
  DisableClientState: 'client state',
  ClientActiveTexture: 'client unit',
  Enable: 'restart',
  Disable: 'restart',
  PrimitiveRestartIndex: 'restart index',
  VertexAttribDivisor: 'divisor',
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

function roleOf(name: string): Role | null {
  if (Object.hasOwn(exact, name)) return exact[name];
  if (Object.hasOwn(legacyPointers, name)) return 'legacy';
  if (/^VertexAttrib[IL]?Pointer$/.test(name)) return 'pointer';
  return /^(Multi)?Draw(Range)?(Arrays|Elements)/.test(name) ? 'draw' : null;
}

export const commandOf = perSignature((signature): Command => {
  const name = baseName(signature.name);
  return { name, role: roleOf(name), isIndexed: /Elements/.test(name) && !/Indirect/.test(name) };
});
