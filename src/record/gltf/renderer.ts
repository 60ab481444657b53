import type { Document, Texture } from '@gltf-transform/core';
import type { WebGl2 } from '../../gl/webgl2-context.ts';
import type { Box } from './bounds.ts';
import { Drawer } from './draw.ts';
import { encodeFrame } from './frame-block.ts';
import { GeometryStore } from './geometry.ts';
import { type Item, ItemStore } from './items.ts';
import { type Lighting, lightScene } from './lights.ts';
import { MarkerTrail } from './markers.ts';
import { texturesOf } from './materials.ts';
import { transformPoint } from './math.ts';
import { poseScene } from './pose.ts';
import { createPrograms, frameBinding, units } from './programs.ts';
import { createMainTarget, createShadowTarget, type MainTarget, type ShadowTarget } from './targets.ts';
import { TextureStore } from './textures.ts';
import { type CameraChoice, chooseView, depthOf, type View } from './view.ts';

export interface RenderOptions {
  readonly camera: CameraChoice;
  /** Samples per pixel of the main pass; 0 for none. The driver's limit lowers it. */
  readonly samples: number;
  /** Width and height of the shadow map in pixels. */
  readonly shadowSize: number;
  /** Linear RGB behind the scene. */
  readonly background: readonly [number, number, number];
}

export const defaultOptions: RenderOptions = {
  camera: { orbitDegrees: 30 },
  samples: 4,
  shadowSize: 1024,
  background: [0.35, 0.42, 0.52],
};

const mostNamed = 5;

function unplacedNotes(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, mostNamed).map((name) => `"${name}"`);
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  return [`left out, since 32 bits do not hold where they stand: ${shown.join(', ')}${more}, and what is below them`];
}

/**
 * Draws a glTF scene in three render passes: the sun's shadow map, the scene in linear half floats, and tone mapping to
 * the canvas. Everything is uploaded, and every program linked, before the first frame.
 */
export class SceneRenderer {
  readonly #gl: WebGl2;
  readonly #document: Document;
  readonly #options: RenderOptions;
  readonly #items: ItemStore;
  readonly #textures: TextureStore;
  readonly #drawer: Drawer;
  readonly #trail: MarkerTrail;
  readonly #programs: ReturnType<typeof createPrograms>;
  readonly #shadow: ShadowTarget;
  readonly #main: MainTarget;
  readonly #frameBuffer: ReturnType<WebGl2['createBuffer']>;
  readonly #postArray: ReturnType<WebGl2['createVertexArray']>;
  readonly #sceneName: string;
  readonly #box: Box;
  /** What is not drawn as the model has it, in plain sentences. */
  readonly notes: readonly string[];
  #view: View;

  private constructor(gl: WebGl2, document: Document, textures: TextureStore, time: number, options: RenderOptions) {
    this.#gl = gl;
    this.#document = document;
    this.#options = options;
    this.#textures = textures;
    const scene = poseScene(document, time);
    this.#sceneName = scene.name;
    this.notes = unplacedNotes(scene.unplaced);
    this.#items = new ItemStore(gl, new GeometryStore(gl), document, scene);
    this.#drawer = new Drawer(gl, textures);
    this.#trail = new MarkerTrail(gl);
    this.#programs = createPrograms(gl);
    this.#shadow = createShadowTarget(gl, options.shadowSize);
    this.#main = createMainTarget(gl, gl.drawingBufferWidth, gl.drawingBufferHeight, options.samples);
    this.#frameBuffer = gl.createBuffer();
    this.#postArray = gl.createVertexArray();
    this.#box = this.#items.bounds();
    this.#view = this.#pose(time);
    this.#prepare();
  }

  /** Decodes the images and uploads everything that frames from `time` (seconds) on need. */
  static async create(
    gl: WebGl2,
    document: Document,
    time: number,
    options: RenderOptions = defaultOptions,
  ): Promise<SceneRenderer> {
    const textures = new TextureStore(gl);
    const used = new Set<Texture>();
    for (const mesh of document.getRoot().listMeshes())
      for (const primitive of mesh.listPrimitives()) {
        const material = primitive.getMaterial();
        for (const texture of material ? texturesOf(material) : []) used.add(texture);
      }
    await textures.decode(used);
    return new SceneRenderer(gl, document, textures, time, options);
  }

  /** Draws that one frame makes, the post pass's included. */
  get drawCount(): number {
    return this.#items.items.length + this.#items.items.filter(casts).length + 1;
  }

