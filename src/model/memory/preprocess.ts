/**
 * GLSL's preprocessor, as far as it decides which declarations a shader has: comments, conditions, macros without
 * parameters. What it cannot decide stays in (GLSL 4.60, section 3.3).
 */

/** Longer sources are cut: a capture is untrusted input. */
const longestSource = 2 ** 20;
const longestExpression = 4000;
/** What macros may add in all; then lines stay as they are. */
const mostExpansion = 2 ** 21;

export interface Preprocessed {
  /** The code without comments, directives and what conditions leave out; macros without parameters replaced. */
  readonly code: string;
  /** What macros are made of: names that only occur there are used, too. */
  readonly macros: string;
}

const tokens = /0[xX][\da-fA-F]+|\d+|[A-Za-z_]\w*|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%()!~<>&^|]|\S/g;

const levels: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '>', '<=', '>='],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
];

const operations: Readonly<Record<string, (a: number, b: number) => number>> = {
  '||': (a, b) => Number(a !== 0 || b !== 0),
  '&&': (a, b) => Number(a !== 0 && b !== 0),
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '&': (a, b) => a & b,
  '==': (a, b) => Number(a === b),
  '!=': (a, b) => Number(a !== b),
  '<': (a, b) => Number(a < b),
  '>': (a, b) => Number(a > b),
  '<=': (a, b) => Number(a <= b),
  '>=': (a, b) => Number(a >= b),
  '<<': (a, b) => a << b,
  '>>': (a, b) => a >> b,
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => Math.trunc(a / b),
  '%': (a, b) => a % b,
};

/** A name that cannot be put as a number, or syntax that is none. */
class Undecided extends Error {}

/** A whole-number expression; `known` says what names stand for. Undefined when it cannot be told. */
export function evaluate(text: string, known: (name: string) => number | undefined): number | undefined {
  if (text.length > longestExpression) return undefined;
  const list = text.match(tokens) ?? [];
  let at = 0;
  const primary = (): number => {
    const token = list[at++];
    if (token === undefined) throw new Undecided();
    if (token === '(') {
      const value = binary(0);
      if (list[at++] !== ')') throw new Undecided();
      return value;
    }
    if (token === '!') return Number(primary() === 0);
    if (token === '-') return -primary();
    if (token === '+') return primary();
    if (token === '~') return ~primary();
    if (/^\d/.test(token)) {
      if (/^[uU]$/.test(list[at] ?? '')) at++;
      return Number(/^0\d/.test(token) ? Number.parseInt(token, 8) : token);
    }
    const value = /^[A-Za-z_]/.test(token) && list[at] !== '(' ? known(token) : undefined;
    if (value === undefined) throw new Undecided();
    return value;
  };
  const binary = (level: number): number => {
    if (level === levels.length) return primary();
    let value = binary(level + 1);
    while (levels[level].includes(list[at] ?? '')) {
      const operation = operations[list[at++] as string];
      value = operation(value, binary(level + 1));
    }
    return value;
  };
  try {
    const value = binary(0);
    return at === list.length && Number.isFinite(value) ? value : undefined;
  } catch (error) {
    if (error instanceof Undecided) return undefined;
    throw error;
  }
}

interface Condition {
  /** Whether lines in the branch that is open stay in. */
  active: boolean;
  /** Whether a branch was certainly taken, so that the others are out. */
  taken: boolean;
  readonly parent: boolean;
}

const directive = /^\s*#\s*(\w*)\s*(.*)$/;
const names = /[A-Za-z_]\w*/g;

class Macros {
  readonly values: Map<string, string>;
  /** Those with parameters: defined, but not replaced. */
  readonly functions = new Set<string>();
  #left = mostExpansion;

  constructor(predefined: ReadonlyMap<string, string>) {
    this.values = new Map(predefined);
  }

  isDefined(name: string): number {
    return Number(this.values.has(name) || this.functions.has(name));
  }

  expand(line: string): string {
    let text = line;
    for (let round = 0; round < 8 && this.#left > 0; round++) {
      const next = text.replace(names, (name) => {
        const value = this.#left > 0 ? this.values.get(name) : undefined;
        this.#left -= value?.length ?? 0;
        return value ?? name;
      });
      if (next === text) break;
      text = next;
    }
    return text;
  }

  /** Whether a condition holds; undefined when it cannot be told. */
  truth(expression: string): number | undefined {
    const decided = expression.replace(
      /\bdefined\s*(?:\(\s*(\w+)\s*\)|(\w+))/g,
      (_, a, b) => ` ${this.isDefined(a ?? b)} `,
    );
    // Names that are no macros are 0.
    return evaluate(this.expand(decided), (name) => (this.functions.has(name) ? undefined : 0));
  }
}

/** `predefined`: macros that are defined before the first line, with their values. */
export function preprocess(source: string, predefined: ReadonlyMap<string, string>): Preprocessed {
  const text = source
    .slice(0, longestSource)
    .replace(/\\\r?\n/g, '')
    .replace(/\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*/g, (comment) => comment.replace(/[^\n]/g, ' '));
  const macros = new Macros(predefined);
  const conditions: Condition[] = [];
  const code: string[] = [];
  const bodies: string[] = [];
  const branch = (condition: Condition, value: number | undefined): void => {
    condition.active = condition.parent && !condition.taken && value !== 0;
    if (value !== undefined && value !== 0) condition.taken = true;
  };
  for (const line of text.split('\n')) {
    const [, word, rest = ''] = directive.exec(line) ?? [];
    const current = conditions[conditions.length - 1];
    const active = current?.active ?? true;
    if (word === undefined) {
      if (active) code.push(macros.expand(line));
    } else if (/^if(n?def)?$/.test(word)) {
      const condition = { active: false, taken: false, parent: active };
      const name = rest.trim().split(/\s/, 1)[0];
      const defined = macros.isDefined(name);
      branch(condition, word === 'if' ? macros.truth(rest) : word === 'ifdef' ? defined : 1 - defined);
      conditions.push(condition);
    } else if (word === 'elif' && current) branch(current, macros.truth(rest));
    else if (word === 'else' && current) branch(current, 1);
    else if (word === 'endif') conditions.pop();
    else if (word === 'undef' && active) {
      macros.values.delete(rest.trim());
      macros.functions.delete(rest.trim());
    } else if (word === 'define' && active) {
      const [, name, parameters, body = ''] = /^(\w+)(\([^)]*\))?\s*(.*)$/.exec(rest) ?? [];
      if (name === undefined) continue;
      if (parameters === undefined) macros.values.set(name, body.trim());
      else macros.functions.add(name);
      bodies.push(body);
    }
  }
  return { code: code.join('\n'), macros: bodies.join('\n') };
}
