import { GpuprofError } from '../../errors.ts';
import { Scratch } from '../../gl/native.ts';
import type { ObjectClass } from '../../model/signature.ts';
import type { Op } from '../compile/invokers.ts';
import type { Handler, Site } from '../compile/site.ts';
import { unbinding } from './unbinding.ts';

/** glGen*, glCreate*s: fills a list; GL's names go into the id table. */
const generate: Handler = ({ call, args, fn, state }) => {
  const at = call.signature.params.findIndex((param) => param.type === 'objects');
  const names = state.objects.names[call.signature.params[at].objectClass as ObjectClass];
  const ids = args[at] as readonly number[];
  const list = new Scratch(ids.length * 4);
  const leading = at > 1 ? [Number(args[0])] : [];
  return () => {
    fn(...leading, ids.length, list.address);
    for (let index = 0; index < ids.length; index++) names[ids[index]] = list.u32[index];
  };
};

/** Deletes what the frame itself made; what existed before is only unbound, because the next run needs it. */
function deletion(site: Site, objectClass: ObjectClass, ids: readonly number[], remove: (name: number) => void): Op {
  const names = site.state.objects.names[objectClass];
  const { deletedShaders } = site.state.objects;
  const forget = (id: number) => {
    if (objectClass === 'shader') deletedShaders[id] = names[id];
    names[id] = 0;
  };
  const live = ids.filter((id) => id !== 0);
  const kept = live.filter((id) => site.keep?.(objectClass, id));
  const gone = live.filter((id) => !kept.includes(id));
  const unbind = kept.map((id) => unbinding(site, objectClass, id));
  return () => {
    for (const op of unbind) op();
    for (const id of kept) forget(id);
    for (const id of gone) {
      remove(names[id]);
      forget(id);
    }
  };
}

const deleteList: Handler = (site) => {
  const at = site.call.signature.params.findIndex((param) => param.type === 'objects');
  const list = new Scratch(8);
  return deletion(
    site,
    site.call.signature.params[at].objectClass as ObjectClass,
    site.args[at] as readonly number[],
    (name) => {
      list.u32[0] = name;
      site.fn(1, list.address);
    },
  );
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
