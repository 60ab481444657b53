import type { Argument } from '../../model/call.ts';
import type { Handler, Site } from '../compile/site.ts';

function integers(site: Site, at: number): Int32Array {
  return new Int32Array(site.memory.bytesOf(site.args[at]).slice().buffer);
}

function pointers(site: Site, at: number): number[] {
  return Array.from(new BigUint64Array(site.memory.bytesOf(site.args[at]).slice().buffer), Number);
}

const n = (value: Argument): number => Math.max(0, Number(value));

/**
 * Drivers without the command get its draws one by one, which GL defines it by. `command` is the single draw, and `list`
 * gives its arguments, draw by draw.
 */
const oneByOne =
  (command: `gl${string}`, list: (site: Site) => (draw: number) => number[]): Handler =>
  (site) => {
    const { context } = site.state;
    const { name, params } = site.call.signature;
    if (context.find(name)) return site.plain();
    const fn = context.require(command);
    const argumentsOf = list(site);
    const draws = Array.from(
      { length: n(site.args[params.findIndex((p) => /^(draw|prim)count$/.test(p.name))]) },
      (_, draw) => argumentsOf(draw),
    );
    return () => {
      for (const values of draws) fn(...values);
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
};
