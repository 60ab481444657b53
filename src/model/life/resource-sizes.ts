/** How much memory each texture, renderbuffer and buffer takes, as the capture's calls define them. */
import type { Capture } from '../capture.ts';
import { amount, imageBytes } from '../memory/image-bytes.ts';
import { captureLife } from './capture-life.ts';
import type { LifeResource } from './resource.ts';

export interface ResourceSize {
  readonly class: LifeResource['class'];
  readonly id: number;
  readonly name: string;
  /** 0 for a view, whose memory is another's. */
  readonly sizeBytes: number;
  /** Width and height of the largest image; null for buffers. */
  readonly size: readonly [width: number, height: number] | null;
}

function sizeOf(resource: LifeResource): ResourceSize {
  const { class: kind, id, name } = resource;
  if (resource.class === 'buffer') return { class: kind, id, name, sizeBytes: resource.sizeBytes, size: null };
  const images = resource.class === 'texture' ? resource.images : [{ ...resource, depth: 1 }];
  const samples = Math.max(1, resource.samples);
  const owns = resource.class !== 'texture' || resource.owns;
  const sizeBytes = owns ? images.reduce((sum, image) => sum + amount(imageBytes(image) * samples), 0) : 0;
  const largest = images.reduce<readonly [number, number]>(
    (most, { width, height }) => (width * height > most[0] * most[1] ? [width, height] : most),
    [0, 0],
  );
  return { class: kind, id, name, sizeBytes, size: largest };
}

/** Everything that lives at some time up to the end of a frame, the largest first. */
export async function resourceSizes(capture: Capture, lastFrame: number): Promise<ResourceSize[]> {
  const { setup, frames } = await captureLife(capture, lastFrame);
  const sizes = new Map<string, ResourceSize>();
  for (const event of [...setup.map(({ event }) => event), ...frames.flatMap(({ events }) => events)])
    if (event.kind === 'create' || event.kind === 'change')
      sizes.set(`${event.resource.class} ${event.resource.id}`, sizeOf(event.resource));
  return [...sizes.values()].sort((a, b) => b.sizeBytes - a.sizeBytes);
}
