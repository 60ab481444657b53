/** What there is to do for the calls of one signature: found out once, since a stream has thousands of each. */
import { GpuprofError } from '../../errors.ts';
import { signatureOf } from '../../gl/command-table.ts';
import { Bindings } from '../../model/bindings.ts';
import { headerWords } from '../../model/call-words.ts';
import { DisplayLists } from '../../model/display-lists.ts';
import { baseName } from '../../model/gl-constants.ts';
import { perSignature } from '../../model/per-signature.ts';
import type { ObjectClass, Param, Signature } from '../../model/signature.ts';
import { TextureShapes } from '../../model/texture-shapes.ts';
import { mayWrite, setsUniforms } from '../../model/writes.ts';
import { runsShaders } from '../checks/buffer-ranges.ts';
import { uniformBytes } from '../checks/data-lengths.ts';
import { MemoryBudget } from '../checks/memory-budget.ts';
import { VertexChecks } from '../checks/vertex-checks.ts';
import { asksForWork } from '../checks/work-limits.ts';
import { handlerFor } from '../handlers/index.ts';
import { Programs } from '../programs.ts';
import { FrameChanges } from '../restore/frame-changes.ts';
import { AttributeKinds } from '../restore/vertex-attributes.ts';
import type { Handler } from './site.ts';

/** Words of the parameters that always take the same room. */
const fixedWords: Readonly<Partial<Record<Param['type'], number>>> = {
  bool: 1,
  i32: 1,
  u32: 1,
  f32: 1,
  enum: 1,
  bitfield: 1,
  location: 1,
  f64: 2,
  i64: 2,
  u64: 2,
};

export interface Duty {
  readonly handler: Handler | undefined;
  /** Whether its words say all there is to check: its arguments need not be read for anything but GL. */
  readonly isPlain: boolean;
  /** For plain ones: the place of a location after the beginning of the call, or -1. */
  readonly locationAt: number;
  /** For plain ones with data: the place of their count and of the data, and the bytes of each. */
  readonly data: { readonly countAt: number; readonly at: number; readonly bytes: number } | null;
  readonly setsUniforms: boolean;
  readonly hasData: boolean;
  /** Parameters that hold ids, locations or data. */
  readonly references: readonly number[];
  readonly allocates: boolean;
  readonly isVertexChecked: boolean;
  readonly asksForWork: boolean;
  readonly runsShaders: boolean;
  readonly changesShapes: boolean;
  readonly changesPrograms: boolean;
  readonly changesKinds: boolean;
  readonly changesBindings: boolean;
  /** Whether it makes, calls or deletes display lists. */
  readonly isAboutLists: boolean;
  readonly changesObjects: boolean;
}

const shape = (param: { readonly type: string; readonly objectClass?: ObjectClass }) =>
  `${param.type}:${param.objectClass ?? ''}`;
const pointerCommands = /^MultiDrawElements/;
/** Names of objects by commands of GL_ARB_shader_objects, which are numbers in the registry: captures have OpenGL 2.0's. */
const bareName = /^(obj|(shader|program|container|attached)Obj)$/;
const asks = /^gl(Get|Is|Validate)/;

/** Throws GpuprofError `bad-capture` unless the capture's idea of a command is this program's. */
function checkSignature(signature: Signature): void {
  const known = signatureOf(signature.name);
  if (!known) throw new GpuprofError('bad-capture', `the capture calls ${signature.name}, which is no GL command`);
  const same =
    known.params.length === signature.params.length &&
    shape(known.result) === shape(signature.result) &&
    known.params.every((param, index) => shape(param) === shape(signature.params[index]));
  if (!same) throw new GpuprofError('bad-capture', `the capture's ${signature.name} has other parameters than GL's`);
  const { name, params } = signature;
  const isBare = !asks.test(name) && params.some((param) => param.type === 'u32' && bareName.test(param.name));
  if (isBare || (params.some(({ element }) => element === 'pointer') && !pointerCommands.test(baseName(name))))
    throw new GpuprofError('bad-capture', `${name} cannot be part of a capture`);
}

/** The places of scalars before `end`, after the beginning of a call; undefined when one takes no fixed room. */
function placesOf(params: readonly Param[], end: number): number[] | undefined {
  const places: number[] = [];
  let next = headerWords;
  for (const param of params.slice(0, end)) {
    places.push(next);
    const words = fixedWords[param.type];
    if (words === undefined) return undefined;
    next += words;
  }
  return [...places, next];
}

/** Throws GpuprofError `bad-capture` for a command that no capture can have. */
export const dutyOf = perSignature((signature): Duty => {
  checkSignature(signature);
  const { params } = signature;
  const handler = handlerFor(baseName(signature.name));
  if (!handler && params.some(({ type }) => type === 'out' || type === 'pointer'))
    throw new GpuprofError('bad-capture', `${signature.name} cannot be part of a capture`);
  const isUniform = setsUniforms(signature);
  const follows = {
    allocates: MemoryBudget.follows(signature),
    isVertexChecked: VertexChecks.follows(signature),
    asksForWork: asksForWork(signature),
    runsShaders: runsShaders(signature),
    changesShapes: TextureShapes.follows(signature),
    changesPrograms: Programs.follows(signature),
    changesKinds: AttributeKinds.follows(signature),
    changesBindings: Bindings.follows(signature),
    isAboutLists: DisplayLists.follows(signature),
    changesObjects: FrameChanges.follows(signature),
  };
  const dataAt = params.findIndex(({ type }) => type === 'data');
  const bytes = isUniform && dataAt === params.length - 1 ? uniformBytes(signature) : undefined;
  const places = placesOf(params, bytes === undefined ? params.length : dataAt);
  const { changesObjects, ...others } = follows;
  const isPlain =
    !handler &&
    places !== undefined &&
    !Object.values(others).includes(true) &&
    (isUniform || (!changesObjects && !mayWrite(signature))) &&
    signature.result.type !== 'object';
  const location = params.findIndex(({ type }) => type === 'location');
  return {
    handler,
    isPlain,
    locationAt: isPlain && location >= 0 ? (places as number[])[location] : -1,
    data:
      isPlain && bytes !== undefined
        ? { countAt: (places as number[])[1], at: (places as number[])[dataAt], bytes }
        : null,
    setsUniforms: isUniform,
    hasData: dataAt >= 0,
    references: params.flatMap(({ type, objectClass }, index) =>
      ['object', 'objects', 'location', 'data'].includes(type) && objectClass !== 'displayList' ? [index] : [],
    ),
    ...follows,
  };
});
