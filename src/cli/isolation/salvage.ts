/** The report of a replay whose process is gone, from what it wrote down. */
import { analyseFrame } from '../../analysis/analyse-frame.ts';
import type { FrameReport, Report, Warning } from '../../model/report.ts';
import type { FrameMeasurement, PlainSample, RunSample } from '../../model/sample.ts';
import { FrameTrees } from '../frame-trees.ts';
import { openAnyCapture } from '../open-capture.ts';
import { reportOf } from '../replay-setup.ts';
import { writeReports } from '../report-outputs.ts';
import type { Note } from './notebook.ts';

type NoteOf<W extends Note['what']> = Extract<Note, { readonly what: W }>;

/** The frames' measurements in order; of the last, which was under way, the runs that were whole. */
function measurements(notes: readonly Note[]): FrameMeasurement[] {
  const whole = notes.filter((note) => note.what === 'frame').map(({ measurement }) => measurement);
  const done = new Set(whole.map(({ frame }) => frame));
  const plain: PlainSample[] = [];
  const runs: RunSample[] = [];
  let frame = 0;
  for (const note of notes) {
    if (note.what !== 'sample' || done.has(note.frame)) continue;
    frame = note.frame;
    if ('plain' in note.sample) plain.push(note.sample.plain);
    else runs.push(note.sample.run);
  }
  if (runs.length === 0) return whole;
  return [...whole, { frame, plain, runs, repeated: 0, warmups: 0, problem: null }];
}

/**
 * Writes the reports that were asked for, of what was measured before the process went, with what happened as a warning.
 * Returns how many whole runs they rest on; 0 when there is nothing to write.
 */
export async function salvage(notes: readonly Note[], warning: Warning): Promise<number> {
  const replay = notes.find((note): note is NoteOf<'replay'> => note.what === 'replay');
  const setUp = notes.find((note): note is NoteOf<'set-up'> => note.what === 'set-up');
  const measured = measurements(notes);
  if (!replay || !setUp || measured.length === 0) return 0;
  const { file, options, outputs } = replay;
  const { environment, timer } = setUp;
  const capture = await openAnyCapture(file);
  let report: Report;
  try {
    const trees = await FrameTrees.create(capture);
    const frames: FrameReport[] = [];
    for (const measurement of measured)
      frames.push(analyseFrame(await trees.build(measurement.frame, options.per), measurement));
    report = reportOf(
      { capture, environment, counting: null },
      { ...timer, warnings: [warning, ...timer.warnings] },
      { glErrors: [] },
      {
        frames,
        warmups: measured[measured.length - 1].warmups,
        per: options.per,
        programs: trees.programKeys(),
        states: trees.states(),
      },
    );
  } finally {
    await capture.close();
  }
  await writeReports(
    report,
    outputs.filter(({ format }) => format !== 'qrhi'),
    options,
    {},
  );
  return measured.reduce((sum, { runs }) => sum + runs.length, 0);
}
