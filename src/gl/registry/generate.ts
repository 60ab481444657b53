/**
 * Writes command-lines.ts and enum-lines.ts from the Khronos registry's gl.xml (Debian package `khronos-api`).
 * Run: npx tsx src/gl/registry/generate.ts [path/to/gl.xml] [folder to write to]
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';

type Node = Record<string, unknown> & { ':@'?: Record<string, string> };

const source = process.argv[2] ?? '/usr/share/khronos-api/gl.xml';
const folder = process.argv[3] ?? import.meta.dirname;
const xml = readFileSync(source);
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  trimValues: false,
});
const document = parser.parse(xml.toString('utf8')) as Node[];

const childrenOf = (node: Node, tag: string): Node[] => (node[tag] as Node[] | undefined) ?? [];
const all = (nodes: Node[], tag: string): Node[] => nodes.filter((node) => tag in node);
const attribute = (node: Node, name: string): string | undefined => node[':@']?.[name];
const text = (nodes: Node[]): string =>
  nodes
    .map((node) => ('#text' in node ? String(node['#text']) : text(Object.values(node).find(Array.isArray) ?? [])))
    .join('');

const registry = childrenOf(all(document, 'registry')[0], 'registry');

const scalars: Record<string, string> = {
  GLboolean: 'bool',
  GLenum: 'enum',
  GLbitfield: 'bitfield',
  GLint: 'i32',
  GLsizei: 'i32',
  GLfixed: 'i32',
  GLclampx: 'i32',
  GLshort: 'i32',
  GLbyte: 'i32',
  GLuint: 'u32',
  GLushort: 'u32',
  GLubyte: 'u32',
  GLhalfNV: 'u32',
  GLhandleARB: 'u32',
  GLchar: 'u32',
  GLfloat: 'f32',
  GLclampf: 'f32',
  GLdouble: 'f64',
  GLclampd: 'f64',
  GLintptr: 'i64',
  GLsizeiptr: 'i64',
  GLintptrARB: 'i64',
  GLsizeiptrARB: 'i64',
  GLint64: 'i64',
  GLint64EXT: 'i64',
  GLvdpauSurfaceNV: 'i64',
  GLuint64: 'u64',
  GLuint64EXT: 'u64',
  GLsync: 'object',
};
const elements: Record<string, string> = {
  void: 'u8',
  GLvoid: 'u8',
  GLchar: 'u8',
  GLcharARB: 'u8',
  GLubyte: 'u8',
  GLboolean: 'u8',
  GLbyte: 'i8',
  GLshort: 'i16',
  GLushort: 'u16',
  GLhalfNV: 'u16',
  GLint: 'i32',
  GLsizei: 'i32',
  GLfixed: 'i32',
  GLuint: 'u32',
  GLhandleARB: 'u32',
  GLenum: 'enum',
  GLbitfield: 'u32',
  GLfloat: 'f32',
  GLclampf: 'f32',
  GLdouble: 'f64',
  GLintptr: 'i64',
  GLsizeiptr: 'i64',
  GLint64: 'i64',
  GLint64EXT: 'i64',
  GLuint64: 'u64',
  GLuint64EXT: 'u64',
};
const objectClass = (words: string): string => words.replace(/ (.)/g, (_, letter: string) => letter.toUpperCase());

/** Programs of GL_ARB_vertex_program and its kin have names of their own, apart from GLSL's. */
const assembly =
  /^gl((Gen|Delete)Programs|BindProgram|IsProgram|LoadProgram|ExecuteProgram|RequestResidentPrograms|AreProgramsResident)(ARB|NV)$|^gl(Get)?NamedProgram(iv|String|LocalParameter)/;

/** The registry (2022) does not say that what conditions rendering is a query. */
const conditional = /^glBeginConditionalRender/;

/** What class of objects a parameter names. */
function classOf(param: Node, command: string): string | undefined {
  if (conditional.test(command)) return 'query';
  const named = attribute(param, 'class');
  return named === 'program' && assembly.test(command) ? 'assembly program' : named;
}

