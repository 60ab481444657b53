import type { GlContext } from '../gl/context.ts';

/** A count of work that a GL query gives. */
export interface Statistic {
  readonly name: string;
  /** Of glBeginQuery. */
  readonly target: number;
  readonly description: string;
  /** A yes or no instead of a count. */
  readonly isAny?: boolean;
  /** What the context lacks for it, or null. */
  readonly missing: (context: GlContext) => string | null;
}

/** Says what is missing where neither the version nor one of the extensions is there. */
function needs(version: readonly [number, number] | null, ...extensions: string[]) {
  return (context: GlContext): string | null => {
    if (version && context.atLeast(...version)) return null;
    if (extensions.some((name) => context.extensions.has(name))) return null;
    const api = context.api === 'es' ? 'OpenGL ES' : 'OpenGL';
    return `it lacks ${[...(version ? [`${api} ${version.join('.')}`] : []), ...extensions].join(' and ')}`;
  };
}

const statistics = needs([4, 6], 'GL_ARB_pipeline_statistics_query');
const both = (stage: Statistic['missing']) => (context: GlContext) => statistics(context) ?? stage(context);
const geometry = both(needs([3, 2], 'GL_ARB_geometry_shader4', 'GL_EXT_geometry_shader4'));
const tessellation = both(needs([4, 0], 'GL_ARB_tessellation_shader'));
const compute = both(needs([4, 3], 'GL_ARB_compute_shader'));

/** RenderDoc's counters 2 to 13, in its order and under its names. */
const desktop: readonly Statistic[] = [
  {
    name: 'Input Vertices Read',
    target: 0x82ee,
    description: 'Vertices that the draws submit, for every instance anew.',
    missing: statistics,
  },
  {
    name: 'Input Primitives',
    target: 0x82ef,
    description: 'Points, lines, triangles and patches that the draws submit.',
    missing: statistics,
  },
  {
    name: 'GS Primitives',
    target: 0x82f3,
    description: 'Primitives that the geometry shader emits.',
    missing: geometry,
  },
  {
    name: 'Rasterizer Invocations',
    target: 0x82f6,
    description: 'Primitives that go into clipping.',
    missing: statistics,
  },
  {
    name: 'Rasterized Primitives',
    target: 0x82f7,
    description:
      'Primitives that come out of clipping, a cut one as several; with those of clears and blits that the driver draws.',
    missing: statistics,
  },
  {
    name: 'Samples Passed',
    target: 0x8914,
    description: 'Samples that pass the depth and stencil tests: pixels, where there is no multisampling.',
    missing: () => null,
  },
  {
    name: 'VS Invocations',
    target: 0x82f0,
    description: 'Times that the vertex shader runs; a driver may keep results of indexed vertices.',
    missing: statistics,
  },
  {
    name: 'TCS Invocations',
    target: 0x82f1,
    description: 'Patches that the tessellation control shader handles.',
    missing: tessellation,
  },
  {
    name: 'TES Invocations',
    target: 0x82f2,
    description: 'Times that the tessellation evaluation shader runs.',
    missing: tessellation,
  },
  {
    name: 'GS Invocations',
    target: 0x887f,
    description: 'Times that the geometry shader runs.',
    missing: geometry,
  },
  {
    name: 'PS Invocations',
    target: 0x82f4,
    description:
      'Times that the fragment shader runs, as the driver counts: with helpers (llvmpipe: whole 4x4 blocks), clears and blits.',
    missing: statistics,
  },
  {
    name: 'CS Invocations',
    target: 0x82f5,
    description: 'Times that the compute shader runs.',
    missing: compute,
  },
];

/** What OpenGL ES counts: little, and mostly in newer contexts. */
const es: readonly Statistic[] = [
  {
    name: 'Any Samples Passed',
    target: 0x8c2f,
    description: 'Whether any sample passes the depth and stencil tests.',
    isAny: true,
    missing: needs([3, 0], 'GL_EXT_occlusion_query_boolean'),
  },
  {
    name: 'Primitives Written',
    target: 0x8c88,
    description: 'Primitives that transform feedback writes.',
    missing: needs([3, 0]),
  },
  {
    name: 'Primitives Generated',
    target: 0x8c87,
    description: 'Primitives that reach clipping or transform feedback.',
    missing: needs(
      [3, 2],
      'GL_EXT_geometry_shader',
      'GL_OES_geometry_shader',
      'GL_EXT_tessellation_shader',
      'GL_OES_tessellation_shader',
    ),
  },
];

/** All that gpuprof knows for the context's API, whether this context has them or not. */
export const knownStatistics = ({ api }: Pick<GlContext, 'api'>): readonly Statistic[] => (api === 'gl' ? desktop : es);
