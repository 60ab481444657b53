// deck.gl: many of its layers over each other, lit, with a picture and text made in the page.
import { AmbientLight, Deck, DirectionalLight, LightingEffect, OrbitView } from '@deck.gl/core';
import {
  ArcLayer,
  BitmapLayer,
  ColumnLayer,
  IconLayer,
  LineLayer,
  PathLayer,
  PointCloudLayer,
  PolygonLayer,
  ScatterplotLayer,
  TextLayer,
} from '@deck.gl/layers';

const canvas = document.createElement('canvas');
canvas.style.cssText = 'width: 320px; height: 240px';
document.body.append(canvas);

const picture = new ImageData(
  new Uint8ClampedArray(32 * 32 * 4).map(
    (_, index) => [200, ((index >> 2) % 32) * 8, (index >> 7) * 8, 255][index % 4],
  ),
  32,
);
const image = await createImageBitmap(picture);
const icons = document.createElement('canvas');
icons.width = icons.height = 32;
const pen = icons.getContext('2d');
pen.fillStyle = '#fff';
pen.fillRect(12, 2, 8, 28);
pen.fillRect(2, 12, 28, 8);

const ring = (count, radius, make) =>
  Array.from({ length: count }, (_, index) => {
    const turn = (index / count) * Math.PI * 2;
    return make([Math.cos(turn) * radius, Math.sin(turn) * radius, 0], index);
  });
const colour = (index, alpha = 255) => [
  80 + ((index * 53) % 170),
  80 + ((index * 91) % 170),
  200 - ((index * 31) % 120),
  alpha,
];

const discs = ring(14, 55, ([x, y], index) => ({ position: [x, y, 1 + (index % 2)], index }));
const pillars = ring(6, 30, (position, index) => ({ position, index }));
const cloud = Array.from({ length: 40 }, (_, index) => {
  const height = index / 40;
  return {
    position: [Math.cos(index * 2.4) * 12 * height, Math.sin(index * 2.4) * 12 * height, 45 * (1 - height)],
    index,
  };
});
const path = ring(60, 1, (at, index) => [
  at[0] * (44 + 4 * Math.sin(index * 0.8)),
  at[1] * (44 + 4 * Math.sin(index * 0.8)),
  2,
]);
const houses = ring(2, 68, ([x, y], index) => ({
  polygon: [
    [x - 4, y - 4],
    [x + 4, y - 4],
    [x + 2, y + 4],
    [x - 4, y + 4],
  ],
  index,
}));
const words = [{ text: 'Ärger', position: [15, -75, 12] }];

function layers(frame) {
  const grown = (index) => 12 + 8 * Math.sin(index + frame * 0.1);
  return [
    new BitmapLayer({ id: 'bitmap', image, bounds: [-80, -80, 80, 80], opacity: 0.5 }),
    new ScatterplotLayer({
      id: 'discs',
      data: discs,
      getPosition: (d) => d.position,
      getRadius: (d) => 4 + (d.index % 4),
      getFillColor: (d) => colour(d.index),
      stroked: true,
      getLineWidth: 1,
      getLineColor: [255, 255, 255],
    }),
    new PathLayer({
      id: 'path',
      data: [path],
      getPath: (d) => d,
      getWidth: 2,
      getColor: [255, 220, 80],
      jointRounded: true,
      capRounded: true,
    }),
    new LineLayer({
      id: 'lines',
      data: discs,
      getSourcePosition: [0, 0, 1],
      getTargetPosition: (d) => d.position,
      getColor: (d) => colour(d.index, 160),
      getWidth: 1,
    }),
    new PolygonLayer({
      id: 'houses',
      parameters: { cullMode: 'back' },
      data: houses,
      extruded: true,
      getPolygon: (d) => d.polygon,
      getElevation: (d) => grown(d.index),
      getFillColor: (d) => colour(d.index + 7),
      updateTriggers: { getElevation: frame },
    }),
    new ColumnLayer({
      id: 'pillars',
      parameters: { cullMode: 'back' },
      data: pillars,
      diskResolution: 8,
      radius: 4,
      extruded: true,
      getPosition: (d) => d.position,
      getFillColor: (d) => colour(d.index + 3),
      getElevation: (d) => grown(d.index * 2),
      updateTriggers: { getElevation: frame },
    }),
    new PointCloudLayer({
      id: 'cloud',
      data: cloud,
      pointSize: 3,
      getPosition: (d) => d.position,
      getNormal: [0, 0, 1],
      getColor: (d) => colour(d.index >> 4),
    }),
    new ArcLayer({
      id: 'arcs',
      data: pillars,
      getSourcePosition: (d) => d.position,
      getTargetPosition: (d) => [-d.position[1] * 2, d.position[0] * 2, 0],
      getSourceColor: [255, 80, 80],
      getTargetColor: [80, 255, 255],
      getWidth: 2,
    }),
    new IconLayer({
      id: 'icons',
      data: houses,
      iconAtlas: icons,
      iconMapping: { cross: { x: 0, y: 0, width: 32, height: 32, mask: true } },
      getIcon: () => 'cross',
      getPosition: (d) => [...d.polygon[2], 30],
      getSize: 18,
      getColor: (d) => colour(d.index + 20),
    }),
    new TextLayer({
      id: 'words',
      data: words,
      getText: (d) => d.text,
      getPosition: (d) => d.position,
      getSize: 16,
      getColor: [255, 255, 255],
      characterSet: 'auto',
      fontSettings: { sdf: true },
      outlineWidth: 2,
      outlineColor: [0, 0, 0],
    }),
  ];
}

const lights = new LightingEffect({
  ambient: new AmbientLight({ intensity: 1.2 }),
  sun: new DirectionalLight({ intensity: 1.5, direction: [-1, -2, -3] }),
});
const viewState = (frame) => ({ target: [0, 0, 10], rotationX: 40, rotationOrbit: 30 + frame, zoom: 0.6 });

// deck.gl draws while it still makes its font and layers ready; frames count from when they are.
let frame = 0;
const deck = new Deck({
  canvas,
  width: 320,
  height: 240,
  useDevicePixels: false,
  views: new OrbitView({ orthographic: false }),
  viewState: viewState(0),
  effects: [lights],
  parameters: { clearColor: [0.1, 0.12, 0.2, 1] },
  layers: layers(0),
  onAfterRender: () => {
    if (!deck.layerManager.layers.every(({ isLoaded }) => isLoaded)) return;
    frame++;
    globalThis.framesDrawn = frame;
    requestAnimationFrame(() => deck.setProps({ viewState: viewState(frame), layers: layers(frame) }));
  },
});