/** `name type[:detail]` of one parameter; detail is an object class, an enum group or an element type. */
function paramText(param: Node, command: string): string {
  const nodes = childrenOf(param, 'param');
  const declaration = text(nodes);
  const name = text(childrenOf(all(nodes, 'name')[0], 'name')).trim();
  const ptype = all(nodes, 'ptype')[0];
  const base = ptype ? text(childrenOf(ptype, 'ptype')).trim() : 'void';
  const stars = (declaration.match(/\*/g) ?? []).length;
  const kind = classOf(param, command);
  const group = attribute(param, 'group');
  const isConst = /\bconst\b/.test(declaration);
  const typed = (type: string, detail?: string) => `${name} ${type}${detail ? `:${detail}` : ''}`;
  if (stars === 0) {
    if (base === 'GLsync') return typed('object', 'sync');
    if (kind && base === 'GLuint') return typed('object', objectClass(kind));
    if (name === 'location' && base === 'GLint' && /^gl(Program)?Uniform/.test(command)) return typed('location');
    const scalar = scalars[base];
    if (!scalar) return typed('pointer');
    return typed(scalar, scalar === 'enum' || scalar === 'bitfield' || scalar === 'i32' ? group : undefined);
  }
  if (stars === 2) {
    if (isConst && /^GLchar/.test(base)) return typed('strings');
    return isConst ? typed('data', 'pointer') : typed('out', 'pointer');
  }
  const isId = kind !== undefined && base === 'GLuint';
  if (isConst) {
    if (isId) return typed('objects', objectClass(kind));
    if (/^GLchar/.test(base) && !/ShaderSource/.test(command)) return typed('string');
    if (!(base in elements)) return typed('pointer');
    return typed('data', elements[base]);
  }
  if (isId && /^gl(Gen|Create)/.test(command)) return typed('objects', objectClass(kind));
  if (!(base in elements)) return typed('pointer');
  return typed('out', elements[base]);
}

function resultText(proto: Node): string {
  const nodes = childrenOf(proto, 'proto');
  const declaration = text(nodes);
  const kind = attribute(proto, 'class');
  if (kind) return `object:${objectClass(kind)}`;
  const base = /\bGL\w+/.exec(declaration.replace(/\bgl[A-Z]\w*/, ''))?.[0];
  if (declaration.includes('*')) return base === 'GLubyte' ? 'string' : 'pointer';
  if (!base) return 'void';
  if (base === 'GLsync') return 'object:sync';
  return scalars[base] === 'bitfield' ? 'u32' : (scalars[base] ?? 'pointer');
}

const wanted = (apis: string) => apis.split('|').some((api) => api === 'gl' || api === 'glcore' || api === 'gles2');

/** What brings a command: `gl3.0`, `es3.0` or an extension's name. */
const providersOf = new Map<string, string[]>();
function note(blocks: Node[], provider: string): void {
  for (const require of all(blocks, 'require'))
    for (const command of all(childrenOf(require, 'require'), 'command')) {
      const name = attribute(command, 'name') ?? '';
      const providers = providersOf.get(name) ?? [];
      if (!providers.includes(provider)) providersOf.set(name, [...providers, provider]);
    }
}
for (const feature of all(registry, 'feature')) {
  const api = attribute(feature, 'api');
  if (api === 'gl' || api === 'gles2')
    note(childrenOf(feature, 'feature'), `${api === 'gl' ? 'gl' : 'es'}${attribute(feature, 'number')}`);
}
for (const extension of all(
  all(registry, 'extensions').flatMap((node) => childrenOf(node, 'extensions')),
  'extension',
))
  if (wanted(attribute(extension, 'supported') ?? ''))
    note(childrenOf(extension, 'extension'), attribute(extension, 'name') ?? '');

const lines: string[] = [];
for (const command of all(
  all(registry, 'commands').flatMap((node) => childrenOf(node, 'commands')),
  'command',
)) {
  const parts = childrenOf(command, 'command');
  const proto = all(parts, 'proto')[0];
  const name = text(childrenOf(all(childrenOf(proto, 'proto'), 'name')[0], 'name')).trim();
  const providers = providersOf.get(name);
  if (!providers) continue;
  const alias = all(parts, 'alias')[0];
  const params = all(parts, 'param').map((param) => paramText(param, name));
  lines.push(
    [name, alias ? attribute(alias, 'name') : '', providers.join(' '), resultText(proto), ...params].join('|'),
  );
}

const enumLines = new Map<string, string>();
for (const block of all(registry, 'enums'))
  for (const entry of all(childrenOf(block, 'enums'), 'enum')) {
    const name = attribute(entry, 'name') ?? '';
    const value = attribute(entry, 'value') ?? '';
    const bits = BigInt(value) & 0xffffffffn;
    if (BigInt(value) > 0xffffffffn || enumLines.has(name)) continue;
    enumLines.set(name, `${name.slice(3)}|${bits.toString(16)}|${attribute(entry, 'group') ?? ''}`);
  }

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

function write(name: string, constant: string, about: string, body: readonly string[]): void {
  const table = `/** ${about} */\nexport const ${constant} = \`\n${body.join('\n')}\n\`;\n`;
  const banner = `// Generated by generate.ts from the Khronos registry: gl.xml (Apache-2.0), SHA-256 ${sha256(xml)}.\n// Do not edit: what follows has SHA-256 ${sha256(table)}.\n`;
  writeFileSync(join(folder, name), banner + table);
}
write(
  'command-lines.ts',
  'commandLines',
  'One command a line: name|alias|what provides it|result|param type[:detail]|...',
  lines.sort(),
);
write('enum-lines.ts', 'enumLines', 'One enum a line, without its GL_ prefix: name|hexadecimal value|groups', [
  ...enumLines.values(),
]);
process.stdout.write(`${lines.length} commands, ${enumLines.size} enums\n`);
