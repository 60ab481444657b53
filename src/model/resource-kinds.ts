import type { DataArgument } from './call.ts';
import type { CallStream } from './call-stream.ts';
import { baseName } from './gl-constants.ts';

export const resourceKinds = ['buffer', 'texture', 'program', 'contents', 'other', 'unused'] as const;
/** What a capture's resource is for, told by the calls that use it; `contents`: pixels that pseudo-calls restore. */
export type ResourceKind = (typeof resourceKinds)[number];

export interface DataUse {
  /** By resource index; the first use decides. */
  readonly kinds: readonly ResourceKind[];
  readonly shaders: number;
  /** Of all shader sources, UTF-8, in the calls themselves. */
  readonly shaderSourceBytes: number;
}

function kindFor(command: string): ResourceKind {
  const base = baseName(command);
  if (base.startsWith('gpuprof')) return 'contents';
  if (/Buffer(Sub)?(Data|Storage)/.test(base)) return 'buffer';
  if (/Tex(ture)?(Sub)?Image/.test(base)) return 'texture';
  if (/^(Shader|Program)(Binary|Source)/.test(base)) return 'program';
  return 'other';
}

/** Follows every use of a resource, and the shader sources, through a capture's streams. */
export function dataUse(streams: Iterable<CallStream>, resources: number): DataUse {
  const kinds: ResourceKind[] = new Array(resources).fill('unused');
  let shaders = 0;
  let shaderSourceBytes = 0;
  const encoder = new TextEncoder();
  for (const stream of streams) {
    const wanted = stream.signatures.map(
      ({ name, params }) => name.startsWith('glShaderSource') || params.some(({ type }) => type === 'data'),
    );
    for (let index = 0; index < stream.length; index++) {
      if (!wanted[stream.words[stream.starts[index]]]) continue;
      const { signature, args } = stream.call(index);
      const isSource = signature.name.startsWith('glShaderSource');
      if (isSource) shaders++;
      for (const [at, { type }] of signature.params.entries()) {
        const data = args[at] as DataArgument;
        if (type === 'data' && data?.kind === 'resource' && kinds[data.resource] === 'unused')
          kinds[data.resource] = kindFor(signature.name);
        if (isSource && type === 'strings')
          for (const text of args[at] as readonly string[]) shaderSourceBytes += encoder.encode(text).length;
      }
    }
  }
  return { kinds, shaders, shaderSourceBytes };
}
