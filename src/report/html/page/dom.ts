/** An element with attributes and children; text is text, never markup. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>> = {},
  ...children: readonly (Node | string)[]
): HTMLElement {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

export function byId<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element ${id}`);
  return found as T;
}

const units = [
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, 'µs'],
  [1, 'ns'],
] as const;

/** With its unit and three digits or more. */
export function durationText(durationNs: number | null): string {
  if (durationNs === null) return '–';
  const [size, symbol] = units.find(([least]) => durationNs >= least) ?? units[3];
  const value = durationNs / size;
  const decimals = symbol === 'ns' || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(decimals)} ${symbol}`;
}
