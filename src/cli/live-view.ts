import type { QtNumbering } from '../model/qrhi/texture-formats.ts';
import { qrhiLiveLines, qrhiStatus } from '../report/qrhi-usage/live.ts';
import type { QrhiStreamReport } from '../report/qrhi-usage/stream-report.ts';
import { wantsColor } from './terminal.ts';

const redrawMs = 250;
const statusMs = 5000;
const largestShown = 5;
/** The alternate screen, without a cursor, where no line wraps; and back. */
const enter = '\u001b[?1049h\u001b[?25l\u001b[?7l';
const leave = '\u001b[?7h\u001b[?25h\u001b[?1049l';
const home = '\u001b[H';
const clearLine = '\u001b[K';
const clearRest = '\u001b[J';

/** What there is to see now. */
export interface LiveState {
  readonly headline: string;
  readonly sizeBytes: number;
  readonly qt: QtNumbering;
  /** Null while nothing streams. Asked for when it is drawn only. */
  report(): QrhiStreamReport | null;
}

export interface LiveView {
  start(): void;
  /** Gives the terminal back, for something to print or for good. */
  stop(): void;
}

function draw({ headline, qt, ...state }: LiveState): void {
  const { columns, rows } = process.stdout;
  const size = { width: columns || 80, height: rows || 24 };
  const color = wantsColor(process.stdout);
  const lines = qrhiLiveLines(headline, state.report(), { top: largestShown, qt, color, ...size });
  // One write a picture, so that nothing is seen erased. At the end of a full line there is nothing to erase.
  const rest = lines.length < size.height ? `\r\n${clearRest}` : '';
  process.stdout.write(home + lines.map((line) => clearLine + line).join('\r\n') + rest);
}

/** A table that is redrawn in place, on a terminal. */
function liveScreen(state: () => LiveState): LiveView {
  let drawn = '';
  let timer: NodeJS.Timeout | undefined;
  const redraw = (): void => {
    const now = state();
    const stamp = `${now.headline} ${now.sizeBytes}`;
    if (stamp === drawn || process.stdout.writableNeedDrain) return;
    drawn = stamp;
    draw(now);
  };
  const resized = (): void => {
    drawn = '';
    redraw();
  };
  const restore = (): void => {
    process.stdout.write(leave);
  };
  return {
    start() {
      if (timer) return;
      process.stdout.write(enter);
      process.once('exit', restore);
      process.stdout.on('resize', resized);
      timer = setInterval(redraw, redrawMs);
      resized();
    },
    stop() {
      if (!timer) return;
      clearInterval(timer);
      timer = undefined;
      process.stdout.off('resize', resized);
      process.off('exit', restore);
      restore();
    },
  };
}

/** A line on standard error now and then, when something has come. */
function statusLines(state: () => LiveState): LiveView {
  let told = 0;
  let timer: NodeJS.Timeout | undefined;
  const tell = (): void => {
    const now = state();
    if (now.sizeBytes === told || now.sizeBytes === 0) return;
    told = now.sizeBytes;
    const report = now.report();
    if (report) process.stderr.write(`${qrhiStatus(report)}\n`);
  };
  return {
    start() {
      timer ??= setInterval(tell, statusMs);
      tell();
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}

/** Shows a stream while it goes on: in place on a terminal, else as lines on standard error. */
export function liveView(state: () => LiveState): LiveView {
  const isScreen = process.stdout.isTTY && process.env.TERM !== 'dumb';
  return isScreen ? liveScreen(state) : statusLines(state);
}
