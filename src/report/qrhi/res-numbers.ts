/**
 * Numbers that stand for Qt's resource pointers. Qt's are addresses; these can be read: the class in the first digit, the
 * capture's id in the last, for textures before three digits for the part. No two are the same, and event ids are smaller.
 */
import type { LifeResource } from '../../model/life/resource.ts';

const classes = { buffer: 1e13, renderbuffer: 2e13, texture: 3e13 } as const;
const partsOfTexture = 1000;

export const canvasRes = 4e13;
/** The canvas's depth and stencil buffer. */
export const canvasDepthRes = 4e13 + 1;
/** Render passes, which no call stands for, by their first event. */
const passRes = 5e13;

/** `part` counts from 0; only textures have more than one. */
export const resourceRes = ({ class: objectClass, id }: LifeResource, part = 0): number =>
  classes[objectClass] + (objectClass === 'texture' ? id * partsOfTexture + part : id);

/** An event's own id; a render pass's lies between two events. */
export const eventRes = (eventId: number): number =>
  Number.isInteger(eventId) ? eventId : passRes + Math.ceil(eventId);
