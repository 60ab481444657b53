/**
 * WebGL's own GLSL extensions in the words of the driver that replays them. Where a driver has the same under another name, or
 * can do without, the source is changed; what it lacks it says itself when the program is linked.
 */
import type { GlContext } from '../gl/context.ts';

/** Stands for gl_DrawID where drivers lack it; multi-draws set it before each draw (handlers/multi-draws.ts). */
export const drawIdUniform = 'gpuprof_DrawID';

const comments = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
const blanked = (text: string) => text.replace(/[^\n]/g, ' ');
const directive = (extension: string) => new RegExp(`^[ \\t]*#[ \\t]*extension[ \\t]+${extension}\\b[^\\n]*$`, 'gm');
const conservativeDepth =
  /layout\s*\(\s*depth_(?:any|greater|less|unchanged)\s*\)\s*out\s+(?:(?:highp|mediump|lowp)\s+)?float\s+gl_FragDepth\s*;/g;

/** Puts a declaration where the directives that must come first are over, outside any condition. */
function declare(source: string, declaration: string): string {
  const lines = source.split('\n');
  let last = -1;
  for (const [index, line] of lines.entries()) if (/^\s*#\s*(version|extension)\b/.test(line)) last = index;
  let depth = 0;
  for (const [index, line] of lines.entries()) {
    if (/^\s*#\s*if/.test(line)) depth++;
    if (/^\s*#\s*endif/.test(line)) depth--;
    if (index < last || depth > 0) continue;
    lines.splice(index + 1, 0, declaration);
    break;
  }
  return lines.join('\n');
}

const extensionDirective = /^\s*#\s*extension\s+(\w+)\s*:\s*(\w+)/;

/** WebGL 1 takes extension directives anywhere, GL only before all else: late ones go there, as wishes. */
function extensionsFirst(source: string): string {
  if (/^\s*#\s*version\s+300\b/.test(source)) return source;
  const lines = source.replace(comments, blanked).split('\n');
  const code = lines.findIndex((line) => /^\s*[^#\s]/.test(line));
  const late = new Set<string>();
  let any = false;
  for (const [index, line] of lines.entries()) {
    const [, extension, wish] = (code >= 0 && index > code && extensionDirective.exec(line)) || [];
    if (extension === undefined) continue;
    if (wish !== 'disable') late.add(`#extension ${extension} : ${extension === 'all' ? wish : 'enable'}`);
    lines[index] = '';
    any = true;
  }
  if (!any) return source;
  const version = lines.findIndex((line) => /^\s*#\s*version\b/.test(line));
  lines.splice(version + 1, 0, ...late);
  return lines.join('\n');
}

interface Rule {
  /** What brings it; a driver that has this takes the source as it is. */
  readonly extension: string;
  readonly apply: (source: string) => string;
}

const rules: readonly Rule[] = [
  {
    extension: 'GL_ANGLE_clip_cull_distance',
    apply: (source) => source.replace(/\bGL_ANGLE_clip_cull_distance\b/g, 'GL_EXT_clip_cull_distance'),
  },
  {
    extension: 'GL_ANGLE_multi_draw',
    apply(source) {
      const plain = source
        .replace(directive('GL_ANGLE_multi_draw'), blanked)
        // Names of macros in GL_ are GL's own.
        .replace(/\bGL_ANGLE_multi_draw\b/g, 'gpuprof_multi_draw');
      if (!/\bgl_DrawID\b/.test(plain)) return plain;
      return declare(
        plain.replace(/\bgl_DrawID\b/g, drawIdUniform),
        `#define gpuprof_multi_draw 1\nuniform highp int ${drawIdUniform};`,
      );
    },
  },
  {
    // A promise about depth that only lets a driver test earlier.
    extension: 'GL_EXT_conservative_depth',
    apply: (source) =>
      source.replace(directive('GL_EXT_conservative_depth'), blanked).replace(conservativeDepth, blanked),
  },
];

const lowPrecision = /\b(mediump|lowp)\b/g;

/** Mesa's llvmpipe computes these in 16 bits; what WebGL runs on where captures are made does it in 32, as its pixels show. */
const inFullPrecision = ({ driver, software }: GlContext, source: string): string =>
  driver === 'egl' && software ? source.replace(lowPrecision, 'highp') : source;

/** The texts of a shader of WebGL as this context takes them; the same texts when nothing is to be changed. */
export function shaderSources(context: GlContext, texts: readonly string[]): readonly string[] {
  const recorded = texts.join('');
  const source = inFullPrecision(context, extensionsFirst(recorded));
  const wanted = rules.filter(({ extension }) => !context.extensions.has(extension) && source.includes(extension));
  if (wanted.length === 0) return source === recorded ? texts : [source];
  return [wanted.reduce((text, { apply }) => apply(text), source.replace(comments, blanked))];
}

/** Whether a shader of WebGL counts the draws of a multi-draw, and this context leaves that to the replayer. */
export const countsDraws = ({ extensions }: GlContext, texts: readonly string[]): boolean =>
  !extensions.has('GL_ANGLE_multi_draw') && /\bgl_DrawID\b/.test(texts.join('').replace(comments, ''));
