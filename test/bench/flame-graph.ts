/** A processor profile as `node --cpu-prof` writes it. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

/** A function as it was called from those around it. */
interface Box {
  readonly name: string;
  readonly title: string;
  timeUs: number;
  readonly inside: Map<string, Box>;
}

const width = 1200;
const rowHeight = 17;
/** Narrower ones are left out, and narrower ones than this have no text. */
const leastWidth = 0.3;
const textWidth = 30;
const letterWidth = 6.6;

const newBox = (name: string, title: string): Box => ({ name, title, timeUs: 0, inside: new Map() });

/** All calls of a function from one place become one box. */
function boxesOf({ nodes, samples, timeDeltas }: CpuProfile): Box {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const ownUs = new Map<number, number>();
  for (const [index, id] of samples.entries()) ownUs.set(id, (ownUs.get(id) ?? 0) + Math.max(0, timeDeltas[index]));
  const fill = (box: Box, id: number): number => {
    const node = byId.get(id);
    let timeUs = ownUs.get(id) ?? 0;
    for (const child of node?.children ?? []) {
      const frame = byId.get(child)?.callFrame;
      if (!frame || frame.functionName === '(idle)') continue;
      const name = frame.functionName || '(anonymous)';
      const place = frame.url === '' ? '' : `${frame.url.split('/').slice(-2).join('/')}:${frame.lineNumber + 1}`;
      const title = place === '' ? name : `${name}, ${place}`;
      const known = box.inside.get(title) ?? newBox(name, title);
      box.inside.set(title, known);
      timeUs += fill(known, child);
    }
    box.timeUs += timeUs;
    return timeUs;
  };
  const root = newBox('all', 'all');
  fill(root, nodes[0].id);
  return root;
}

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`).replace(/\p{Cc}/gu, ' ');

/** The same for the same name, in the colours of fire. */
function colour(name: string): string {
  let hash = 0;
  for (const letter of name) hash = (hash * 31 + letter.charCodeAt(0)) % 997;
  return `hsl(${(hash % 50) + 5} 85% ${62 + (hash % 17)}%)`;
}

const depthOf = ({ inside }: Box): number => 1 + Math.max(0, ...[...inside.values()].map(depthOf));

function* boxes(box: Box, x: number, depth: number, perUs: number, totalUs: number): Generator<string> {
  const wide = box.timeUs * perUs;
  if (wide < leastWidth) return;
  const share = ((100 * box.timeUs) / totalUs).toFixed(1);
  const y = depth * rowHeight;
  yield `<g><title>${escaped(box.title)}: ${(box.timeUs / 1000).toFixed(1)} ms, ${share}%</title>`;
  yield `<rect x="${x.toFixed(1)}" y="${y}" width="${wide.toFixed(1)}" height="${rowHeight - 1}" fill="${colour(box.name)}"/>`;
  const letters = Math.floor((wide - 4) / letterWidth);
  if (wide >= textWidth)
    yield `<text x="${(x + 2).toFixed(1)}" y="${y + 12}">${escaped(box.name.slice(0, letters))}</text>`;
  yield '</g>\n';
  let at = x;
  for (const inner of [...box.inside.values()].sort((one, other) => other.timeUs - one.timeUs)) {
    yield* boxes(inner, at, depth + 1, perUs, totalUs);
    at += inner.timeUs * perUs;
  }
}

/** The profile as one SVG that needs nothing else: callers above what they call, each as wide as it took. */
export function flameGraph(profile: CpuProfile): string {
  const root = boxesOf(profile);
  const height = depthOf(root) * rowHeight;
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<style>text { font: 11px monospace; } rect { stroke: white; stroke-width: 0.3; }</style>
`;
  return `${head}${[...boxes(root, 0, 0, width / Math.max(1, root.timeUs), Math.max(1, root.timeUs))].join('')}</svg>\n`;
}
