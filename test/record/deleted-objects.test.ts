import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { attachProgramRecorder } from '../../src/record/attach-program.ts';
import { buffer, type Gl, link, type Program } from './programs/kit.ts';
import { headlessGl, play, record, webgl2 } from './replaying.ts';

/** Objects that a program has deleted while something of it still uses them: they live on, also under a recorder. */

const folder = await mkdtemp(join(tmpdir(), 'gpuprof-deleted-'));
const producer = { producer: 'gpuprof test', driver: 'test' };

const triangle = '#version 300 es\nin vec2 at; void main() { gl_Position = vec4(at, 0.0, 1.0); }';
const flat =
  '#version 300 es\nprecision highp float; uniform float k; out vec4 o; void main() { o = vec4(k, 1, 0, 1); }';

/** Links and uses a program that draws in a colour of `uniform`, and puts its triangle into attribute 0. */
function useFlat(gl: Gl): { program: object; draw: () => void } {
  const program = link(gl, triangle, flat, (made) => gl.bindAttribLocation(made, 0, 'at'));
  gl.useProgram(program);
  const uniform = gl.getUniformLocation(program, 'k');
  buffer(gl, new Float32Array([-1, -1, 1, -1, -1, 1]));
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  const draw = () => {
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.uniform1f(uniform, 0.5);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  };
  return { program, draw };
}

const programs: Record<string, Program> = {
  'a program in use'(gl) {
    const { program, draw } = useFlat(gl);
    gl.deleteProgram(program);
    return draw;
  },
  'a program in use, made and deleted in every frame': (gl) => () => {
    const { program, draw } = useFlat(gl);
    gl.deleteProgram(program);
    draw();
  },
  'buffers of a vertex array that is not bound'(gl) {
    const { draw } = useFlat(gl);
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    const vertices = buffer(gl, new Float32Array([-1, 1, 1, 1, 1, -1]));
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    gl.bindVertexArray(null);
    gl.deleteBuffer(vertices);
    buffer(gl, new Float32Array(6));
    return () => {
      gl.bindVertexArray(array);
      draw();
      gl.bindVertexArray(null);
    };
  },
};

programs['a framebuffer that is bound, and what is in it'] = (gl) => {
  const { draw } = useFlat(gl);
  return () => {
    const framebuffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 8, 8, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    draw();
    gl.deleteTexture(texture);
    gl.deleteFramebuffer(framebuffer);
    draw();
  };
};

/** A framebuffer of 8x8 pixels with what `attach` makes and attaches; what it made is deleted when it is no longer bound. */
function holding(gl: Gl, attach: () => () => void, paint: () => void): object {
  const framebuffer = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  const remove = attach();
  paint();
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  remove();
  return framebuffer;
}

