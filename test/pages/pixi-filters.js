// PixiJS on WebGL: sprites, filters, masks, text, meshes, particles, blend modes, a render texture.
import * as PIXI from 'pixi.js';
import 'pixi.js/advanced-blend-modes';

const app = new PIXI.Application();
await app.init({
  preference: 'webgl',
  width: 320,
  height: 240,
  resolution: 1,
  antialias: true,
  autoStart: false,
  useBackBuffer: true,
  background: '#1a2233',
});
document.body.append(app.canvas);

/** A disc that goes from one colour to the other and fades out, made in a canvas. */
function disc(first, second) {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 48;
  const pen = canvas.getContext('2d');
  const gradient = pen.createRadialGradient(24, 24, 0, 24, 24, 24);
  gradient.addColorStop(0, first);
  gradient.addColorStop(0.8, second);
  gradient.addColorStop(1, 'transparent');
  pen.fillStyle = gradient;
  pen.fillRect(0, 0, 48, 48);
  return PIXI.Texture.from(canvas);
}
const red = disc('#ff4433', '#ffeecc');
const blue = disc('#3377ff', 'rgba(255, 255, 255, 0.3)');
// An ImageBitmap as a source.
const pixels = new ImageData(
  new Uint8ClampedArray(16 * 16 * 4).map((_, index) =>
    index % 4 === 3 ? 255 : 128 + 100 * Math.sin((index >> 2) * 0.4 + index),
  ),
  16,
);
const bitmap = PIXI.Texture.from(await createImageBitmap(pixels));

/** A container at a place with things in it. */
function group(x, y, ...children) {
  const container = new PIXI.Container();
  container.position.set(x, y);
  container.addChild(...children);
  app.stage.addChild(container);
  return container;
}
function sprite(texture, x, y, options = {}) {
  return Object.assign(new PIXI.Sprite({ texture, anchor: 0.5, ...options }), { x, y });
}

group(0, 0, new PIXI.TilingSprite({ texture: bitmap, width: 320, height: 240, alpha: 0.2, tileScale: { x: 2, y: 2 } }));
const spinning = Array.from({ length: 20 }, (_, index) =>
  sprite(index % 2 ? red : blue, 20 + (index % 10) * 31, 20 + Math.floor(index / 10) * 22, {
    scale: 0.4,
    tint: 0xffffff - index * 2000,
  }),
);
group(0, 0, ...spinning);

const bands = PIXI.Filter.from({
  gl: {
    vertex: PIXI.defaultFilterVert,
    fragment: `
      in vec2 vTextureCoord;
      out vec4 finalColor;
      uniform sampler2D uTexture;
      uniform float phase;
      void main() { finalColor = texture(uTexture, vTextureCoord) * (0.7 + 0.3 * sin(vTextureCoord.y * 20.0 + phase)); }`,
  },
  resources: { moving: { phase: { value: 0, type: 'f32' } } },
});
const filters = [
  new PIXI.BlurFilter({ strength: 4, quality: 3 }),
  new PIXI.ColorMatrixFilter(),
  new PIXI.DisplacementFilter({ sprite: sprite(blue, 0, 0), scale: 6 }),
  bands,
  new PIXI.AlphaFilter({ alpha: 0.5 }),
];
filters[1].hue(120, false);
const filtered = filters.map((filter, index) => {
  const container = group(30 + index * 62, 125, sprite(red, 0, 0), sprite(blue, 12, 8, { scale: 0.6 }));
  container.filters = [filter];
  return container;
});

// A mask of shapes (stencil) and a mask of a sprite's alpha.
const star = new PIXI.Graphics().star(0, 0, 5, 26, 12).fill(0xffffff);
const stars = group(40, 195, new PIXI.Sprite({ texture: bitmap, anchor: 0.5, width: 60, height: 60 }), star);
stars.children[0].mask = star;
const hole = sprite(blue, 0, 0);
const holes = group(105, 195, new PIXI.Sprite({ texture: bitmap, anchor: 0.5, width: 60, height: 60 }), hole);
holes.children[0].mask = hole;

const label = new PIXI.Text({
  text: 'Text, größer',
  style: { fontSize: 20, fill: '#ffcc33', stroke: { color: '#222', width: 3 } },
});
const bitmapLabel = new PIXI.BitmapText({ text: 'bitmap 0123', style: { fontSize: 14, fill: '#88ffaa' } });
bitmapLabel.y = 26;
group(145, 165, label, bitmapLabel);

const curve = new PIXI.Graphics()
  .moveTo(0, 0)
  .bezierCurveTo(20, -30, 40, 30, 60, 0)
  .stroke({ width: 4, color: 0x44ddff })
  .roundRect(0, 8, 60, 16, 6)
  .fill(
    new PIXI.FillGradient({
      end: { x: 1, y: 0 },
      colorStops: [
        { offset: 0, color: 'red' },
        { offset: 1, color: 'blue' },
      ],
    }),
  );
group(150, 212, curve);

const plane = new PIXI.MeshPlane({ texture: red, verticesX: 6, verticesY: 6 });
group(262, 160, plane);
const rest = plane.geometry.positions.slice();

const particles = new PIXI.ParticleContainer({ dynamicProperties: { position: true } });
for (let index = 0; index < 16; index++)
  particles.addParticle(new PIXI.Particle({ texture: blue, x: index * 20, y: 90, scaleX: 0.25, scaleY: 0.25 }));
group(0, 0, particles);

const modes = ['add', 'multiply', 'screen', 'difference', 'overlay'];
group(
  232,
  224,
  ...modes.map((mode, index) => Object.assign(sprite(red, index * 18, 0, { scale: 0.4 }), { blendMode: mode })),
);

const texture = PIXI.RenderTexture.create({ width: 64, height: 64 });
const painter = sprite(red, 32, 32);
group(0, 0, new PIXI.Sprite({ texture, x: 222, y: 60, scale: 0.6 }));

let frame = 0;
function draw() {
  frame++;
  for (const [index, each] of spinning.entries()) each.rotation = frame * 0.03 + index;
  for (const [index, each] of filtered.entries()) each.rotation = Math.sin(frame * 0.05 + index) * 0.4;
  bands.resources.moving.uniforms.phase = frame * 0.1;
  star.rotation = frame * 0.02;
  label.text = `Text, größer ${frame}`;
  plane.geometry.positions = rest.map((value, index) => value + 3 * Math.sin(frame * 0.1 + index));
  for (const [index, particle] of particles.particleChildren.entries())
    particle.y = 95 + 6 * Math.sin(index * 0.2 + frame * 0.1);
  painter.rotation = frame * 0.05;
  app.renderer.render({ container: painter, target: texture, clear: frame % 30 === 1 });
  app.render();
  requestAnimationFrame(draw);
}
requestAnimationFrame(draw);
