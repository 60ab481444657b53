/**
 * The base level of a texture may be any number that is not negative. Mesa 22.3 looks it up in a list of images before it asks
 * whether there is such a level.
 */
import { GpuprofError } from '../../errors.ts';
import { inlineWords } from '../../model/argument-values.ts';
import type { Argument, Call } from '../../model/call.ts';
import { baseName } from '../../model/gl-constants.ts';
import { perSignature } from '../../model/per-signature.ts';
import { glEnums } from '../constants.ts';

const e = glEnums('GL_TEXTURE_BASE_LEVEL');
/** Of a texture 2^30 texels wide. */
const mostLevel = 30;

interface Places {
  readonly name: number;
  readonly isList: boolean;
  readonly isFloat: boolean;
}

const placesOf = perSignature(({ name, params }): Places | null => {
  const match = /^(?:Tex|Texture|MultiTex)Parameter(f|i|Ii|Iui|x)(v?)$/.exec(baseName(name));
  if (!match) return null;
  return { name: params.length - 2, isList: match[2] === 'v', isFloat: match[1] === 'f' };
});

/** The first of a list; what is not kept with the call could be anything. */
function firstOf(list: Argument, isFloat: boolean): number {
  const [word] = inlineWords(list);
  if (word === undefined) return Number.POSITIVE_INFINITY;
  return isFloat ? new Float32Array(Uint32Array.of(word).buffer)[0] : word | 0;
}

/** Throws GpuprofError `bad-capture` for a call that makes a level the base which no texture has. */
export function checkBaseLevel({ signature, args }: Call): void {
  const places = placesOf(signature);
  if (!places || args[places.name] !== e.GL_TEXTURE_BASE_LEVEL) return;
  const value = args[places.name + 1];
  const level = places.isList ? firstOf(value, places.isFloat) : Number(value);
  if (level > mostLevel)
    throw new GpuprofError('bad-capture', `${signature.name} makes level ${level} the base; at most ${mostLevel}`);
}
