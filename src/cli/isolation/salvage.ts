/** The report of a replay whose process is gone, from what it wrote down. */
import { analyseFrame } from '../../analysis/analyse-frame.ts';
import type { FrameReport, Report, Warning } from '../../model/report.ts';
import type { BracketUnit, FrameMeasurement, PlainSample, RunSample } from '../../model/sample.ts';
import { FrameTrees } from '../frame-trees.ts';
import { openAnyCapture } from '../open-capture.ts';
import { reportOf } from '../replay-setup.ts';
import { writeReports } from '../report-outputs.ts';
import type { Note } from './notebook.ts';

export type NoteOf<W extends Note['what']> = Extract<Note, { readonly what: W }>;

/** The frames' measurements in order; of those that came to no end, the runs that were whole. */
function measurements(notes: readonly Note[]): FrameMeasurement[] {
  const whole = new Map<number, FrameMeasurement>();
  const begun = new Map<number, { readonly plain: PlainSample[]; readonly runs: RunSample[] }>();
  for (const note of notes) {
    if (note.what === 'frame') whole.set(note.measurement.frame, note.measurement);
    if (note.what !== 'sample') continue;
    const { plain, runs } = begun.get(note.frame) ?? { plain: [], runs: [] };
    begun.set(note.frame, { plain, runs });
    if ('plain' in note.sample) plain.push(note.sample.plain);
    else runs.push(note.sample.run);
  }
  for (const [frame, { plain, runs }] of begun)
    if (!whole.has(frame) && runs.length > 0)
      whole.set(frame, { frame, plain, runs, repeated: 0, warmups: 0, problem: null });
  return [...whole.values()];
}

/** What a process had measured, with what happened to it. */
export interface Salvaged {
  readonly report: Report;
  /** Whole runs that it rests on. */
  readonly runs: number;
}

/** The report of what was measured of a capture, whose notes these are; null when that is nothing. */
export async function salvage(
  { file, per }: { readonly file: string; readonly per: BracketUnit },
  notes: readonly Note[],
  message: string,
): Promise<Salvaged | null> {
  const setUp = notes.find((note): note is NoteOf<'set-up'> => note.what === 'set-up');
  const measured = measurements(notes);
  if (!setUp || measured.length === 0) return null;
  const { environment, timer } = setUp;
  const warning: Warning = { code: 'replay-lost', message };
  const capture = await openAnyCapture(file, () => {});
  try {
    const trees = await FrameTrees.create(capture);
    const frames: FrameReport[] = [];
    for (const measurement of measured)
      frames.push(analyseFrame(await trees.build(measurement.frame, per), measurement));
    const report = reportOf(
      { capture, environment, counting: null },
      { ...timer, warnings: [warning, ...timer.warnings] },
      { glErrors: [] },
      {
        frames,
        warmups: measured[measured.length - 1].warmups,
        per,
        programs: trees.programKeys(),
        states: trees.states(),
      },
    );
    return { report, runs: measured.reduce((sum, { runs }) => sum + runs.length, 0) };
  } finally {
    await capture.close();
  }
}

/**
 * Writes the reports that a replay was asked for, of what was measured before its process went. Returns how many whole runs
 * they rest on; 0 when there is nothing to write.
 */
export async function writeSalvaged(
  { file, options, outputs }: NoteOf<'replay'>,
  notes: readonly Note[],
  message: string,
): Promise<number> {
  const salvaged = await salvage({ file, per: options.per }, notes, message);
  if (!salvaged) return 0;
  await writeReports(
    salvaged.report,
    outputs.filter(({ format }) => format !== 'qrhi'),
    options,
    {},
  );
  return salvaged.runs;
}
