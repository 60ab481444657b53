import { dataAddress, type Handler } from '../compile/site.ts';

const GL_DYNAMIC_STORAGE_BIT = 0x100;

/**
 * What a program wrote through a mapping of immutable storage is an upload in a capture (FORMAT.md), which only dynamic
 * storage takes.
 */
const storage =
  (isNamed: boolean): Handler =>
  (site) => {
    const { args, fn, state } = site;
    const [target, size, , flags] = args.map(Number);
    const names = state.objects.names.buffer;
    return () => {
      fn(isNamed ? names[target] : target, size, dataAddress(site, 2), flags | GL_DYNAMIC_STORAGE_BIT);
    };
  };

export const bufferHandlers: Readonly<Record<string, Handler>> = {
  BufferStorage: storage(false),
  NamedBufferStorage: storage(true),
};
