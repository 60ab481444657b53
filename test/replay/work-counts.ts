/** How much work a frame makes the GPU do, by the queries a context has. */
import assert from 'node:assert/strict';
import type { GlContext } from '../../src/gl/context.ts';
import type { FrameReplay } from '../../src/replay/frame-replay.ts';

const anySamplesPassed = 0x8c2f;
const primitivesWritten = 0x8c88;
const primitivesGenerated = 0x8c87;
const samplesPassed = 0x8914;
/** Vertices and primitives submitted, invocations of both shaders, primitives into and out of clipping. */
const pipelineStatistics = [0x82ee, 0x82ef, 0x82f0, 0x82f4, 0x82f6, 0x82f7];

function targetsOf(context: GlContext): readonly number[] {
  const statistics = context.extensions.has('GL_ARB_pipeline_statistics_query') ? pipelineStatistics : [];
  if (context.api === 'gl') return [samplesPassed, primitivesWritten, primitivesGenerated, ...statistics];
  return [anySamplesPassed, primitivesWritten, ...(context.atLeast(3, 2) ? [primitivesGenerated] : [])];
}

/** Plays the frame once with one bracket around it; returns the counts by query target. */
export function playCounted(context: GlContext, frame: FrameReplay): Record<string, number> {
  const { gl, scratch } = context;
  const targets = targetsOf(context);
  gl.glGenQueries(targets.length, scratch.address);
  const queries = [...scratch.u32.slice(0, targets.length)];
  const last = frame.calls.length - 1;
  const beginAt = new Int32Array(last + 1).fill(-1);
  const endAt = beginAt.slice();
  beginAt[0] = 0;
  endAt[last] = 0;
  frame.play(
    { beginAt, endAt },
    {
      begin() {
        for (const [at, target] of targets.entries()) gl.glBeginQuery(target, queries[at]);
      },
      end() {
        for (const target of targets) gl.glEndQuery(target);
      },
    },
  );
  const counts: Record<string, number> = {};
  for (const [at, target] of targets.entries()) {
    gl.glGetQueryObjectuiv(queries[at], 0x8866, scratch.address);
    counts[`0x${target.toString(16)}`] = scratch.u32[0];
  }
  scratch.u32.set(queries);
  gl.glDeleteQueries(queries.length, scratch.address);
  assert.equal(gl.glGetError(), 0);
  return counts;
}
