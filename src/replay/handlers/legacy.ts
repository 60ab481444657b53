/** Commands of the compatibility profile that the replayer has something to do for. */
import { GpuprofError } from '../../errors.ts';
import type { GlContext } from '../../gl/context.ts';
import { Scratch } from '../../gl/native.ts';
import { listNames } from '../../model/display-lists.ts';
import { emptyLists, listsToEmpty, refuseEndlessList } from '../checks/display-lists.ts';
import type { Handler } from '../compile/site.ts';

/** More values than any selection or feedback buffer has. */
const mostValues = 1 << 24;

/** Names are the program's own numbers, which GL takes without generating them first. */
const genLists: Handler = () => null;

const newList: Handler = ({ listCalls, state, plain }) => {
  const { bindings, context } = state;
  const missing = bindings.lists.isOpen ? new Set<number>() : listsToEmpty(bindings.lists, listCalls);
  const begin = plain();
  if (missing.size === 0) return begin;
  return (at) => {
    emptyLists(context, missing);
    begin(at);
  };
};

const endList: Handler = ({ state, plain }) => {
  refuseEndlessList(state.bindings.lists);
  return plain();
};

/** There is no list 0, and Mesa crashes over one inside a list. */
const callList: Handler = ({ args, state, plain }) => (args[0] === 0 && state.bindings.lists.isOpen ? null : plain());
const callLists: Handler = ({ args, call, memory, state, plain }) => {
  if (state.bindings.lists.isOpen && listNames(call, memory.bytesOf(args[2])).includes(0))
    throw new GpuprofError('bad-capture', 'glCallLists names list 0 inside a display list');
  return plain();
};

/** Lists are emptied, in case others call them; those from before the frame stay: the next run calls them again. */
const deleteLists: Handler = ({ args, fn, keep, state }) => {
  const [first, count] = args.map(Number);
  const { lists } = state.bindings;
  const own = [...lists.names()].filter(
    (name) => name >= first && name < first + count && !keep?.('displayList', name),
  );
  const { isOpen } = lists;
  return () => {
    if (!isOpen) emptyLists(state.context, own);
    else for (const name of own) fn(name, 1);
  };
};

const results = new WeakMap<GlContext, Scratch>();

/** Room for the most values, of which only those that are written take memory. It is there as long as the context. */
function resultsOf(context: GlContext): Scratch {
  const kept = results.get(context) ?? new Scratch(mostValues * 4);
  results.set(context, kept);
  return kept;
}

/** GL keeps the address, and writes there whenever the render mode is of that kind, whatever calls it has refused meanwhile. */
const resultBuffer =
  (isFeedback: boolean): Handler =>
  ({ call, args, fn, state }) => {
    const count = Number(args[0]);
    if (!(count >= 0 && count <= mostValues))
      throw new GpuprofError(
        'bad-capture',
        `${call.signature.name} has room for ${count} values; at most ${mostValues}`,
      );
    const { address } = resultsOf(state.context);
    const type = Number(args[1]);
    return () => {
      if (isFeedback) fn(count, type, address);
      else fn(count, address);
    };
  };

/** What is saved and put back of pixel storage is the program's, which GL does not have (pixel-store.ts). */
const pushClient: Handler = (site) => {
  site.state.pixelStore.save(Number(site.args[0]));
  return site.plain();
};
const popClient: Handler = (site) => {
  site.state.pixelStore.putBack();
  return site.plain();
};

export const legacyHandlers: Readonly<Record<string, Handler>> = {
  GenLists: genLists,
  GenFragmentShadersATI: genLists,
  NewList: newList,
  EndList: endList,
  CallList: callList,
  CallLists: callLists,
  DeleteLists: deleteLists,
  FeedbackBuffer: resultBuffer(true),
  SelectBuffer: resultBuffer(false),
  PushClientAttrib: pushClient,
  PopClientAttrib: popClient,
};
