import type { QrhiUsage } from '../../model/qrhi/usage.ts';
import type { DoublesTally } from './doubles.ts';
import type { EventTimesTally } from './event-times.ts';
import { mostLive, type QrhiLedger } from './ledger.ts';

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
const sum = (parts: readonly bigint[]): bigint => parts.reduce((total, part) => total + part, 0n);

type Figures = Omit<QrhiUsage, 'notes'>;

/** Why the viewer's sums are not the live ones, of buffers and textures. */
function viewerNotes({ memory, viewer }: Figures): string[] {
  const notes: string[] = [];
  for (const kind of ['buffer', 'texture'] as const) {
    const { liveBytes, recreated, peakBytes } = memory.get(kind)!;
    const { totalBytes, peakBytes: viewerPeak, stagingBytes } = viewer[`${kind}s`];
    if (totalBytes !== liveBytes || viewerPeak !== peakBytes)
      notes.push(
        recreated > 0
          ? `Qt's viewer shows ${totalBytes} bytes of ${kind}s where ${liveBytes} are live: ${plural(recreated, kind)} ` +
              'came again while live, which it adds again and never subtracts'
          : `Qt's viewer shows ${totalBytes} bytes of ${kind}s where ${liveBytes} are live: ` +
              'it takes malformed lines, and wraps at 64 bits',
      );
    const staging = memory.get(`${kind} staging`)!;
    if (stagingBytes !== staging.liveBytes)
      notes.push(
        `Qt's viewer shows ${stagingBytes} bytes of ${kind} staging areas where ${staging.liveBytes} are live: ` +
          `an area that ends with its ${kind}, or is opened again, stays in its sum, and it knows slots 0 to 2 only`,
      );
  }
  return notes;
}

/** What to know before trusting the figures of a stream, a sentence each, without a full stop. */
export function usageNotes(
  figures: Figures,
  ledger: QrhiLedger,
  doubles: DoublesTally,
  eventTimes: EventTimesTally,
): string[] {
  const { memory, total, events, clockSteps } = figures;
  const notes = viewerNotes(figures);
  const again = [...memory].filter(([kind, { recreated }]) => kind !== 'swapchain' && recreated > 0);
  if (again.length > 0) {
    const which = again.map(([kind, { recreated }]) => plural(recreated, kind)).join(', ');
    notes.push(
      `created again while live, the newer in the older's place: ${which}; Qt's OpenGL backend does not release ` +
        "uniform buffers and the window's depth-stencil",
    );
  }
  if (total.strayReleases > 0)
    notes.push(
      `${plural(total.strayReleases, 'release')} of what was not live: Qt's backends release swapchains and ` +
        'colour renderbuffers twice, and the Null backend everything; only the first counts',
    );
  if (doubles.count > 0)
    notes.push(
      `${plural(doubles.count, 'colour renderbuffer')} of ${doubles.sizeBytes} bytes in all, counted twice: each stands ` +
        "in the line above as a texture too, as with Qt's Vulkan backend, and only that has memory",
    );
  if (ledger.strayStaging > 0)
    notes.push(`${plural(ledger.strayStaging, 'staging area')} of what is not live, not counted`);
  if (ledger.unfollowed > 0)
    notes.push(
      `${ledger.unfollowed} creations were not followed, since ${mostLive} resources were live: the figures are lower bounds`,
    );
  if (eventTimes.unfollowed > 0)
    notes.push(`${eventTimes.unfollowed} times of events were not followed, since there were ${mostLive} events`);
  const odd = sum([figures.frameToFrame, figures.frameBuild].map((times) => BigInt(times?.minimumAboveAverage ?? 0)));
  if (odd > 0n)
    notes.push(
      `${plural(Number(odd), 'window')} of frame times with a minimum above the average: in Qt a sample of 0 ms makes the minimum begin anew`,
    );
  if (clockSteps > 0)
    notes.push(`the timestamps step back ${clockSteps === 1 ? 'once' : `${clockSteps} times`}: more than one stream?`);
  if (figures.lines === 0) notes.push('the stream is empty');
  else if (events.size > 0 && !events.has(16) && events.has(17))
    notes.push('no GPU frame times: Qt has none with OpenGL and Metal');
  return notes;
}
