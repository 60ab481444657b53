/** The flame chart: a box for each node, as wide as its time, below what it stands in. */
import type { HtmlTree } from '../data.ts';
import { byId } from './dom.ts';
import { type Box, flameBoxes, neighbour } from './flame-boxes.ts';

const rowHeight = 20;
const leastWidth = 0.5;
const leastNamed = 30;

export interface FlameChart {
  readonly show: (tree: HtmlTree) => void;
  /** Marks a node's box. */
  readonly mark: (index: number) => void;
}

/** Draws into the page's canvas; a click or an arrow key chooses a node. */
export function flameChart(choose: (index: number) => void): FlameChart {
  const canvas = byId<HTMLCanvasElement>('flame');
  const tip = byId('flame-tip');
  let textOf = (_: number): string => '';
  let nameOf = (_: number): string => '';
  let boxes: Box[] = [];
  let marked = 0;
  /** What is as wide as the chart. */
  let view: Pick<Box, 'x' | 'width'> = { x: 0, width: 1 };

  function draw(): void {
    const depth = boxes.reduce((most, box) => Math.max(most, box.depth), 0);
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
    const [back, bar, ...shades] = ['--back', '--bar', '--flame-a', '--flame-b'].map((name) =>
      style.getPropertyValue(name),
    );
    const { color } = style;
    for (const box of boxes) {
      const left = Math.max(0, ((box.x - view.x) / view.width) * width);
      const right = Math.min(width, ((box.x + box.width - view.x) / view.width) * width);
      if (right - left < leastWidth) continue;
      const y = box.depth * rowHeight;
      const isMarked = box.index === marked;
      pen.fillStyle = isMarked ? bar : shades[box.index % 2];
      pen.fillRect(left, y, Math.max(leastWidth, right - left - 1), rowHeight - 1);
      if (right - left < leastNamed) continue;
      pen.save();
      pen.beginPath();
      pen.rect(left, y, right - left - 4, rowHeight);
      pen.clip();
      pen.fillStyle = isMarked ? back : color;
      pen.fillText(nameOf(box.index), left + 4, y + rowHeight / 2);
      pen.restore();
    }
  }

  function zoom(to: Pick<Box, 'x' | 'width'>): void {
    view = to;
    draw();
  }

  const boxAt = ({ offsetX, offsetY }: MouseEvent): Box | undefined => {
    const at = view.x + (offsetX / canvas.clientWidth) * view.width;
    const row = Math.floor(offsetY / rowHeight);
    return boxes.find(({ depth, x, width }) => depth === row && at >= x && at < x + width);
  };

  canvas.onclick = (event) => {
    const hit = boxAt(event);
    if (hit) choose(hit.index);
  };
  canvas.ondblclick = (event) => zoom(boxAt(event) ?? { x: 0, width: 1 });
  canvas.onmousemove = (event) => {
    const hit = boxAt(event);
    tip.hidden = hit === undefined;
    if (!hit) return;
    tip.textContent = textOf(hit.index);
    const left = Math.min(event.offsetX + 12, canvas.clientWidth - tip.offsetWidth);
    tip.style.translate = `${Math.max(0, left)}px ${event.offsetY + 16}px`;
  };
  canvas.onmouseleave = () => {
    tip.hidden = true;
  };
  const tell = (index: number) => {
    byId('flame-at').textContent = textOf(index);
  };
  canvas.onfocus = () => tell(marked);
  canvas.onkeydown = (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const from = boxes.find(({ index }) => index === marked) ?? boxes[0];
    if (!from) return;
    const to = neighbour(boxes, from, event.key);
    if (to) {
      choose(to.index);
      tell(to.index);
      // What is chosen stays in view.
      if (to.x < view.x || to.x >= view.x + view.width) zoom({ x: 0, width: 1 });
    } else if (event.key === 'Enter') zoom(from);
    else if (event.key === 'Escape') zoom({ x: 0, width: 1 });
    else if (!event.key.startsWith('Arrow')) return;
    event.preventDefault();
  };
  addEventListener('resize', draw);
  for (const query of ['(prefers-color-scheme: dark)', 'print']) matchMedia(query).addEventListener('change', draw);

  return {
    show(tree) {
      boxes = flameBoxes(tree);
      canvas.hidden = boxes.length === 0;
      byId('flame-at').textContent = canvas.hidden ? 'No event took a time that could be measured.' : '';
      const told = (key: string, index: number) => {
        const column = tree.columns.find((one) => one.key === key);
        const text = column?.texts?.[index] ?? '';
        return { text, unit: column?.head.split(' ')[1] ?? '' };
      };
      nameOf = (index) => told('name', index).text;
      textOf = (index) => {
        const time = told('durationNs', index);
        const share = told('share', index).text;
        return [nameOf(index), `${time.text} ${time.unit}`, share].filter((text) => text !== '').join(', ');
      };
      zoom({ x: 0, width: 1 });
    },
    mark(index) {
      marked = index;
      draw();
    },
  };
}
