/** Lines of resources: what is created, released, filled and read (ops 1 to 15). */
import type {
  BufferUse,
  LifeEvent,
  LifeResource,
  RenderbufferResource,
  TextureResource,
} from '../../model/life/resource.ts';
import type { QrhiOpNumber } from '../../model/qrhi/ops.ts';
import {
  bufferValues,
  qtBufferType,
  qtUsage,
  renderbufferValues,
  swapchainValues,
  textureValues,
} from '../../model/qrhi/resource-values.ts';
import { type QtNumbering, qtTextureFormat } from '../../model/qrhi/texture-formats.ts';
import { type TexturePart, textureParts } from '../../model/qrhi/texture-parts.ts';
import { layoutOf } from '../../model/texture-formats.ts';
import type { LineWriter } from './line-writer.ts';
import { canvasDepthRes, canvasRes, resourceRes } from './res-numbers.ts';

/** The capture's canvas, which is Qt's swapchain. */
export interface QrhiCanvas {
  readonly width: number;
  readonly height: number;
  readonly samples: number;
  readonly hasDepthStencil: boolean;
}

/** One line that announced something, and what releases it. */
interface Announced {
  readonly release: QrhiOpNumber;
  readonly res: number;
  readonly name: string;
  readonly sizeBytes: number;
  readonly levels: readonly [number, number];
  readonly values: readonly number[];
}

const changeTypes = { never: qtBufferType.immutable, seldom: qtBufferType.static, often: qtBufferType.dynamic };
const [GL_RGBA8, GL_DEPTH_COMPONENT32F] = [0x8058, 0x8cac];
const canvasName = 'canvas';
const noLevels = [0, 0] as const;
/** Buffer copies begin at multiples of this (Vulkan's least). */
const copyAlignment = 4;

const usageOf = (uses: readonly BufferUse[]): number => uses.reduce((flags, use) => flags | qtUsage[use], 0);
const isDepthStencil = ({ internalFormat }: RenderbufferResource): boolean =>
  /^(depth|depthStencil|stencil)$/.test(layoutOf(internalFormat, internalFormat, 0).numbers);

/** Whether a part is what was announced, apart from its name, which tells how many levels there are. */
const isStill = ({ levels, values }: Announced, part: TexturePart): boolean =>
  levels.every((level, at) => level === part.levels[at]) &&
  textureValues(part.texture).every((value, at) => value === values[at]);

export class ResourceLines {
  readonly #writer: LineWriter;
  readonly #numbering: QtNumbering;
  #canvas: QrhiCanvas;
  /** Of live resources, by class and id. */
  readonly #live = new Map<string, readonly Announced[]>();
  #lines = 0;
  #liveBytes = 0;
  #readbacks = 0;

  /** Announces the canvas. */
  constructor(writer: LineWriter, canvas: QrhiCanvas, numbering: QtNumbering) {
    this.#writer = writer;
    this.#numbering = numbering;
    this.#canvas = canvas;
    this.#announceCanvas();
  }

  apply(event: LifeEvent): void {
    switch (event.kind) {
      case 'create':
        this.#announce(`${event.resource.class} ${event.resource.id}`, this.#create(event.resource));
        break;
      case 'change':
        this.#change(event.resource);
        break;
      case 'release':
        this.#release(`${event.resource.class} ${event.resource.id}`);
        break;
      case 'upload':
        this.#upload(event.resource, event.level, event.sizeBytes);
        break;
      case 'readback':
        if (event.source?.class === 'renderbuffer') this.#readRenderbuffer(event.source, event.sizeBytes);
        else this.#readback(event.source && this.#partOf(event.source, 0), event.sizeBytes);
        break;
      case 'canvas':
        this.#canvas = { ...this.#canvas, width: event.width, height: event.height };
        this.#release('canvas depth');
        this.#announceCanvas();
    }
  }

  /** All of the canvas's pixels are read. */
  canvasReadback(): void {
    this.#readback(null, this.#canvas.width * this.#canvas.height * 4);
  }

  /** Own accounting: each announced resource is one allocation, and none has unused bytes. */
  memory(): void {
    this.#writer.line(15, 0, '', [this.#lines, this.#lines, this.#liveBytes % 2 ** 32, 0]);
  }

  /** Releases what is still there, the oldest first and the canvas last. */
  close(): void {
    for (const key of [...this.#live.keys()].filter((key) => !key.startsWith(canvasName))) this.#release(key);
    this.#release('canvas depth');
    this.#release(canvasName);
  }

  #announceCanvas(): void {
    const { width, height, samples, hasDepthStencil } = this.#canvas;
    if (hasDepthStencil) {
      const values = renderbufferValues(true, width, height, samples, true);
      this.#announce('canvas depth', [this.#line(5, 6, canvasDepthRes, '', values)]);
    }
    // A swapchain that is resized is not released.
    this.#book(canvasName, -1);
    this.#announce(canvasName, [this.#line(11, 12, canvasRes, canvasName, swapchainValues(width, height, samples))]);
  }

  #line(
    op: 1 | 5 | 7 | 11,
    release: QrhiOpNumber,
    res: number,
    name: string,
    values: readonly number[],
    sizeBytes = values[values.length - 1],
    levels: Announced['levels'] = noLevels,
  ): Announced {
    this.#writer.line(op, res, name, values);
    return { release, res, name, sizeBytes, levels, values };
  }