/** Two colours, each in a half. */
function paintHalves(gl: Gl): void {
  gl.clearColor(0.75, 0.25, 0.5, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.enable(gl.SCISSOR_TEST);
  gl.scissor(0, 0, 4, 8);
  gl.clearColor(0, 0.5, 1, 0.5);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.disable(gl.SCISSOR_TEST);
}

function show(gl: Gl, framebuffer: object): void {
  gl.bindFramebuffer(gl.READ_FRAMEBUFFER, framebuffer);
  const { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
  gl.blitFramebuffer(0, 0, 8, 8, 0, 0, width, height, gl.COLOR_BUFFER_BIT, gl.NEAREST);
  gl.bindFramebuffer(gl.READ_FRAMEBUFFER, null);
}

/** A texture attached to a framebuffer, painted, deleted, and shown in every frame. */
const heldTexture =
  (target: string, make: (gl: Gl) => void, attach: (gl: Gl, texture: object) => void): Program =>
  (gl) => {
    gl.getExtension('EXT_color_buffer_float');
    const texture = gl.createTexture();
    gl.bindTexture(gl[target], texture);
    make(gl);
    const attached = () => {
      attach(gl, texture);
      return () => gl.deleteTexture(texture);
    };
    const framebuffer = holding(gl, attached, () => paintHalves(gl));
    return () => show(gl, framebuffer);
  };

const heldBuffer = (gl: Gl, format: number, point: number) => () => {
  const made = gl.createRenderbuffer();
  gl.bindRenderbuffer(gl.RENDERBUFFER, made);
  gl.renderbufferStorage(gl.RENDERBUFFER, format, 8, 8);
  gl.framebufferRenderbuffer(gl.FRAMEBUFFER, point, gl.RENDERBUFFER, made);
  return () => gl.deleteRenderbuffer(made);
};

const attach2d = (face: string, level: number) => (gl: Gl, texture: object) =>
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl[face], texture, level);

const attachments: Readonly<Record<string, Program>> = {
  'a texture in a framebuffer that is not bound': heldTexture(
    'TEXTURE_2D',
    (gl) => gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 8, 8, 0, gl.RGBA, gl.UNSIGNED_BYTE, null),
    attach2d('TEXTURE_2D', 0),
  ),
  'a level of a float texture in a framebuffer': heldTexture(
    'TEXTURE_2D',
    (gl) => gl.texStorage2D(gl.TEXTURE_2D, 2, gl.RGBA16F, 16, 16),
    attach2d('TEXTURE_2D', 1),
  ),
  'a face of a cube texture in a framebuffer': heldTexture(
    'TEXTURE_CUBE_MAP',
    (gl) => gl.texStorage2D(gl.TEXTURE_CUBE_MAP, 1, gl.RGBA8, 8, 8),
    attach2d('TEXTURE_CUBE_MAP_NEGATIVE_Y', 0),
  ),
  'a layer of an array texture in a framebuffer': heldTexture(
    'TEXTURE_2D_ARRAY',
    (gl) => gl.texStorage3D(gl.TEXTURE_2D_ARRAY, 1, gl.RGBA8, 8, 8, 3),
    (gl, texture) => gl.framebufferTextureLayer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, texture, 0, 2),
  ),
  'a renderbuffer in a framebuffer that is not bound'(gl) {
    const framebuffer = holding(gl, heldBuffer(gl, gl.RGBA8, gl.COLOR_ATTACHMENT0), () => paintHalves(gl));
    return () => show(gl, framebuffer);
  },
  'a second colour attachment, chosen for reading'(gl) {
    const attach = () => {
      const removes = [0, 1].map((at) => heldBuffer(gl, gl.RGBA8, gl.COLOR_ATTACHMENT0 + at)());
      return () => {
        for (const remove of removes) remove();
      };
    };
    const paint = () => {
      gl.drawBuffers([gl.NONE, gl.COLOR_ATTACHMENT1]);
      gl.readBuffer(gl.COLOR_ATTACHMENT1);
      paintHalves(gl);
    };
    const framebuffer = holding(gl, attach, paint);
    return () => show(gl, framebuffer);
  },
  ...Object.fromEntries(
    ['DEPTH24_STENCIL8', 'STENCIL_INDEX8'].map((format): [string, Program] => [
      `${format} in a framebuffer that is not bound`,
      (gl) => {
        const { draw } = useFlat(gl);
        const colour = gl.createRenderbuffer();
        const point = format === 'STENCIL_INDEX8' ? gl.STENCIL_ATTACHMENT : gl.DEPTH_STENCIL_ATTACHMENT;
        const framebuffer = holding(gl, heldBuffer(gl, gl[format], point), () => {
          gl.bindRenderbuffer(gl.RENDERBUFFER, colour);
          gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, 8, 8);
          gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, colour);
          gl.enable(gl.SCISSOR_TEST);
          gl.scissor(0, 0, 8, 2);
          gl.clearStencil(5);
          gl.clear(gl.STENCIL_BUFFER_BIT);
          gl.disable(gl.SCISSOR_TEST);
        });
        return () => {
          gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
          gl.viewport(0, 0, 8, 8);
          gl.enable(gl.STENCIL_TEST);
          gl.stencilFunc(gl.EQUAL, 5, 255);
          draw();
          gl.disable(gl.STENCIL_TEST);
          gl.bindFramebuffer(gl.FRAMEBUFFER, null);
          show(gl, framebuffer);
        };
      },
    ]),
  ),
};

