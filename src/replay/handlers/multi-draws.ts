import type { Argument } from '../../model/call.ts';
import type { Handler, Site } from '../compile/site.ts';
import { drawIdUniform } from '../shader-sources.ts';

function integers(site: Site, at: number): Int32Array {
  return new Int32Array(site.memory.bytesOf(site.args[at]).slice().buffer);
}

function pointers(site: Site, at: number): number[] {
  return Array.from(new BigUint64Array(site.memory.bytesOf(site.args[at]).slice().buffer), Number);
}

const n = (value: Argument): number => Math.max(0, Number(value));

/**
 * Drivers without the command, or without gl_DrawID where the program counts, get its draws one by one, which GL defines it
 * by. `command` is the single draw, and `list`
 * gives its arguments, draw by draw.
 */
const oneByOne =
  (command: `gl${string}`, list: (site: Site) => (draw: number) => number[]): Handler =>
  (site) => {
    const { context, programs, objects, bindings } = site.state;
    const { name, params } = site.call.signature;
    const { program } = bindings;
    const counts = programs.countsDraws(program);
    if (context.find(name) && !counts) return site.plain();
    const fn = context.require(command);
    const argumentsOf = list(site);
    const draws = Array.from(
      { length: n(site.args[params.findIndex((p) => /^(draw|prim)count$/.test(p.name))]) },
      (_, draw) => argumentsOf(draw),
    );
    if (!counts)
      return () => {
        for (const values of draws) fn(...values);
      };
    const { gl, scratch } = context;
    return () => {
      const location = gl.glGetUniformLocation(objects.names.program[program], scratch.cString(drawIdUniform));
      for (const [draw, values] of draws.entries()) {
        gl.glUniform1i(location, draw);
        fn(...values);
      }
      gl.glUniform1i(location, 0);
    };
  };

export const multiDrawHandlers: Readonly<Record<string, Handler>> = {
  MultiDrawArrays: oneByOne('glDrawArrays', (site) => {
    const [firsts, counts] = [integers(site, 1), integers(site, 2)];
    return (draw) => [Number(site.args[0]), firsts[draw], counts[draw]];
  }),
  MultiDrawArraysInstanced: oneByOne('glDrawArraysInstanced', (site) => {
    const [firsts, counts, instances] = [integers(site, 1), integers(site, 2), integers(site, 3)];
    return (draw) => [Number(site.args[0]), firsts[draw], counts[draw], instances[draw]];
  }),
  MultiDrawElements: oneByOne('glDrawElements', (site) => {
    const [counts, offsets] = [integers(site, 1), pointers(site, 3)];
    return (draw) => [Number(site.args[0]), counts[draw], Number(site.args[2]), offsets[draw]];
  }),
  MultiDrawElementsInstanced: oneByOne('glDrawElementsInstanced', (site) => {
    const [counts, offsets, instances] = [integers(site, 1), pointers(site, 3), integers(site, 4)];
    return (draw) => [Number(site.args[0]), counts[draw], Number(site.args[2]), offsets[draw], instances[draw]];
  }),
  MultiDrawArraysInstancedBaseInstance: oneByOne('glDrawArraysInstancedBaseInstanceANGLE', (site) => {
    const lists = [1, 2, 3, 4].map((at) => integers(site, at));
    return (draw) => [Number(site.args[0]), ...lists.map((list) => list[draw])];
  }),
  MultiDrawElementsInstancedBaseVertexBaseInstance: oneByOne(
    'glDrawElementsInstancedBaseVertexBaseInstanceANGLE',
    (site) => {
      const [counts, offsets] = [integers(site, 1), pointers(site, 3)];
      const lists = [4, 5, 6].map((at) => integers(site, at));
      return (draw) => [
        Number(site.args[0]),
        counts[draw],
        Number(site.args[2]),
        offsets[draw],
        ...lists.map((list) => list[draw]),
      ];
    },
  ),
};