  /** Makes textures, samplers and programs now, so that a frame holds only what every frame does. */
  #prepare(): void {
    for (const item of this.#items.items) {
      for (const slot of item.surface.slots) {
        this.#textures.texture(slot.texture, slot.isColor);
        this.#textures.sampler(slot.info);
      }
      this.#programs('scene', [...item.defines, ...item.surface.defines]);
      if (casts(item)) this.#programs('shadow', shadowDefines(item));
    }
    this.#programs('post', []);
  }

  #pose(time: number): View {
    const gl = this.#gl;
    const scene = poseScene(this.#document, time);
    this.#items.pose(scene);
    const lighting: Lighting = lightScene(scene, this.#box);
    const aspect = gl.drawingBufferWidth / gl.drawingBufferHeight;
    const view = chooseView(this.#document, scene, this.#box, this.#options.camera, aspect);
    gl.bindBuffer(gl.UNIFORM_BUFFER, this.#frameBuffer);
    gl.bufferData(gl.UNIFORM_BUFFER, encodeFrame(view, lighting), gl.DYNAMIC_DRAW);
    gl.bindBufferBase(gl.UNIFORM_BUFFER, frameBinding, this.#frameBuffer);
    return view;
  }

  /** Moves the scene to `time` seconds; uploads what changes. */
  moveTo(time: number): void {
    this.#view = this.#pose(time);
  }

  /** Draws one frame to the canvas. */
  draw(): void {
    this.#trail.group(this.#sceneName, () => {
      this.#trail.group('shadow pass', () => this.#drawShadow());
      this.#trail.group('main pass', () => this.#drawMain());
      this.#trail.group('post pass', () => this.#drawPost());
    });
  }

  #drawShadow(): void {
    const gl = this.#gl;
    const { framebuffer, size } = this.#shadow;
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.viewport(0, 0, size, size);
    gl.enable(gl.DEPTH_TEST);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1.5, 2);
    this.#drawer.reset();
    for (const item of this.#items.items) {
      if (!casts(item)) continue;
      this.#trail.moveTo(item.path);
      this.#drawer.draw(item, this.#programs('shadow', shadowDefines(item)));
    }
    this.#trail.moveTo([]);
    gl.disable(gl.POLYGON_OFFSET_FILL);
  }

  #drawMain(): void {
    const gl = this.#gl;
    const { framebuffer, resolved } = this.#main;
    const { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.viewport(0, 0, width, height);
    gl.clearColor(...this.#options.background, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.activeTexture(gl.TEXTURE0 + units.shadowMap);
    gl.bindTexture(gl.TEXTURE_2D, this.#shadow.depth);
    this.#drawer.reset();
    this.#drawItems(this.#items.items.filter((item) => !item.surface.isBlended));
    const blended = this.#items.items.filter((item) => item.surface.isBlended);
    if (blended.length > 0) {
      gl.enable(gl.BLEND);
      gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
      gl.depthMask(false);
      this.#drawItems(this.#farthestFirst(blended));
      gl.depthMask(true);
      gl.disable(gl.BLEND);
    }
    if (!resolved) return;
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, framebuffer);
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, resolved);
    gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT, gl.NEAREST);
  }

  #drawItems(items: readonly Item[]): void {
    for (const item of items) {
      this.#trail.moveTo(item.path);
      this.#drawer.draw(item, this.#programs('scene', [...item.defines, ...item.surface.defines]));
    }
    this.#trail.moveTo([]);
  }

  #farthestFirst(items: readonly Item[]): Item[] {
    const depths = new Map(
      items.map((item) => [item, depthOf(this.#view, transformPoint(item.posed.world, ...item.center))]),
    );
    return items.toSorted((a, b) => (depths.get(b) as number) - (depths.get(a) as number));
  }

  #drawPost(): void {
    const gl = this.#gl;
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.disable(gl.DEPTH_TEST);
    gl.disable(gl.CULL_FACE);
    gl.frontFace(gl.CCW);
    const program = this.#programs('post', []);
    gl.useProgram(program.handle);
    gl.activeTexture(gl.TEXTURE0 + units.hdrColor);
    gl.bindTexture(gl.TEXTURE_2D, this.#main.color);
    gl.bindSampler(units.hdrColor, null);
    gl.uniform1f(program.location('exposure'), 1);
    gl.bindVertexArray(this.#postArray);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.bindVertexArray(null);
  }
}

/** Only what is opaque, lit and made of triangles casts a shadow. */
function casts({ surface, shape }: Item): boolean {
  return !surface.isBlended && !surface.defines.includes('UNLIT') && shape.mode >= 4;
}

/** The shadow's programs differ only in how vertices move, and in what is cut out by alpha. */
function shadowDefines(item: Item): string[] {
  const moving = item.defines.filter((define) => /^(SKINNED|INSTANCED)/.test(define));
  if (!item.surface.isMasked) return moving;
  const cutting = item.surface.defines.filter((define) => /^(ALPHA_MASK|BASE_COLOR_UV)/.test(define));
  return [...moving, ...item.defines.filter((define) => /^HAS_(UV|COLOR)/.test(define)), ...cutting];
}
