/** Frames of the compatibility profile: each draws by some state, then changes it, so that a run without restoring looks different. */
import { bytes, CaptureBuilder, floats, inline, offset, words } from './memory-capture.ts';

export interface LegacyCase {
  readonly name: string;
  /** Before the frame. */
  readonly setup?: (b: CaptureBuilder) => unknown;
  readonly draw: (b: CaptureBuilder) => unknown;
  /** The frame's end. */
  readonly change: (b: CaptureBuilder) => unknown;
  /** The colour at the middle of the canvas, in RGB. */
  readonly middle: readonly [number, number, number];
}

const GL_QUADS = 7;
const doubles = (...values: number[]) => inline(new Float64Array(values));

export const begin = (b: CaptureBuilder, mode = GL_QUADS) => b.call('glBegin', mode);
export const corners = (b: CaptureBuilder, depth = 0) => {
  for (const [x, y] of [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ])
    b.call('glVertex3f', x, y, depth);
  return b;
};
export const fullQuad = (b: CaptureBuilder, depth = 0) => corners(begin(b), depth).call('glEnd');
const color = (b: CaptureBuilder, ...rgb: [number, number, number]) => b.call('glColor3f', ...rgb);

export const blank = (): CaptureBuilder =>
  new CaptureBuilder({ api: 'gl', apiVersion: [2, 1], profile: 'compatibility', canvas: { width: 32, height: 32 } });

const program = (b: CaptureBuilder, target: number, id: number, text: string) =>
  b
    .call('glGenProgramsARB', 1, [id])
    .call('glBindProgramARB', target, id)
    .call('glProgramStringARB', target, 0x8875, text.length, inline(new TextEncoder().encode(text)))
    .call('glEnable', target);

const texture = (b: CaptureBuilder, id: number, ...rgba: [number, number, number, number]) =>
  b
    .call('glGenTextures', 1, [id])
    .call('glBindTexture', 0x0de1, id)
    .call('glTexParameteri', 0x0de1, 0x2801, 0x2600)
    .call('glTexImage2D', 0x0de1, 0, 0x8058, 1, 1, 0, 0x1908, 0x1401, bytes(...rgba));

const square = [-1, -1, 1, -1, 1, 1, -1, 1];

