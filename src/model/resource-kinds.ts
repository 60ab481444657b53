import type { CallStream } from './call-stream.ts';
import { afterArgument, dataTag, headerWords, noneWord } from './call-words.ts';
import { baseName } from './gl-constants.ts';
import type { Param, Signature } from './signature.ts';

export const resourceKinds = ['buffer', 'texture', 'program', 'contents', 'other', 'unused'] as const;
/** What a capture's resource is for, told by the calls that use it; `contents`: pixels that pseudo-calls restore. */
export type ResourceKind = (typeof resourceKinds)[number];

function kindFor(command: string): ResourceKind {
  const base = baseName(command);
  if (base.startsWith('gpuprof')) return 'contents';
  if (/Buffer(Sub)?(Data|Storage)/.test(base)) return 'buffer';
  if (/Tex(ture)?(Sub)?Image/.test(base)) return 'texture';
  if (/^(Shader|Program)(Binary|Source)/.test(base)) return 'program';
  return 'other';
}

/** What the calls of a signature are looked at for. */
interface Look {
  readonly params: readonly Param[];
  readonly kind: ResourceKind;
  readonly isSource: boolean;
}

function lookOf({ name, params }: Signature): Look | null {
  const isSource = name.startsWith('glShaderSource');
  const last = params.findLastIndex(({ type }) => type === 'data' || (isSource && type === 'strings'));
  return last < 0 ? null : { params: params.slice(0, last + 1), kind: kindFor(name), isSource };
}

const oneText: Param = { name: '', type: 'string' };

/** Bytes of the texts in a list of them. */
function bytesOfTexts(words: Uint32Array, at: number): number {
  let bytes = 0;
  let next = at + 1;
  for (let left = words[at]; left > 0; left--) {
    if (words[next] !== noneWord) bytes += words[next];
    next = afterArgument(words, next, oneText);
  }
  return bytes;
}

/** Follows every use of a resource, and the shader sources, through a capture's streams. */
export class DataUse {
  /** By resource index; the first use decides. */
  readonly kinds: ResourceKind[];
  shaders = 0;
  /** Of all shader sources, UTF-8, in the calls themselves. */
  shaderSourceBytes = 0;

  constructor(resources: number) {
    this.kinds = new Array(resources).fill('unused');
  }

  /** To be called with each stream in order. Reads the words in place: a capture may have a million calls with data. */
  follow({ signatures, words, starts }: CallStream): void {
    const looks = signatures.map(lookOf);
    for (const start of starts) {
      const look = looks[words[start]];
      if (look === null) continue;
      if (look.isSource) this.shaders++;
      let next = start + headerWords;
      for (const param of look.params) {
        if (param.type === 'data' && words[next] === dataTag.resource) {
          const resource = words[next + 1];
          if (this.kinds[resource] === 'unused') this.kinds[resource] = look.kind;
        } else if (look.isSource && param.type === 'strings') this.shaderSourceBytes += bytesOfTexts(words, next);
        next = afterArgument(words, next, param);
      }
    }
  }
}
