import { constants as c } from '../../gl/webgl2/constants.ts';
import type { CallList } from '../encode/call-list.ts';
import type { Methods } from '../webgl.ts';
import type { Observer } from './calls.ts';

interface Field {
  /** GL's command without an index; the indexed one ends in `i`. Null for the capability GL_BLEND. */
  readonly command: string | null;
  readonly usual: readonly number[];
}

const fields = {
  enabled: { command: null, usual: [0] },
  func: { command: 'glBlendFuncSeparate', usual: [c.ONE, c.ZERO, c.ONE, c.ZERO] },
  equation: { command: 'glBlendEquationSeparate', usual: [c.FUNC_ADD, c.FUNC_ADD] },
  mask: { command: 'glColorMask', usual: [1, 1, 1, 1] },
} as const satisfies Record<string, Field>;
type Name = keyof typeof fields;

/** A setting of all draw buffers, and what single ones have instead. */
interface Setting {
  all: readonly number[];
  readonly own: Map<number, readonly number[]>;
}

/** Arguments past those that the method has are not looked at by GL, whatever they are. */
const numbers = (args: readonly unknown[]): number[] =>
  args.map((value) => (typeof value === 'symbol' ? Number.NaN : Number(value)));
const method = (command: string) => `${command[2].toLowerCase()}${command.slice(3)}`;

/**
 * Blending and colour masks that OES_draw_buffers_indexed sets by draw buffer. They are followed call by call, since WebGL
 * does not tell whether a single buffer blends.
 */
export class BufferSettings {
  readonly #settings = new Map<Name, Setting>(
    (Object.keys(fields) as Name[]).map((name) => [name, { all: fields[name].usual, own: new Map() }]),
  );

  #set(name: Name, values: readonly number[], buffer?: number): void {
    const setting = this.#settings.get(name) as Setting;
    if (buffer !== undefined) setting.own.set(buffer, values);
    else {
      setting.all = values;
      setting.own.clear();
    }
  }

  /** What to do after each method, by core name. */
  observers(): Record<string, Observer> {
    const all: Record<string, Observer> = {};
    const both = (name: string, field: Name, values: (args: readonly number[]) => readonly number[]) => {
      all[name] = (args) => this.#set(field, values(numbers(args)));
      all[`${name}i`] = ([buffer, ...rest]) => this.#set(field, values(numbers(rest)), Number(buffer));
    };
    both('blendFunc', 'func', ([source, destination]) => [source, destination, source, destination]);
    both('blendFuncSeparate', 'func', (args) => args.slice(0, 4));
    both('blendEquation', 'equation', ([mode]) => [mode, mode]);
    both('blendEquationSeparate', 'equation', (args) => args.slice(0, 2));
    both('colorMask', 'mask', (args) => args.slice(0, 4));
    for (const [name, on] of [
      ['enable', 1],
      ['disable', 0],
    ] as const) {
      all[name] = ([capability]) => {
        if (capability === c.BLEND) this.#set('enabled', [on]);
      };
      all[`${name}i`] = ([capability, buffer]) => {
        if (capability === c.BLEND) this.#set('enabled', [on], Number(buffer));
      };
    }
    return all;
  }

  /** Every setting that single buffers have, as GL commands: that of all buffers first, which would undo the others. */
  #commands(): (readonly [command: string, ...args: number[]])[] {
    const commands: [string, ...number[]][] = [];
    for (const [name, { all, own }] of this.#settings) {
      if (own.size === 0) continue;
      const { command } = fields[name];
      if (command) commands.push([command, ...all]);
      else commands.push([all[0] ? 'glEnable' : 'glDisable', c.BLEND]);
      for (const [buffer, values] of own)
        if (command) commands.push([`${command}i`, buffer, ...values]);
        else commands.push([values[0] ? 'glEnablei' : 'glDisablei', c.BLEND, buffer]);
    }
    return commands;
  }

  /** Writes the settings; to follow those of all buffers. */
  add(calls: CallList): void {
    for (const [command, ...args] of this.#commands()) calls.add(command, args);
  }

  /** Sets them again in the program's context, after the recorder has set those of all buffers. */
  apply(gl: Methods, extension: Methods | undefined): void {
    for (const [command, ...args] of this.#commands())
      if (command.endsWith('i')) extension?.[`${method(command)}OES`](...args);
      else gl[method(command)](...args);
  }
}
