/** The flame chart: a box for each node, as wide as its time, below what it stands in. */
import type { HtmlNode } from '../data.ts';
import { byId } from './dom.ts';

const rowHeight = 18;
const leastWidth = 0.5;

interface Box {
  readonly index: number;
  readonly x: number;
  readonly width: number;
  readonly depth: number;
}

/** Boxes in parts of the frame's time, from 0 to 1; those of no time are left out. */
function flameBoxes(nodes: readonly HtmlNode[]): Box[] {
  const total = nodes[0]?.durationNs ?? 0;
  if (total <= 0) return [];
  const starts: number[] = [0];
  const boxes: Box[] = [];
  for (const [index, { depth, durationNs }] of nodes.entries()) {
    const x = starts[depth] ?? 0;
    const width = (durationNs ?? 0) / total;
    if (width > 0) boxes.push({ index, x, width, depth });
    starts[depth] = x + width;
    starts[depth + 1] = x;
  }
  return boxes;
}

/** Draws into the page's canvas; a click chooses a node. */
export function showFlame(nodes: readonly HtmlNode[], choose: (index: number) => void): void {
  const canvas = byId<HTMLCanvasElement>('flame');
  const boxes = flameBoxes(nodes);
  const depth = boxes.reduce((most, box) => Math.max(most, box.depth), 0);
  const draw = () => {
    const width = canvas.clientWidth;
    const ratio = window.devicePixelRatio;
    canvas.style.height = `${(depth + 1) * rowHeight}px`;
    canvas.width = width * ratio;
    canvas.height = (depth + 1) * rowHeight * ratio;
    const pen = canvas.getContext('2d');
    if (!pen) return;
    pen.scale(ratio, ratio);
    pen.font = '12px system-ui, sans-serif';
    pen.textBaseline = 'middle';
    const style = getComputedStyle(canvas);
    for (const box of boxes) {
      const [x, w] = [box.x * width, box.width * width];
      if (w < leastWidth) continue;
      const y = box.depth * rowHeight;
      pen.fillStyle = style.getPropertyValue(box.index % 2 ? '--flame-a' : '--flame-b');
      pen.fillRect(x, y, Math.max(leastWidth, w - 1), rowHeight - 1);
      if (w < 30) continue;
      pen.save();
      pen.beginPath();
      pen.rect(x, y, w - 4, rowHeight);
      pen.clip();
      pen.fillStyle = style.color;
      pen.fillText(nodes[box.index].name, x + 4, y + rowHeight / 2);
      pen.restore();
    }
  };
  canvas.onclick = ({ offsetX, offsetY }) => {
    const at = offsetX / canvas.clientWidth;
    const row = Math.floor(offsetY / rowHeight);
    const hit = boxes.find((box) => box.depth === row && at >= box.x && at < box.x + box.width);
    if (hit) choose(hit.index);
  };
  window.onresize = draw;
  matchMedia('(prefers-color-scheme: dark)').onchange = draw;
  draw();
}
