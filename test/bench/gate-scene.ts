/** A frame of a few render passes, each one draw that fills its target with a loop for every fragment. */
import { CaptureWriter } from '../../src/capture/write.ts';
import { signatureOf } from '../../src/gl/command-table.ts';
import type { Argument } from '../../src/model/call.ts';

export interface ScenePass {
  readonly name: string;
  /** Rounds of each fragment's loop: what the pass costs is about proportional. */
  readonly rounds: number;
}

const side = 128;

const vertexShader = `#version 300 es
out vec2 place;
void main() {
  vec2 at = vec2(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1);
  place = at;
  gl_Position = vec4(at, 0, 1);
}`;

const fragmentShader = ({ name, rounds }: ScenePass): string => `#version 300 es
// ${name}
precision highp float;
in vec2 place;
out vec4 result;
void main() {
  vec4 sum = vec4(place, 0.3, 0.7);
  for (int round = 0; round < ${rounds}; round++) sum = fract(sum * 1.37 + sum.yzwx);
  result = sum;
}`;

/** Writes the capture: pass n draws with program n into framebuffer n, inside a marker of its name. */
export async function writeScene(path: string, passes: readonly ScenePass[]): Promise<string> {
  const writer = await CaptureWriter.create(path, {
    api: 'webgl2',
    apiVersion: [3, 0],
    origin: { producer: 'bench', driver: 'none', vendor: 'none', renderer: 'none', version: '1' },
    canvas: { width: side, height: side, alpha: true, depth: false, stencil: false, samples: 0, preserved: false },
    requires: { extensions: [], limits: {} },
  });
  const call = (name: string, args: readonly Argument[], result?: number): void => {
    const signature = signatureOf(name);
    if (!signature) throw new Error(`no command ${name}`);
    writer.call(signature, args, result);
  };
  call('glViewport', [0, 0, side, side]);
  for (const [index, pass] of passes.entries()) {
    const id = index + 1;
    call('glCreateProgram', [], id);
    for (const [shader, kind, source] of [
      [2 * id - 1, 0x8b31, vertexShader],
      [2 * id, 0x8b30, fragmentShader(pass)],
    ] as const) {
      call('glCreateShader', [kind], shader);
      call('glShaderSource', [shader, 1, [source], null]);
      call('glCompileShader', [shader]);
      call('glAttachShader', [id, shader]);
    }
    call('glLinkProgram', [id]);
    call('glGenTextures', [1, [id]]);
    call('glBindTexture', [0x0de1, id]);
    call('glTexStorage2D', [0x0de1, 1, 0x8058, side, side]);
    call('glGenFramebuffers', [1, [id]]);
    call('glBindFramebuffer', [0x8d40, id]);
    call('glFramebufferTexture2D', [0x8d40, 0x8ce0, 0x0de1, id, 0]);
  }
  writer.beginFrame();
  for (const [index, { name }] of passes.entries()) {
    call('glPushGroupMarkerEXT', [0, name]);
    call('glBindFramebuffer', [0x8d40, index + 1]);
    call('glUseProgram', [index + 1]);
    call('glDrawArrays', [4, 0, 3]);
    call('glPopGroupMarkerEXT', []);
  }
  await writer.finish();
  return path;
}
