import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evaluate, preprocess } from '../../src/model/memory/preprocess.ts';
import { shaderInterface } from '../../src/model/memory/shader-interface.ts';

const parse = (source: string, macros: Record<string, string> = {}) =>
  shaderInterface(source, new Map(Object.entries(macros)));
const samplers = (source: string, macros?: Record<string, string>) =>
  parse(source, macros).opaque.map(({ name, dimensions, count }) => `${name} ${dimensions} ${count}`);

test('expressions of conditions', () => {
  const names = new Map([['N', 4]]);
  const value = (text: string) => evaluate(text, (name) => names.get(name));
  assert.equal(value('1 + 2 * 3 == 7 && !(N < 4)'), 1);
  assert.equal(value('0x10 >> 2 | 1'), 5);
  assert.equal(value('-(2 - 5) % 2'), 1);
  assert.equal(value('N * 2u'), 8);
  assert.equal(value('010'), 8);
  for (const broken of ['', '1 +', '(1', 'UNKNOWN', 'f(1)', '1 / 0', '1 2', '('.repeat(5000)])
    assert.equal(value(broken), undefined, broken.slice(0, 20));
});

test('conditions, comments and macros decide what is declared', () => {
  const source = `#version 300 es
    // uniform sampler2D commented;
    /* uniform sampler2D commented2; */
    #define USE_A
    #define COUNT (1 + 2)
    #define TYPE sampler2D
    #define SAMPLE(p) texture(macroOnly, p)
    #ifdef USE_A
    uniform highp sampler2D a[COUNT];
    #else
    uniform sampler2D b;
    #endif
    #if defined(USE_B) || COUNT > 3
    uniform sampler2D c;
    #elif COUNT == 3 && \\
      !defined USE_B
    uniform TYPE d, e[2];
    #else
    uniform sampler2D f;
    #endif
    #ifndef GL_ES
    uniform sampler2D g;
    #endif
    #undef USE_A
    #ifdef USE_A
    uniform sampler2D h;
    #endif
    #if UNDECIDED(1)
    uniform sampler2D i;
    #else
    uniform sampler2D j;
    #endif
    uniform sampler2D macroOnly;
    uniform sampler2D unused;
    void main() { use(a, b, c, d, e, f, g, h, i, j); }`;
  assert.deepEqual(samplers(source, { GL_ES: '1' }), [
    'a 2D 3',
    'd 2D 1',
    'e 2D 2',
    'i 2D 1',
    'j 2D 1',
    'macroOnly 2D 1',
  ]);
});

test('types of samplers, arrays by constants, structures, bindings', () => {
  const source = `
    const int LIGHTS = 2;
    struct Light { vec3 color; float range[2]; sampler2DShadow map; } ;
    uniform Light lights[LIGHTS], sun;
    layout(binding = 3) uniform usampler3D volume;
    layout(std140, binding = 5) uniform mediump isampler2DArray layers[2];
    uniform samplerCubeShadow sky;
    layout(rgba8, binding = 1) uniform readonly image2D picture;
    uniform struct { mat3x2 m; } anonymous;
    in vec4 position;
    out Data { vec4 inside; } data;
    layout(local_size_x = 4) in;
    float helper(sampler2D argument) { uniform_is_no_word(argument); return 1.0; }
    void main() { lights; sun; volume; layers; sky; picture; anonymous; texelFetch(volume, ivec3(0), 0); }`;
  const { opaque, uniforms } = parse(source);
  assert.deepEqual(
    opaque.map(({ name, dimensions, count, binding, isImage, isFetched }) =>
      [name, dimensions, count, binding, isImage && 'image', isFetched && 'fetched']
        .filter((x) => x !== false)
        .join(' '),
    ),
    [
      'lights[0].map 2DShadow 1 ',
      'lights[1].map 2DShadow 1 ',
      'sun.map 2DShadow 1 ',
      'volume 3D 1 3 fetched',
      'layers 2DArray 2 5',
      'sky CubeShadow 1 ',
      'picture 2D 1 1 image',
    ],
  );
  assert.deepEqual(
    [...uniforms],
    [
      ['lights[0].color', 12],
      ['lights[0].range', 8],
      ['lights[1].color', 12],
      ['lights[1].range', 8],
      ['sun.color', 12],
      ['sun.range', 8],
      ['anonymous.m', 24],
    ],
  );
});

test('blocks of uniforms and of storage', () => {
  const source = `
    layout(std140) uniform;
    layout(std140, binding = 2) uniform Frame { mat4 a; vec4 b[4]; } frame[3];
    uniform Plain { vec4 c; };
    layout(std430, binding = 1) readonly restrict buffer Data { vec4 d[]; } data;
    uniform dmat2 wide;
    void main() { wide; }`;
  const { blocks, uniforms } = parse(source);
  assert.deepEqual(
    blocks.map(({ name, kind, binding, count }) => [name, kind, binding, count]),
    [
      ['Frame', 'uniform', 2, 3],
      ['Plain', 'uniform', null, 1],
      ['Data', 'storage', 1, 1],
    ],
  );
  assert.deepEqual([...uniforms], [['wide', 32]]);
});

test('hostile sources end soon', () => {
  const bomb = Array.from({ length: 40 }, (_, i) => `#define M${i + 1} M${i} M${i} M${i} M${i}`).join('\n');
  const lines = 'M9 M9 M9\n'.repeat(1000);
  assert.ok(preprocess(`#define M0 x\n${bomb}\n${lines}`, new Map()).code.length < 2 ** 24);
  assert.equal(preprocess(`${'/* '.repeat(200_000)}`, new Map()).code.trim(), '');
  const nested = 'struct A { A a[256]; }; uniform A a[256]; void main() { a; }';
  assert.deepEqual(samplers(nested), []);
  assert.deepEqual(samplers('uniform sampler2D s[1000000000]; void main() { s; }'), ['s 2D 256']);
  assert.deepEqual(samplers(`uniform sampler2D ${'['.repeat(1000)}`), []);
  for (const cut of ['uniform', 'uniform sampler2D', 'layout(', 'struct {', 'uniform B {', 'const int x = ('])
    assert.deepEqual(samplers(cut), [], cut);
});
