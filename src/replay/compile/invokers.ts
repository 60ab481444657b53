/**
 * The replay loop's calls: for every signature a function that reads its arguments from the call words in place and
 * calls GL. The code is made from the project's own command table, never from text of a file.
 */
import type { GlFunction } from '../../gl/native.ts';
import { dataTag, headerWords, noneWord } from '../../model/call-words.ts';
import type { Param, Signature } from '../../model/signature.ts';
import type { CallMemory } from './call-memory.ts';

/** Performs the call whose record begins at word `at`. */
export type Op = (at: number) => void;

const p = (position: string, offset = 0) => (offset === 0 ? position : `${position}+${offset}`);

/** JavaScript for the value of a parameter whose first word is at `position`. */
function valueCode(param: Param, position: string): string {
  switch (param.type) {
    case 'i32':
      return `i32[${position}]`;
    case 'f32':
      return `f32[${position}]`;
    case 'f64':
      return `memory.double(${position})`;
    case 'i64':
      return `words[${position}]+i32[${p(position, 1)}]*4294967296`;
    case 'u64':
    case 'pointer':
      return `words[${position}]+words[${p(position, 1)}]*4294967296`;
    case 'object':
      return `names.${param.objectClass}[words[${position}]]`;
    case 'objects':
      return `memory.nameList('${param.objectClass}',${position})`;
    case 'location':
      return `words[${position}]===${noneWord}?-1:locations[words[${position}]]`;
    case 'data':
      return (
        `words[${position}]===${dataTag.inline}?base+(${p(position, 2)})*4:` +
        `words[${position}]===${dataTag.none}?0:` +
        `words[${position}]===${dataTag.offset}?words[${p(position, 1)}]+words[${p(position, 2)}]*4294967296:` +
        `resources[words[${p(position, 1)}]]+words[${p(position, 2)}]`
      );
    case 'string':
      return `words[${position}]===${noneWord}?0:base+(${p(position, 1)})*4`;
    case 'strings':
      return `memory.textList(${position})`;
    case 'out':
      return `words[${position}]===${noneWord}?0:memory.outAddress`;
    default:
      return `words[${position}]`;
  }
}

const sizeOf: Partial<Record<Param['type'], number>> = { f64: 2, i64: 2, u64: 2, pointer: 2 };
const isVariable = (param: Param) => ['data', 'objects', 'string', 'strings'].includes(param.type);

/** The stream whose calls are made now: all invokers read from it. */
export interface LiveMemory {
  memory: CallMemory;
}

/** Makes the function for one signature, which must have been found in the command table. */
export function makeInvoker(fn: GlFunction, signature: Signature, live: LiveMemory): Op {
  const lines: string[] = [];
  const values: string[] = [];
  let base = 'at';
  let offset = headerWords;
  for (const [index, param] of signature.params.entries()) {
    const position = p(base, offset);
    values.push(`(${valueCode(param, position)})`);
    if (!isVariable(param)) {
      offset += sizeOf[param.type] ?? 1;
      continue;
    }
    if (index === signature.params.length - 1) break;
    lines.push(`const p${index}=memory.after(${position},'${param.type}');`);
    base = `p${index}`;
    offset = 0;
  }
  const used = ['words', 'i32', 'f32', 'base', 'names', 'locations', 'resources'].filter((name) =>
    values.some((value) => new RegExp(`\\b${name}\\b`).test(value)),
  );
  const reads = values.length > 0 ? `const {memory}=live;const {${used.join(',')}}=memory;` : '';
  // Named, so that profiles tell the commands apart.
  const code = `"use strict";const ${signature.name}=at=>{${reads}${lines.join('')}fn(${values.join(',')});};return ${signature.name};`;
  return new Function('fn', 'live', code)(fn, live) as Op;
}