  #create(resource: LifeResource): Announced[] {
    const res = resourceRes(resource);
    if (resource.class === 'buffer') {
      const values = bufferValues(changeTypes[resource.changes], usageOf(resource.uses), resource.sizeBytes);
      return [this.#line(1, 2, res, resource.name, values, values[3])];
    }
    if (resource.class === 'renderbuffer') {
      const { width, height, samples } = resource;
      const values = renderbufferValues(isDepthStencil(resource), width, height, samples);
      return [this.#line(5, 6, res, resource.name, values)];
    }
    return textureParts(resource, this.#numbering).map((part) => this.#texture(resource, part));
  }

  #texture(resource: TextureResource, { part, name, texture, levels }: TexturePart): Announced {
    const sizeBytes = texture.owns ? texture.sizeBytes : 0;
    return this.#line(7, 8, resourceRes(resource, part), name, textureValues(texture), sizeBytes, levels);
  }

  /** Parts that stay as they were are not told of again, so that a texture may grow level by level. */
  #change(resource: TextureResource): void {
    const key = `${resource.class} ${resource.id}`;
    const was = this.#live.get(key) ?? [];
    const parts = textureParts(resource, this.#numbering);
    const stays = parts.map((part) =>
      was.find((each) => each.res === resourceRes(resource, part.part) && isStill(each, part)),
    );
    this.#book(key, -1);
    for (const each of was) if (!stays.includes(each)) this.#writer.line(each.release, each.res, each.name);
    this.#announce(
      key,
      parts.map((part, at) => stays[at] ?? this.#texture(resource, part)),
    );
  }

  #announce(key: string, announced: readonly Announced[]): void {
    this.#live.set(key, announced);
    this.#book(key, 1);
  }

  #book(key: string, sign: 1 | -1): void {
    for (const { sizeBytes } of this.#live.get(key) ?? []) {
      this.#lines += sign;
      this.#liveBytes += sign * sizeBytes;
    }
  }

  #release(key: string): void {
    this.#book(key, -1);
    for (const { release, res, name } of this.#live.get(key) ?? []) this.#writer.line(release, res, name);
    this.#live.delete(key);
  }

  #partOf({ class: objectClass, id }: LifeResource, level: number): Announced | undefined {
    const parts = this.#live.get(`${objectClass} ${id}`);
    return parts?.find(({ levels: [first, last] }) => level >= first && level <= last) ?? parts?.[0];
  }

  /** Buffers that change often, or that Qt keeps on the CPU, are written in place; others have a copy of all of it. */
  #upload(resource: LifeResource, level: number, sizeBytes: number): void {
    const part = this.#partOf(resource, level);
    if (!part) return;
    const { res, name } = part;
    if (resource.class === 'texture') {
      this.#writer.line(9, res, name, [0, (Math.ceil(sizeBytes / copyAlignment) * copyAlignment) % 2 ** 32]);
      this.#writer.line(10, res, name, [0]);
    } else if (
      resource.class === 'buffer' &&
      resource.changes !== 'often' &&
      usageOf(resource.uses) !== qtUsage.uniform
    ) {
      this.#writer.line(3, res, name, [0, part.sizeBytes]);
      this.#writer.line(4, res, name, [0]);
    }
  }

  #readback(source: Announced | null | undefined, sizeBytes: number): void {
    if (source === undefined) return;
    const id = ++this.#readbacks;
    this.#writer.line(13, source?.res ?? canvasRes, source?.name ?? canvasName, [id, sizeBytes % 2 ** 32]);
    this.#writer.line(14, 0, '', [id]);
  }

  /**
   * Only textures, buffers and swapchains are read back in Qt. For the while, the renderbuffer's memory is announced as a
   * texture that does not own it, in the format that Qt takes every renderbuffer for.
   */
  #readRenderbuffer(source: RenderbufferResource, sizeBytes: number): void {
    const { name, width, height } = source;
    const internalFormat = isDepthStencil(source) ? GL_DEPTH_COMPONENT32F : GL_RGBA8;
    const format = qtTextureFormat({ internalFormat, format: 0, type: 0 }, this.#numbering);
    const bytes = renderbufferValues(false, width, height, 1).at(-1) as number;
    const res = resourceRes(source);
    const texture = { width, height, format, owns: false, mips: 1, layers: 1, samples: 1, sizeBytes: bytes };
    const view = this.#line(7, 8, res, name, textureValues(texture), 0);
    this.#readback(view, sizeBytes);
    this.#writer.line(view.release, res, name);
  }
}