export const legacyCases: readonly LegacyCase[] = [
  {
    name: 'the current colour',
    setup: (b) => color(b, 1, 0, 0),
    draw: fullQuad,
    change: (b) => color(b, 0, 1, 0),
    middle: [255, 0, 0],
  },
  {
    name: 'matrices and their stacks',
    setup: (b) =>
      b.call('glMatrixMode', 0x1700).call('glTranslatef', 2, 0, 0).call('glPushMatrix').call('glLoadIdentity'),
    draw: (b) => fullQuad(color(b, 0, 0, 1)),
    change: (b) =>
      b
        .call('glPopMatrix')
        .call('glMatrixMode', 0x1701)
        .call('glLoadMatrixf', floats(...Array(15).fill(0), 1)),
    middle: [0, 0, 255],
  },
  {
    name: 'texture matrices of each unit',
    setup: (b) => texture(texture(b, 1, 10, 20, 30, 255), 2, 1, 2, 3, 255).call('glEnable', 0x0de1),
    draw: (b) => fullQuad(color(b.call('glBindTexture', 0x0de1, 1), 1, 1, 1)),
    change: (b) =>
      b
        .call('glActiveTexture', 0x84c1)
        .call('glMatrixMode', 0x1702)
        .call('glTranslatef', 1, 1, 0)
        .call('glActiveTexture', 0x84c0)
        .call('glDisable', 0x0de1),
    middle: [10, 20, 30],
  },
  {
    name: 'lights, materials and the light model',
    setup: (b) =>
      b
        .call('glEnable', 0x0b50)
        .call('glEnable', 0x4000)
        .call('glLightfv', 0x4000, 0x1203, floats(0, 0, 1, 0))
        .call('glLightfv', 0x4000, 0x1201, floats(1, 1, 1, 1))
        .call('glLightf', 0x4000, 0x1207, 1)
        .call('glLightModelfv', 0x0b53, floats(0, 0, 0, 1))
        .call('glMaterialfv', 0x0408, 0x1602, floats(0.2, 0.4, 0.6, 1)),
    draw: (b) => fullQuad(b.call('glNormal3f', 0, 0, 1)),
    change: (b) =>
      b
        .call('glLightfv', 0x4000, 0x1201, floats(0, 0, 0, 1))
        .call('glMaterialfv', 0x0408, 0x1602, floats(1, 1, 1, 1))
        .call('glMaterialfv', 0x0408, 0x1601, floats(3))
        .call('glLightModelfv', 0x0b53, floats(1, 1, 1, 1)),
    middle: [51, 102, 153],
  },
  {
    name: 'fog',
    setup: (b) =>
      b
        .call('glEnable', 0x0b60)
        .call('glFogi', 0x0b65, 0x2601)
        .call('glFogf', 0x0b63, 0)
        .call('glFogf', 0x0b64, 0.25)
        .call('glFogfv', 0x0b66, floats(0, 1, 0, 1)),
    draw: (b) => fullQuad(color(b, 1, 0, 0), -0.5),
    change: (b) => b.call('glFogfv', 0x0b66, floats(0, 0, 1, 1)).call('glFogf', 0x0b62, 9),
    middle: [0, 255, 0],
  },
  {
    name: 'texture environment and generated coordinates',
    setup: (b) => {
      texture(b, 1, 255, 128, 0, 255).call('glEnable', 0x0de1).call('glTexEnvi', 0x2300, 0x2200, 0x1e01);
      b.call('glTexGeni', 0x2000, 0x2500, 0x2401)
        .call('glTexGenfv', 0x2000, 0x2501, floats(1, 0, 0, 0))
        .call('glEnable', 0x0c60);
    },
    draw: (b) => fullQuad(color(b, 0, 0, 1)),
    change: (b) => b.call('glTexEnvi', 0x2300, 0x2200, 0x2100).call('glTexGenfv', 0x2000, 0x2501, floats(0, 0, 0, 0.5)),
    middle: [255, 128, 0],
  },
  {
    name: 'the alpha test and shading',
    setup: (b) => b.call('glEnable', 0x0bc0).call('glAlphaFunc', 0x0204, 0.5).call('glShadeModel', 0x1d00),
    draw: (b) => {
      fullQuad(b.call('glColor4f', 1, 0, 0, 1));
      fullQuad(b.call('glColor4f', 0, 1, 0, 0.25));
    },
    change: (b) => b.call('glAlphaFunc', 0x0200, 0.5).call('glShadeModel', 0x1d01),
    middle: [255, 0, 0],
  },
  {
    name: 'a clip plane',
    setup: (b) => b.call('glClipPlane', 0x3000, doubles(1, 0, 0, 2)).call('glEnable', 0x3000),
    draw: (b) => fullQuad(color(b, 1, 1, 0)),
    change: (b) => b.call('glClipPlane', 0x3000, doubles(1, 0, 0, -2)),
    middle: [255, 255, 0],
  },
  {
    name: 'polygon stipple',
    setup: (b) => b.call('glEnable', 0x0b42).call('glPolygonStipple', bytes(...Array(128).fill(255))),
    draw: (b) => fullQuad(color(b, 0, 1, 1)),
    change: (b) => b.call('glPolygonStipple', bytes(...Array(128).fill(0))),
    middle: [0, 255, 255],
  },
  {
    name: 'attributes pushed and popped, the last left pushed',
    setup: (b) => color(b, 0.2, 0, 0),
    draw: (b) => {
      color(b.call('glPushAttrib', 0xfffff), 1, 1, 1).call('glEnable', 0x0b71).call('glPopAttrib');
      fullQuad(b);
    },
    change: (b) => color(b.call('glPushAttrib', 1), 1, 0, 0),
    middle: [51, 0, 0],
  },
  {
    name: 'client arrays in memory, enabled and their layout',
    setup: (b) =>
      b
        .call('glVertexPointer', 2, 0x1406, 0, floats(...square))
        .call('glEnableClientState', 0x8074)
        .call('glColorPointer', 3, 0x1401, 0, bytes(...Array(12).fill(100)))
        .call('glEnableClientState', 0x8076),
    draw: (b) => b.call('glDrawArrays', GL_QUADS, 0, 4),
    change: (b) => b.call('glColorPointer', 3, 0x1401, 0, bytes(...Array(12).fill(200))).call('glPushClientAttrib', 3),
    middle: [100, 100, 100],
  },
  {
    name: 'indices and interleaved arrays in memory',
    draw: (b) => {
      const vertices = square.flatMap((value, at) => (at % 2 === 0 ? [0, 1, 0, value] : [value, 0]));
      b.call('glInterleavedArrays', 0x2a24, 0, floats(...vertices));
      b.call('glDrawElements', GL_QUADS, 4, 0x1401, bytes(0, 1, 2, 3));
    },
    change: (b) => b.call('glDisableClientState', 0x8074).call('glClearColor', 1, 1, 1, 1).call('glClear', 0x4000),
    middle: [255, 255, 255],
  },
  {
    name: 'arrays in a buffer, and array elements',
    setup: (b) =>
      b
        .call('glGenBuffers', 1, [1])
        .call('glBindBuffer', 0x8892, 1)
        .call('glBufferData', 0x8892, 32, floats(...square), 0x88e4)
        .call('glVertexPointer', 2, 0x1406, 0, offset(0))
        .call('glEnableClientState', 0x8074)
        .call('glBindBuffer', 0x8892, 0),
    draw: (b) => {
      begin(color(b, 1, 0, 1));
      for (let at = 0; at < 4; at++) b.call('glArrayElement', at);
      b.call('glEnd');
    },
    change: (b) =>
      b
        .call('glBindBuffer', 0x8892, 1)
        .call('glVertexPointer', 2, 0x1406, 8, offset(16))
        .call('glDisableClientState', 0x8074),
    middle: [255, 0, 255],
  },
  {
    name: 'the raster position, bitmaps and drawn pixels',
    setup: (b) => color(b, 1, 0, 0).call('glWindowPos2i', 8, 8),
    draw: (b) => {
      b.call('glBitmap', 16, 16, 0, 0, 0, 0, bytes(...Array(32).fill(255)));
      b.call('glDrawPixels', 2, 2, 0x1908, 0x1401, bytes(...Array(16).fill(77)));
    },
    change: (b) => color(b, 0, 0, 1).call('glWindowPos2i', 0, 0),
    middle: [255, 0, 0],
  },
  {
    name: 'pixel transfer, maps and zoom',
    setup: (b) => b.call('glPixelTransferf', 0x0d15, 0.5).call('glPixelZoom', 32, 32).call('glWindowPos2i', 0, 0),
    draw: (b) => b.call('glDrawPixels', 1, 1, 0x1908, 0x1401, bytes(200, 100, 40, 255)),
    change: (b) =>
      b
        .call('glPixelTransferf', 0x0d15, 0)
        .call('glPixelMapfv', 0x0c76, 2, floats(1, 1))
        .call('glPixelTransferi', 0x0d10, 1)
        .call('glPixelZoom', 1, 1),
    middle: [255, 100, 40],
  },
  {
    name: 'evaluators',
    setup: (b) =>
      b
        .call('glMap2f', 0x0db7, 0, 1, 3, 2, 0, 1, 6, 2, floats(-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0))
        .call('glEnable', 0x0db7)
        .call('glMapGrid2f', 1, 0, 1, 1, 0, 1),
    draw: (b) => color(b, 0, 1, 0).call('glEvalMesh2', 0x1b02, 0, 1, 0, 1),
    change: (b) =>
      b
        .call('glMap2f', 0x0db7, 0, 1, 3, 2, 0, 1, 6, 2, floats(...Array(12).fill(0)))
        .call('glMapGrid2f', 3, 0, 1, 3, 0, 1),
    middle: [0, 255, 0],
  },
  {
    name: 'a colour that is current while a mesh has its own',
    // What alpha Mesa's evaluators leave depends on the calls before.
    setup: (b) => b.call('glColorMask', 1, 1, 1, 0),
    draw: (b) => {
      color(b, 1, 1, 0)
        .call('glMap1f', 0x0d97, 0, 1, 3, 2, floats(0, 0, 0, 0, 0.1, 0))
        .call('glEnable', 0x0d97);
      begin(b, 3).call('glEvalCoord1f', 0).call('glEvalCoord1f', 1).call('glEnd');
      b.call('glMap2f', 0x0db7, 0, 1, 3, 2, 0, 1, 6, 2, floats(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0));
      b.call('glMap2f', 0x0db0, 0, 1, 4, 2, 0, 1, 8, 2, floats(1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1));
      b.call('glEnable', 0x0db7).call('glEnable', 0x0db0).call('glMapGrid2f', 2, 0, 1, 2, 0, 1);
      fullQuad(b.call('glEvalMesh2', 0x1b02, 0, 2, 0, 2));
    },
    change: (b) => color(b, 0, 1, 0),
    middle: [255, 255, 0],
  },
  {
    name: 'selection, which draws nothing',
    draw: (b) => {
      fullQuad(color(b, 1, 0, 0));
      b.call('glSelectBuffer', 64, 256).call('glRenderMode', 0x1c02).call('glInitNames').call('glPushName', 7);
      fullQuad(color(b, 0, 1, 0));
      b.call('glRenderMode', 0x1c00);
    },
    change: (b) => b.call('glFeedbackBuffer', 64, 0x0600, 256).call('glRenderMode', 0x1c01),
    middle: [255, 0, 0],
  },
  {
    name: 'display lists called by base, type and name, and nested',
    setup: (b) => {
      b.made(10, 'glGenLists', 3);
      color(b.call('glNewList', 10, 0x1300), 0, 0.4, 0).call('glEndList');
      fullQuad(b.call('glNewList', 11, 0x1300)).call('glEndList');
      b.call('glNewList', 12, 0x1300)
        .call('glCallList', 10)
        .call('glCallList', 11)
        .call('glEndList')
        .call('glListBase', 9);
    },
    draw: (b) =>
      b.call('glCallLists', 2, 0x1401, bytes(3, 100)).call('glCallLists', 1, 0x1403, inline(new Uint16Array([1]))),
    change: (b) => {
      color(b.call('glListBase', 0).call('glNewList', 500, 0x1301), 1, 0, 0);
      fullQuad(b).call('glEndList').call('glDeleteLists', 10, 3).call('glCallList', 500);
    },
    middle: [255, 0, 0],
  },
  {
    name: 'lists that call others before they are there, and after they are gone',
    setup: (b) => {
      color(b, 0, 1, 0).call('glNewList', 3, 0x1300);
      // Mesa looks into lists that are called where vertices have no colour of their own yet.
      corners(begin(b).call('glCallList', 7).call('glCallLists', 1, 0x1401, bytes(8))).call('glColor3f', 0, 1, 0);
      b.call('glEnd').call('glEndList');
    },
    draw: (b) => b.call('glCallList', 3),
    change: (b) => {
      color(b.call('glNewList', 7, 0x1300), 1, 0, 0)
        .call('glEndList')
        .call('glDeleteLists', 7, 1);
      corners(begin(b.call('glNewList', 9, 0x1300)).call('glCallList', 7)).call('glColor3f', 1, 0, 0);
      b.call('glEnd').call('glEndList');
      color(b.call('glNewList', 8, 0x1300), 0, 0, 1)
        .call('glEndList')
        .call('glCallList', 8);
    },
    middle: [0, 255, 0],
  },
  {
    name: 'a list made anew before it is called',
    setup: (b) => fullQuad(b.call('glNewList', 5, 0x1300)).call('glEndList'),
    draw: (b) => {
      fullQuad(color(b.call('glNewList', 5, 0x1300), 0, 0, 1)).call('glEndList');
      b.call('glCallList', 5);
    },
    change: (b) =>
      b.call('glBlendFunc', 1, 1).call('glEnable', 0x0be2).call('glClearColor', 0, 1, 0, 1).call('glClear', 0x4000),
    middle: [0, 255, 0],
  },
  {
    name: 'textures bound in a list',
    setup: (b) => {
      texture(texture(b, 1, 50, 60, 70, 255), 2, 1, 2, 3, 255);
      b.call('glNewList', 1, 0x1300).call('glBindTexture', 0x0de1, 1).call('glEndList').call('glEnable', 0x0de1);
      b.call('glNewList', 2, 0x1300).call('glBindTexture', 0x0de1, 2).call('glEndList').call('glCallList', 1);
    },
    draw: (b) => fullQuad(color(b, 1, 1, 1)),
    change: (b) => b.call('glCallList', 2),
    middle: [50, 60, 70],
  },
  {
    name: 'assembly programs and their parameters',
    setup: (b) => {
      program(
        b,
        0x8620,
        1,
        '!!ARBvp1.0\nMOV result.position, vertex.position;\nMOV result.color, program.env[0];\nEND',
      );
      program(b, 0x8804, 2, '!!ARBfp1.0\nMUL result.color, fragment.color, program.local[0];\nEND');
      b.call('glProgramEnvParameter4fARB', 0x8620, 0, 1, 0.6, 0.2, 1);
      b.call('glProgramLocalParameter4fvARB', 0x8804, 0, floats(1, 1, 0, 1));
    },
    draw: fullQuad,
    change: (b) => {
      program(b, 0x8804, 3, '!!ARBfp1.0\nMOV result.color, {0,0,0,1};\nEND');
      b.call('glProgramEnvParameter4fARB', 0x8620, 0, 0, 0, 0, 1);
    },
    middle: [255, 153, 0],
  },
  {
    name: 'local parameters and the text of an assembly program',
    setup: (b) => {
      program(b, 0x8804, 2, '!!ARBfp1.0\nMOV result.color, program.local[1];\nEND');
      b.call('glProgramLocalParameter4fARB', 0x8804, 1, 0.2, 0.4, 0.8, 1);
    },
    draw: fullQuad,
    change: (b) => {
      const text = '!!ARBfp1.0\nMOV result.color, {1,0,0,1};\nEND';
      b.call('glProgramLocalParameter4fARB', 0x8804, 1, 1, 1, 1, 1);
      b.call('glProgramStringARB', 0x8804, 0x8875, text.length, inline(new TextEncoder().encode(text)));
    },
    middle: [51, 102, 204],
  },
  {
    name: 'draw and read buffers of the canvas by all its names, and copied pixels',
    setup: (b) => b.call('glDrawBuffer', 0x0404),
    draw: (b) => {
      b.call('glDrawBuffer', 0x0408);
      fullQuad(color(b, 0, 1, 0));
      b.call('glDrawBuffer', 0x0406)
        .call('glReadBuffer', 0x0404)
        .call('glWindowPos2i', 0, 0)
        .call('glCopyPixels', 0, 0, 4, 4, 0x1800);
      b.call('glDrawBuffers', 1, words(0x0402)).call('glReadBuffer', 0x0405);
    },
    change: (b) => {
      b.call('glPushAttrib', 0x4000).call('glDrawBuffer', 0).call('glPopAttrib');
      fullQuad(color(b.call('glEnable', 0x0be2).call('glBlendFunc', 1, 1), 1, 0, 0));
    },
    middle: [255, 255, 0],
  },
  {
    name: 'sRGB, which the windows of desktop OpenGL can have',
    draw: (b) => fullQuad(color(b.call('glEnable', 0x8db9), 0.57758, 0, 1)),
    change: (b) => b.call('glDisable', 0x8db9),
    middle: [200, 0, 255],
  },
  {
    name: 'primitive restart and colour index state',
    setup: (b) => b.call('glEnableClientState', 0x8074).call('glVertexPointer', 2, 0x1406, 0, floats(...square)),
    draw: (b) => {
      b.call('glPrimitiveRestartIndex', 9).call('glEnable', 0x8f9d);
      color(b, 0.2, 0.2, 0.2).call('glDrawElements', 6, 5, 0x1401, bytes(9, 0, 1, 2, 3));
    },
    change: (b) => b.call('glVertexPointer', 2, 0x1406, 0, floats(0, 0, 0, 0, 0, 0, 0, 0)).call('glClear', 0x4000),
    middle: [0, 0, 0],
  },
];