/** What the program draws in its second frame without a recorder, and the error that it then has. */
async function plain(program: Program): Promise<{ pixels: Uint8Array; error: number }> {
  return webgl2(async (gl) => {
    const step = program(gl);
    step();
    step();
    const error = gl.getError();
    const { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
    const rows = new Uint8Array(width * height * 4);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, rows);
    const pixels = new Uint8Array(rows.length);
    for (let row = 0; row < height; row++)
      pixels.set(rows.subarray(row * width * 4, (row + 1) * width * 4), (height - 1 - row) * width * 4);
    return { pixels, error };
  });
}

for (const [name, program] of Object.entries({ ...programs, ...attachments }))
  test(`${name}: deleted, drawn as without a recorder, and replayed so`, async () => {
    const path = join(folder, `${name.replaceAll(' ', '-')}.cap`);
    const expected = await plain(program);
    assert.equal(expected.error, 0);
    assert.ok(new Set(expected.pixels).size > 1, 'the program draws something');
    const drawn = await webgl2(async (gl) => {
      const pixels = await record(gl, program, 2, path);
      assert.equal(gl.getError(), gl.NO_ERROR);
      return pixels;
    });
    assert.deepEqual(drawn, expected.pixels);
    const played = await play(path, 'egl');
    assert.deepEqual(played.glErrors, []);
    assert.deepEqual(played.pixels, drawn);
    assert.deepEqual(played.again, drawn);
  });

test('a recorder that is taken off leaves a program in use to GL, deleted as the program asked', async () => {
  await webgl2(async (gl) => {
    const recorder = attachProgramRecorder(gl, { producer });
    const { program } = useFlat(gl);
    gl.deleteProgram(program);
    recorder.detach();
    assert.equal(gl.getProgramParameter(program, gl.DELETE_STATUS), true);
    gl.useProgram(null);
    assert.equal(gl.isProgram(program), false);
  });
});

/** All that a program can see of deleting a program while it is in use. */
function seenOfDeletion(gl: Gl): unknown[] {
  const webgl1 = 'void main() { gl_Position = vec4(0.0); }';
  const [first, second] = [link(gl, webgl1, 'void main() {}'), link(gl, webgl1, 'void main() {}')];
  const look = () => [
    gl.isProgram(first),
    gl.getProgramParameter(first, gl.DELETE_STATUS),
    gl.getParameter(gl.CURRENT_PROGRAM) === first,
    gl.getError(),
  ];
  gl.useProgram(first);
  const seen: unknown[] = [look()];
  gl.deleteProgram(first);
  gl.deleteProgram(first);
  seen.push(look());
  gl.useProgram(first);
  seen.push(look());
  gl.useProgram(second);
  seen.push(gl.isProgram(first), gl.getError());
  gl.useProgram(first);
  seen.push(gl.getError() !== gl.NO_ERROR);
  gl.deleteProgram(second);
  gl.useProgram(null);
  seen.push(gl.isProgram(second));
  return seen;
}

// headless-gl last: once it has started, its process offers no other EGL display.
for (const [driver, run] of [
  ['egl', <T>(work: (gl: Gl) => T): Promise<T> => webgl2(async (gl) => work(gl))],
  ['headless-gl', async <T>(work: (gl: Gl) => T): Promise<T> => work(await headlessGl())],
] as const)
  test(`${driver}: deleting a program in use looks the same with a recorder`, async () => {
    const expected = await run(seenOfDeletion);
    assert.deepEqual(expected.slice(0, 2), [
      [true, false, true, 0],
      [true, true, true, 0],
    ]);
    const seen = await run((gl) => {
      const recorder = attachProgramRecorder(gl, { producer });
      const looked = seenOfDeletion(gl);
      recorder.detach();
      return looked;
    });
    assert.deepEqual(seen, expected);
  });
