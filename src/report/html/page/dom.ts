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

/** What the page's data element holds. */
export const pageData = <T>(): T => JSON.parse(byId('data').textContent ?? '') as T;

/** Terms and descriptions, for a `dl`. */
export const facts = (list: readonly (readonly [label: string, text: string])[]): HTMLElement[] =>
  list.flatMap(([label, text]) => [element('dt', {}, label), element('dd', {}, text)]);
