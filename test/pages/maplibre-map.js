// MapLibre with a style of our own: fills, lines, circles, a heatmap, extruded buildings, patterns, a raster, terrain-like shading.

import * as maplibre from 'maplibre-gl';
import workerText from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker';

maplibre.setWorkerUrl(URL.createObjectURL(new Blob([workerText], { type: 'text/javascript' })));
maplibre.setWorkerCount(1);

const place = document.createElement('div');
place.style.cssText = 'position: relative; width: 320px; height: 240px; overflow: hidden';
document.body.append(place);

const feature = (type, coordinates, properties = {}) => ({
  type: 'Feature',
  properties,
  geometry: { type, coordinates },
});
const source = (features, options = {}) => ({
  type: 'geojson',
  data: { type: 'FeatureCollection', features },
  tolerance: 0,
  ...options,
});
const square = (x, y, size) => [
  [
    [x, y],
    [x + size, y],
    [x + size, y + size],
    [x, y + size],
    [x, y],
  ],
];

const blocks = [];
const towers = [];
for (let row = 0; row < 6; row++)
  for (let column = 0; column < 6; column++) {
    const [x, y] = [column * 0.01 - 0.03, row * 0.01 - 0.03];
    blocks.push(feature('Polygon', square(x, y, 0.008), { kind: (row + column) % 3 }));
    if ((row * column) % 3 === 1)
      towers.push(feature('Polygon', square(x + 0.002, y + 0.002, 0.004), { height: 200 + row * 120 }));
  }
const roads = Array.from({ length: 2 }, (_, index) =>
  feature(
    'LineString',
    Array.from({ length: 40 }, (_, step) => [
      step * 0.002 - 0.04,
      index * 0.03 - 0.02 + 0.002 * Math.sin(step * 0.4 + index),
    ]),
    { index },
  ),
);
const spots = Array.from({ length: 40 }, (_, index) => {
  const turn = index * 2.4;
  return feature('Point', [Math.cos(turn) * 0.004 * Math.sqrt(index), Math.sin(turn) * 0.004 * Math.sqrt(index)], {
    weight: (index % 7) / 7,
  });
});

const raster = document.createElement('canvas');
raster.width = raster.height = 64;
const pen = raster.getContext('2d');
for (let ring = 8; ring > 0; ring--) {
  pen.fillStyle = `rgba(${ring * 30}, 120, 255, ${ring / 9})`;
  pen.beginPath();
  pen.arc(32, 32, ring * 4, 0, Math.PI * 2);
  pen.fill();
}

const style = {
  version: 8,
  transition: { duration: 0, delay: 0 },
  light: { anchor: 'viewport', color: '#ffeedd', intensity: 0.6 },
  sources: {
    blocks: source(blocks),
    towers: source(towers),
    roads: source(roads, { lineMetrics: true }),
    spots: source(spots),
    picture: {
      type: 'image',
      url: raster.toDataURL(),
      coordinates: [
        [-0.04, 0.04],
        [-0.01, 0.04],
        [-0.01, 0.01],
        [-0.04, 0.01],
      ],
    },
  },
  layers: [
    { id: 'ground', type: 'background', paint: { 'background-color': '#dde8d0' } },
    {
      id: 'blocks',
      type: 'fill',
      source: 'blocks',
      paint: {
        'fill-color': ['match', ['get', 'kind'], 0, '#e8c8a0', 1, '#c0d8f0', '#d0b0e0'],
        'fill-antialias': false,
      },
    },
    {
      id: 'hatched',
      type: 'fill',
      source: 'blocks',
      filter: ['==', ['get', 'kind'], 2],
      paint: { 'fill-pattern': 'hatch', 'fill-opacity': 0.5, 'fill-antialias': false },
    },
    { id: 'picture', type: 'raster', source: 'picture', paint: { 'raster-fade-duration': 0, 'raster-opacity': 0.7 } },
    {
      id: 'casing',
      type: 'line',
      source: 'roads',
      layout: { 'line-cap': 'round' },
      paint: { 'line-width': 7, 'line-color': '#776655' },
    },
    {
      id: 'roads',
      type: 'line',
      source: 'roads',
      paint: {
        'line-width': 4,
        'line-gradient': ['interpolate', ['linear'], ['line-progress'], 0, '#ff6644', 1, '#ffee88'],
      },
    },
    {
      id: 'dashes',
      type: 'line',
      source: 'roads',
      paint: { 'line-width': 1, 'line-dasharray': [4, 3], 'line-color': '#222' },
    },
    {
      id: 'heat',
      type: 'heatmap',
      source: 'spots',
      paint: { 'heatmap-radius': 18, 'heatmap-weight': ['get', 'weight'], 'heatmap-opacity': 0.6 },
    },
    {
      id: 'spots',
      type: 'circle',
      source: 'spots',
      filter: ['>', ['get', 'weight'], 0.5],
      paint: { 'circle-radius': 3, 'circle-color': '#1144cc', 'circle-stroke-width': 1, 'circle-stroke-color': '#fff' },
    },
    {
      id: 'marks',
      type: 'symbol',
      source: 'spots',
      filter: ['<', ['get', 'weight'], 0.2],
      layout: { 'icon-image': 'hatch', 'icon-allow-overlap': true },
    },
    {
      id: 'towers',
      type: 'fill-extrusion',
      source: 'towers',
      paint: {
        'fill-extrusion-color': '#dd8866',
        'fill-extrusion-height': ['get', 'height'],
        'fill-extrusion-opacity': 0.9,
      },
    },
  ],
};

const map = new maplibre.Map({
  container: place,
  style,
  center: [0, 0],
  zoom: 11.2,
  pitch: 50,
  bearing: 20,
  pixelRatio: 1,
  interactive: false,
  attributionControl: false,
  fadeDuration: 0,
  canvasContextAttributes: { antialias: true },
});
const hatch = new Uint8Array(8 * 8 * 4).map(
  (_, index) => [40, 90, 40, ((index >> 2) + (index >> 5)) % 8 < 3 ? 255 : 0][index % 4],
);
map.setMissingStyleImageResolver(async (name) => map.addImage(name, { width: 8, height: 8, data: hatch }));

// Tiles come from a worker when they come; frames count from when everything is there.
map.once('idle', () => {
  globalThis.framesDrawn = 0;
  map.on('render', () => {
    globalThis.framesDrawn++;
    map.jumpTo({ bearing: 20 + globalThis.framesDrawn * 0.5 });
  });
  map.jumpTo({ bearing: 20 });
});
