/** Parts of a report's page that are the same for all of its frames. */
import type { ResourceSize } from '../../model/life/resource-sizes.ts';
import { quantityText } from '../../model/quantity-text.ts';
import type { Environment, GlErrorReport, Report } from '../../model/report.ts';
import { durationText } from '../../model/units.ts';
import type { Fact } from '../summary.ts';
import { none } from '../table-columns.ts';
import { textTable } from './document.ts';

/** Every field of it. */
export function environmentFacts({ environment }: { readonly environment: Environment }): Fact[] {
  const { driver, api, vendor, renderer, version, software, softwareThreads, os, cpu, cores, node } = environment;
  const threads = softwareThreads === null ? '' : `, worker threads: ${softwareThreads}`;
  return [
    { label: 'driver', text: `${driver}, ${api === 'gl' ? 'OpenGL' : 'OpenGL ES'}` },
    { label: 'vendor', text: vendor },
    { label: 'renderer', text: renderer },
    { label: 'version', text: version },
    { label: 'draws on', text: software ? `the CPU${threads}` : 'a GPU' },
    { label: 'system', text: os },
    { label: 'processor', text: `${cpu}, ${cores} cores` },
    { label: 'node', text: node },
  ];
}

/** What recorded the capture, and how this replay was measured. */
export function originFacts({ capture, producer, settings }: Report): Fact[] {
  const { origin } = capture;
  return [
    { label: 'recorded by', text: origin.producer },
    { label: 'recorded on', text: [origin.driver, origin.vendor, origin.renderer, origin.version].join(', ') },
    { label: 'reported by', text: producer },
    { label: 'bracket', text: `one for each ${settings.per}` },
  ];
}

export function trustTable({ trust }: Report): string {
  if (trust.methods.length === 0) return '';
  const columns = [
    { head: 'method' },
    { head: 'verdict' },
    { head: 'of host clock', isNumber: true },
    { head: 'floor', isNumber: true },
    { head: 'bits', isNumber: true },
    { head: 'reason' },
  ];
  const rows = trust.methods.map(({ method, available, trusted, ratio, floorNs, bits, reason }) => [
    method,
    trusted ? 'trusted' : available ? 'not trusted' : 'not available',
    ratio === null ? none : quantityText(ratio * 100, 'percent'),
    floorNs === null ? none : durationText(floorNs),
    bits === null ? none : String(bits),
    reason,
  ]);
  return textTable('trust', 'Timer methods', columns, rows);
}

export function errorTable(errors: readonly GlErrorReport[]): string {
  if (errors.length === 0) return '';
  const columns = [
    { head: 'frame' },
    { head: 'event', isNumber: true },
    { head: 'error' },
    { head: 'times', isNumber: true },
    { head: 'call' },
  ];
  const rows = errors.map(({ frame, eventId, call, error, count }) => [
    frame === null ? 'setup' : String(frame),
    String(eventId),
    error,
    String(count),
    call,
  ]);
  return textTable('errors', 'GL errors', columns, rows);
}

/** Each in a unit of its own: they lie far apart. */
export function resourceTable(resources: readonly ResourceSize[]): string {
  const columns = [
    { head: 'class' },
    { head: 'id', isNumber: true },
    { head: 'name' },
    { head: 'size' },
    { head: 'memory', isNumber: true },
    { head: 'bytes', isNumber: true },
  ];
  const rows = resources.map(({ class: kind, id, name, sizeBytes, size }) => [
    kind,
    String(id),
    name,
    size ? size.join('×') : '',
    quantityText(sizeBytes, 'bytes'),
    quantityText(sizeBytes, ''),
  ]);
  const totalBytes = resources.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const count = `${resources.length}, ${quantityText(totalBytes, 'bytes')}`;
  return textTable('resources', `Textures and buffers: ${count}`, columns, rows);
}

/** When the runs of frames happened; none where nobody asked for times on the host's clock. */
export function runTable({ frames }: Report): string {
  const known = (timeNs: number | null) => (timeNs === null ? none : durationText(Math.abs(timeNs)));
  const rows = frames.flatMap(({ frame, timeline }) =>
    (timeline?.runs ?? []).map((run, index) => [
      String(frame),
      String(index + 1),
      durationText(run.startNs),
      durationText(run.submittedNs - run.startNs),
      durationText(run.finishedNs - run.startNs),
      known(run.latencyNs),
      run.clock,
      known(run.uncertaintyNs),
      run.driftPpm === null ? none : run.driftPpm.toFixed(1),
    ]),
  );
  if (rows.length === 0) return '';
  const heads = ['frame', 'run', 'start', 'submitted after', 'finished after', 'latency'];
  const columns = [
    ...heads.map((head) => ({ head, isNumber: true })),
    { head: 'clock' },
    { head: 'uncertainty', isNumber: true },
    { head: 'drift ppm', isNumber: true },
  ];
  return textTable('runs', 'Runs on the host clock', columns, rows);
}
