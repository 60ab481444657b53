/** Captures of any size: frames of very many cheap calls, and resources of which a frame uses few. */
import { CaptureWriter } from '../../src/capture/write.ts';
import { signatureOf } from '../../src/gl/command-table.ts';
import type { Argument } from '../../src/model/call.ts';
import type { CaptureHead } from '../../src/model/sink.ts';

const mebibyte = 2 ** 20;
const materials = 8;
const drawsOfGroup = 100;
const groupsOfPart = 10;

const head: CaptureHead = {
  api: 'webgl2',
  apiVersion: [3, 0],
  origin: { producer: 'gpuprof bench', driver: 'none', vendor: 'none', renderer: 'none', version: 'none' },
  canvas: { width: 256, height: 256, alpha: true, depth: false, stencil: false, samples: 0, preserved: false },
  requires: { extensions: [], limits: {} },
};

/** A triangle of a few pixels; scale-frame.c has the same. */
const vertexShader = `#version 300 es
layout(location = 0) in vec2 corner;
uniform mat4 view;
uniform vec4 place;
uniform float size;
void main() { gl_Position = view * vec4(corner * size + place.xy, 0, 1); }
`;
const fragmentShader = `#version 300 es
precision mediump float;
uniform vec4 colour;
uniform sampler2D image;
out vec4 result;
void main() { result = colour * texture(image, vec2(0.5)); }
`;

const inline = (view: ArrayBufferView): Argument => ({
  kind: 'inline',
  bytes: new Uint8Array(view.buffer, view.byteOffset, view.byteLength),
});
const identity = inline(Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1));

/** Calls by name into a capture that is being written. */
class Calls {
  readonly writer: CaptureWriter;

  constructor(writer: CaptureWriter) {
    this.writer = writer;
  }

  add(name: string, ...args: Argument[]): void {
    this.made(0, name, ...args);
  }

  made(result: number, name: string, ...args: Argument[]): void {
    const signature = signatureOf(name);
    if (!signature) throw new Error(`no command ${name}`);
    this.writer.call(signature, args, result);
  }

  /** Programs, vertex arrays and 4x4 textures, `materials` of each. */
  scene(): void {
    for (let id = 1; id <= materials; id++) {
      this.made(id, 'glCreateProgram');
      for (const [shader, kind, source] of [
        [2 * id - 1, 0x8b31, vertexShader],
        [2 * id, 0x8b30, fragmentShader],
      ] as const) {
        this.made(shader, 'glCreateShader', kind);
        this.add('glShaderSource', shader, 1, [source], null);
        this.add('glCompileShader', shader);
        this.add('glAttachShader', id, shader);
      }
      this.add('glLinkProgram', id);
      this.add('glGenVertexArrays', 1, [id]);
      this.add('glBindVertexArray', id);
      this.add('glGenBuffers', 1, [id]);
      this.add('glBindBuffer', 0x8892, id);
      this.add('glBufferData', 0x8892, 24, inline(Float32Array.of(0, 0, 1, 0, 0, 1)), 0x88e4);
      this.add('glEnableVertexAttribArray', 0);
      this.add('glVertexAttribPointer', 0, 2, 0x1406, 0, 0, { kind: 'offset', offset: 0 });
      this.texture(id, 4, inline(new Uint8Array(64).fill(256 - id)));
    }
  }

  texture(id: number, side: number, texels: Argument): void {
    this.add('glGenTextures', 1, [id]);
    this.add('glBindTexture', 0xde1, id);
    this.add('glTexParameteri', 0xde1, 0x2801, 0x2600);
    this.add('glTexImage2D', 0xde1, 0, 0x8058, side, side, 0, 0x1908, 0x1401, texels);
  }

  /** Ten calls. */
  draw(index: number, texture: number): void {
    const id = 1 + (index % materials);
    const at = (name: string) => this.writer.location(id, name);
    const [x, y] = [((index % 97) / 97) * 2 - 1, ((index % 89) / 89) * 2 - 1];
    this.add('glUseProgram', id);
    this.add('glBindVertexArray', id);
    this.add('glActiveTexture', 0x84c0);
    this.add('glBindTexture', 0xde1, texture);
    this.add('glUniformMatrix4fv', at('view'), 1, 0, identity);
    this.add('glUniform4fv', at('colour'), 1, inline(Float32Array.of((index % 13) / 13, (index % 7) / 7, 1, 1)));
    this.add('glUniform4f', at('place'), x, y, 0, 0);
    this.add('glUniform1f', at('size'), 0.02);
    this.add('glUniform1i', at('image'), 0);
    this.add('glDrawArrays', 4, 0, 3);
  }
}

async function write(path: string, fill: (calls: Calls) => void | Promise<void>): Promise<void> {
  const writer = await CaptureWriter.create(path, head);
  try {
    await fill(new Calls(writer));
    await writer.finish();
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** A frame of so many draws, ten calls for each, in groups of 100 that are in parts of ten groups. */
export const writeCalls = (path: string, draws: number): Promise<void> =>
  write(path, (calls) => {
    calls.scene();
    calls.writer.beginFrame();
    calls.add('glClearColor', 0, 0, 0, 1);
    calls.add('glClear', 0x4000);
    const perPart = drawsOfGroup * groupsOfPart;
    for (let index = 0; index < draws; index++) {
      if (index % perPart === 0) calls.add('glPushGroupMarkerEXT', 0, `part ${index / perPart + 1}`);
      if (index % drawsOfGroup === 0) calls.add('glPushGroupMarkerEXT', 0, `group ${index / drawsOfGroup + 1}`);
      calls.draw(index, 1 + (index % materials));
      if ((index + 1) % drawsOfGroup === 0) calls.add('glPopGroupMarkerEXT');
      if ((index + 1) % perPart === 0) calls.add('glPopGroupMarkerEXT');
    }
  });

/** Every tenth resource is a buffer's, every other a texture's of 512x512; a frame draws with every hundredth texture. */
export const writeResources = (path: string, megabytes: number): Promise<void> =>
  write(path, async (calls) => {
    calls.scene();
    const used: number[] = [];
    // Texels that repeat: what is tried is their number, not deflate.
    const bytes = new Uint8Array(mebibyte).map((_, at) => at);
    const number = new DataView(bytes.buffer);
    for (let index = 0; index < megabytes; index++) {
      const id = materials + 1 + index;
      number.setUint32(0, index);
      const resource = calls.writer.resource(bytes);
      const data: Argument = { kind: 'resource', resource, byteOffset: 0, byteLength: mebibyte };
      if (index % 10 === 5) {
        calls.add('glGenBuffers', 1, [id]);
        calls.add('glBindBuffer', 0x8892, id);
        calls.add('glBufferData', 0x8892, mebibyte, data, 0x88e4);
      } else calls.texture(id, 512, data);
      if (index % 100 === 0) used.push(id);
      await calls.writer.drain();
    }
    calls.add('glBindTexture', 0xde1, 0);
    calls.add('glBindBuffer', 0x8892, 0);
    calls.writer.beginFrame();
    calls.add('glClear', 0x4000);
    for (const [index, texture] of used.entries()) calls.draw(index, texture);
  });
