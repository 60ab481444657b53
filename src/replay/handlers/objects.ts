import { GpuprofError } from '../../errors.ts';
import { Scratch } from '../../gl/native.ts';
import type { Attachment } from '../../model/bindings.ts';
import type { ObjectClass } from '../../model/signature.ts';
import type { Op } from '../compile/invokers.ts';
import type { Handler, Site } from '../compile/site.ts';
import { deleteObject } from '../restore/object-names.ts';
import { unbinding } from './unbinding.ts';

/** The place of a command's list of objects, and their class. Throws GpuprofError `missing-feature` where captures have none. */
function listOf({ call: { signature } }: Site): { readonly at: number; readonly objectClass: ObjectClass } {
  const at = signature.params.findIndex(({ type }) => type === 'objects');
  const { objectClass } = signature.params[at] ?? {};
  if (objectClass === undefined)
    throw new GpuprofError('missing-feature', `${signature.name}: its objects cannot be replayed`);
  return { at, objectClass };
}

/** glGen*, glCreate*s: fills a list; GL's names go into the id table. */
const generate: Handler = (site) => {
  const { args, fn, state } = site;
  const { at, objectClass } = listOf(site);
  const names = state.objects.names[objectClass];
  const ids = args[at] as readonly number[];
  for (const id of ids) state.objects.nameless.delete(`${objectClass}/${id}`);
  const list = new Scratch(ids.length * 4);
  const leading = at > 1 ? [Number(args[0])] : [];
  return () => {
    fn(...leading, ids.length, list.address);
    for (let index = 0; index < ids.length; index++) names[ids[index]] = list.u32[index];
  };
};

/** Framebuffers but those of `others` that have it attached. */
function holders({ state }: Site, kind: Attachment['kind'], id: number, others: readonly number[]): number[] {
  const { framebuffer: names } = state.objects.names;
  return state.bindings.framebuffersWith(kind, id).filter((each) => names[each] !== 0 && !others.includes(each));
}

/**
 * Whether a framebuffer holds it that is not bound, where it lives on without its name (OpenGL ES 3.2, section 5.1.3). What
 * a frame draws there is put back by its name, which is kept therefore.
 */
function isHeld(site: Site, objectClass: ObjectClass, id: number): boolean {
  if (site.keep || (objectClass !== 'texture' && objectClass !== 'renderbuffer')) return false;
  const { drawFramebuffer, readFramebuffer } = site.state.bindings;
  return holders(site, objectClass, id, [drawFramebuffer, readFramebuffer]).length > 0;
}

/** What none but framebuffers hold that are deleted now. */
function orphans(site: Site, framebuffers: readonly number[]): Attachment[] {
  const { bindings, objects } = site.state;
  if (site.keep || objects.nameless.size === 0) return [];
  return framebuffers
    .flatMap((each) => [...bindings.framebuffer(each).attachments.values()])
    .filter(({ kind, id }) => {
      const key = `${kind}/${id}`;
      // One that is attached twice is deleted once.
      return (
        objects.nameless.has(key) && holders(site, kind, id, framebuffers).length === 0 && objects.nameless.delete(key)
      );
    });
}

/** Deletes what the frame itself made; what existed before is only unbound, because the next run needs it. */
function deletion(site: Site, objectClass: ObjectClass, ids: readonly number[], remove: (name: number) => void): Op {
  const names = site.state.objects.names[objectClass];
  const { deletedShaders } = site.state.objects;
  const forget = (id: number) => {
    if (objectClass === 'shader') deletedShaders[id] = names[id];
    names[id] = 0;
  };
  const live = ids.filter((id) => id !== 0);
  const held = live.filter((id) => isHeld(site, objectClass, id));
  for (const id of held) site.state.objects.nameless.add(`${objectClass}/${id}`);
  const kept = live.filter((id) => site.keep?.(objectClass, id));
  const gone = live.filter((id) => !kept.includes(id) && !held.includes(id));
  const unbind = [...kept, ...held].map((id) => unbinding(site, objectClass, id));
  const left = objectClass === 'framebuffer' ? orphans(site, live) : [];
  return () => {
    for (const op of unbind) op();
    for (const id of kept) forget(id);
    for (const id of gone) {
      remove(names[id]);
      forget(id);
    }
    for (const { kind, id } of left) {
      deleteObject(site.state.context, kind, site.state.objects.names[kind][id]);
      site.state.objects.names[kind][id] = 0;
    }
  };
}

const deleteList: Handler = (site) => {
  const { at, objectClass } = listOf(site);
  const list = new Scratch(8);
  return deletion(site, objectClass, site.args[at] as readonly number[], (name) => {
    list.u32[0] = name;
    site.fn(1, list.address);
  });
};

/** Shaders and programs stay usable while attached or in use, so deleting them unbinds nothing. */
const deleteOne: Handler = (site) =>
  deletion(site, site.call.signature.params[0].objectClass as ObjectClass, [Number(site.args[0])], (name) =>
    site.fn(name),
  );

const create: Handler = ({ call, args, fn, state }) => {
  const names = state.objects.names[call.signature.result.objectClass as ObjectClass];
  const values = args.map(Number);
  if (call.result === 0 || call.result >= names.length)
    throw new GpuprofError('bad-capture', `${call.signature.name} makes an object without an id`);
  return () => {
    names[call.result] = fn(...values);
  };
};

export function objectHandler(name: string): Handler | undefined {
  if (/^(Gen(?!erate|Lists|Symbols)|Create(?!Shader|Program$|Commands|States))\w+s$/.test(name)) return generate;
  if (/^Delete(Shader|Program)$/.test(name)) return deleteOne;
  if (/^Delete(?!Lists|Sync)\w+s$/.test(name)) return deleteList;
  return name === 'CreateShader' || name === 'CreateProgram' ? create : undefined;
}
