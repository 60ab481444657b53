/** What stands above a table in words: the facts without which its numbers mean nothing. */
import { type FrameReport, isPlayedOnce, type Report, type Statistics } from '../model/report.ts';
import { durationText } from '../model/units.ts';
import { printable } from './printable.ts';
import { timelineFacts } from './timeline/facts.ts';

/** One line: what it is about, and the text (printable). */
export interface Fact {
  readonly label: string;
  readonly text: string;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const rounded = (ratio: number): string => (ratio >= 100 ? ratio.toFixed(0) : ratio.toPrecision(3));

function captureText({ capture }: Report): string {
  const { width, height, samples } = capture.canvas;
  const multisampled = samples > 0 ? `, ${samples} samples` : '';
  const size = `canvas ${width}×${height}${multisampled}`;
  return `${capture.file} (${capture.api}, ${size}, ${counted(capture.frames, 'frame')})`;
}

function rendererText({ environment }: Report): string {
  const { renderer, software, softwareThreads } = environment;
  if (!software) return renderer;
  if (softwareThreads === null) return `${renderer}, on the CPU`;
  const threads = softwareThreads === 0 ? 'no worker threads' : counted(softwareThreads, 'worker thread');
  return `${renderer}, on the CPU with ${threads}`;
}

/** Why the method was taken and, a line each, why the others were not. */
function timerFacts({ settings, trust }: Report): Fact[] {
  const reasons =
    settings.method === null
      ? `none: ${settings.why}`
      : settings.timer === 'auto'
        ? `${settings.method}, chosen: ${settings.why}`
        : `${settings.method}, as asked`;
  const untold = trust.methods.filter(({ trusted, reason }) => !trusted && !settings.why.includes(reason));
  const verdicts = untold.map(({ method, available, reason }) =>
    available ? `${method} ${reason}` : `${method} is not available: ${reason}`,
  );
  return [...reasons.split('; '), ...verdicts].map((text, index) => ({ label: index === 0 ? 'timer' : '', text }));
}

function verificationFacts({ verification }: Report): Fact[] {
  return verification ? [{ label: 'verify', text: verification.message }] : [];
}

/** Desktop drivers begin GL_VERSION with the number. */
const driverText = ({ environment: { driver, version } }: Report): string =>
  `${driver}, ${/^\d/.test(version) ? 'OpenGL ' : ''}${version}`;

/** The capture, the machine and the method. */
export function reportFacts(report: Report): Fact[] {
  const facts = [
    { label: 'capture', text: captureText(report) },
    { label: 'renderer', text: rendererText(report) },
    { label: 'driver', text: driverText(report) },
    ...timerFacts(report),
    ...verificationFacts(report),
  ];
  return facts.map(({ label, text }) => ({ label, text: printable(text) }));
}

const withMad = ({ median, mad }: Statistics): string => `${durationText(median)} ± ${durationText(mad)}`;

function frameText(frame: FrameReport): string {
  const { plainNs, plainCpuNs } = frame;
  if (!plainNs) return isPlayedOnce(frame) ? 'not measured without brackets' : 'could not be measured';
  const cpu = plainCpuNs ? `, ${durationText(plainCpuNs.median)} of CPU time` : '';
  return `${withMad(plainNs)}${cpu}, without brackets`;
}

function leavesText({ sumOfLeavesNs, inflation }: FrameReport): string {
  if (!sumOfLeavesNs) return 'could not be measured';
  const slower = inflation === null ? '' : `; with brackets the frame takes ${rounded(inflation)} times as long`;
  return `${durationText(sumOfLeavesNs.median)} in sum${slower}`;
}

function runsText(frame: FrameReport, warmups: number): string {
  const { runs, repeatedRuns, questionableRuns } = frame;
  const notes = [
    isPlayedOnce(frame)
      ? 'without a warm-up: frames before it drew with all that it draws with'
      : `after ${counted(warmups, 'warm-up')}`,
  ];
  if (repeatedRuns > 0) notes.push(`${repeatedRuns} measured again`);
  if (questionableRuns > 0) notes.push(`${questionableRuns} questionable`);
  return `${runs} ${notes.join(', ')}`;
}

/** One frame's totals, and how they were come by. */
export function frameFacts(frame: FrameReport, report: Report): Fact[] {
  if (report.settings.method === null) return [];
  return [
    { label: 'runs', text: runsText(frame, report.settings.warmups) },
    { label: 'floor', text: frame.floorNs ? `${withMad(frame.floorNs)}, what an empty bracket reads` : 'unknown' },
    { label: 'frame', text: frameText(frame) },
    { label: 'leaves', text: leavesText(frame) },
    ...timelineFacts(frame),
  ];
}
