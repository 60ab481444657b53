import { signatureOf } from '../../gl/command-table.ts';
import type { Argument, DataArgument } from '../../model/call.ts';
import type { ElementType, Param } from '../../model/signature.ts';
import { elementBytes } from '../element-bytes.ts';
import type { Chunk, Node } from './node.ts';
import { Inexpressible, type Translation } from './translation.ts';

/** Values that RenderDoc writes beside a command's own arguments. */
const beside: ReadonlySet<string> = new Set(['DebugMessages', 'command', 'UnpackBufBound']);

/** A chunk's values that are arguments of its command; throws {@link Inexpressible} when they are fewer than `least`. */
export function argumentNodes(chunk: Chunk, least = 0): readonly Node[] {
  const nodes = chunk.fields.nodes.filter(({ name }) => !beside.has(name));
  if (nodes.length < least) throw new Inexpressible(`it has ${nodes.length} values where ${least} are needed`);
  return nodes;
}

const scalars = (node: Node): (number | bigint)[] => node.children.map(({ value }) => (isNumber(value) ? value : 0));

/** What is bytes to GL (a clear value) RenderDoc writes as numbers, whole ones as the words of 64 bits that it copied. */
function elementOf({ element = 'u32' }: Param, { children: [first] }: Node): ElementType {
  if (element !== 'u8' || first === undefined) return element;
  return first.kind === 'float' ? 'f32' : first.kind === 'int' ? 'i32' : 'u64';
}

const isNumber = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';

/** What is serialised is nothing that the parameter takes. */
function mismatch({ name, kind }: Node, { type }: Param): never {
  throw new Inexpressible(`its ${name || 'value'} is ${kind} where GL takes ${type}`);
}

function dataArgument(t: Translation, param: Param, node: Node): DataArgument {
  if (node.kind === 'null') return null;
  if (node.kind === 'buffer') return node.bytes && node.bytes.length > 0 ? t.data(node.bytes) : null;
  if (node.kind === 'array')
    return node.children.length === 0
      ? null
      : { kind: 'inline', bytes: elementBytes(scalars(node), elementOf(param, node)) };
  if (!isNumber(node.value)) return mismatch(node, param);
  if (node.kind === 'uint') {
    if (!Number.isSafeInteger(Number(node.value))) throw new Inexpressible('its offset is beyond any buffer');
    return { kind: 'offset', offset: Number(node.value) };
  }
  // One value behind a pointer.
  return { kind: 'inline', bytes: elementBytes([node.value], param.element ?? 'u32') };
}

/** A serialised value as the argument that a parameter takes. */
function argument(t: Translation, param: Param, node: Node): Argument {
  switch (param.type) {
    case 'object':
      return node.kind === 'ResourceId' ? t.id(node.value, param.objectClass) : mismatch(node, param);
    case 'objects':
      if (node.kind === 'ResourceId') return [t.id(node.value, param.objectClass)];
      if (node.kind !== 'array') return node.kind === 'null' ? [] : mismatch(node, param);
      return node.children.map(({ value }) => t.id(value, param.objectClass));
    case 'data':
      return dataArgument(t, param, node);
    case 'string':
      return typeof node.value === 'string' || node.value === null ? node.value : mismatch(node, param);
    case 'strings':
      return node.children.map(({ value }) => (typeof value === 'string' ? value : ''));
    case 'out':
      return null;
    case 'location':
      return mismatch(node, param);
    case 'i64':
    case 'u64':
    case 'pointer':
      return typeof node.value === 'bigint' || Number.isInteger(node.value)
        ? (node.value as number)
        : mismatch(node, param);
    case 'f32':
    case 'f64':
      return isNumber(node.value) ? Number(node.value) : mismatch(node, param);
    default:
      if (node.kind === 'ResourceId') return t.id(node.value);
      return isNumber(node.value) ? node.value : mismatch(node, param);
  }
}

/** Values in the order of a command's parameters, as its arguments. */
export function argumentsOf(t: Translation, name: string, nodes: readonly Node[]): Argument[] {
  const signature = signatureOf(name);
  if (!signature) throw new Inexpressible('no GL registry knows it');
  if (signature.params.length !== nodes.length)
    throw new Inexpressible(`it has ${nodes.length} values for the ${signature.params.length} arguments of ${name}`);
  return signature.params.map((param, index) => argument(t, param, nodes[index]));
}

/** Adds a command whose arguments are these values. */
export function emit(t: Translation, name: string, nodes: readonly Node[]): void {
  t.call(name, argumentsOf(t, name, nodes));
}
