import { GpuprofError } from '../../errors.ts';
import { Budget } from './budget.ts';
import { ByteReader, endOfTrace } from './byte-reader.ts';
import { CallReader } from './call-reader.ts';
import { containerOf } from './container/container-of.ts';
import { PackedFile } from './container/packed-file.ts';
import { openPieces, type Pieces } from './container/pieces.ts';
import { defaultTraceLimits, type TraceLimits } from './limits.ts';
import { Signatures } from './signatures.ts';
import type { Trace, TraceCall, TraceContainer, TraceEnding } from './trace.ts';
import { ValueReader } from './value-reader.ts';

/** FORMAT.markdown, "Versions". */
const newestVersion = 6;

/**
 * Opens an apitrace file of any container and version.
 * @throws GpuprofError `bad-input` when it cannot be read or is no trace, `unsupported-version` when it is of a newer version
 */
export function openTrace(path: string, limits: Partial<TraceLimits> = {}): Trace {
  return new TraceFile(path, { ...defaultTraceLimits, ...limits });
}

interface Head {
  readonly formatVersion: number;
  readonly version: number;
  readonly properties: ReadonlyMap<string, string>;
}

class TraceFile implements Trace {
  readonly path: string;
  readonly container: TraceContainer;
  readonly version: number;
  readonly formatVersion: number;
  readonly properties: ReadonlyMap<string, string>;
  ending: TraceEnding | null = null;
  private readonly limits: TraceLimits;

  constructor(path: string, limits: TraceLimits) {
    this.path = path;
    this.limits = limits;
    const reading = new Reading(path, limits);
    reading.close();
    this.container = reading.container;
    ({ version: this.version, formatVersion: this.formatVersion, properties: this.properties } = reading.head);
  }

  *calls(): Generator<TraceCall, void, undefined> {
    const reading = new Reading(this.path, this.limits);
    let lastCall: number | null = null;
    this.ending = null;
    try {
      for (let call = reading.calls.next(); call !== null; call = reading.calls.next()) {
        lastCall = call.number;
        yield call;
      }
      this.ending = reading.ending(lastCall);
    } finally {
      reading.close();
    }
  }
}

/** One way through a trace, its head already read. */
class Reading {
  readonly container: TraceContainer;
  readonly head: Head;
  readonly calls: CallReader;
  private readonly file: PackedFile;
  private readonly pieces: Pieces;

  constructor(path: string, limits: TraceLimits) {
    this.file = new PackedFile(path);
    try {
      if (this.file.sizeBytes === 0) throw new GpuprofError('bad-input', `${path}: the file is empty, and no trace.`);
      this.container = containerOf(this.file.peek(4));
      this.pieces = openPieces(this.container, this.file, limits);
      const bytes = new ByteReader(this.file, this.pieces, limits);
      const budget = new Budget(bytes, limits);
      const signatures = new Signatures(bytes, budget);
      this.head = readHead(path, bytes, signatures);
      const { formatVersion } = this.head;
      const values = new ValueReader(bytes, budget, signatures, formatVersion, limits);
      this.calls = new CallReader(bytes, budget, signatures, values, formatVersion);
    } catch (error) {
      this.file.close();
      if (error !== endOfTrace) throw error;
      throw this.file.fault(this.file.sizeBytes, 'it stops inside the head of the trace');
    }
  }

  close(): void {
    this.file.close();
  }

  ending(lastCall: number | null): TraceEnding {
    const { eventOffsetBytes, isCutInside } = this.calls;
    const open = this.calls.openCalls();
    const reasons: string[] = [];
    if (this.pieces.cut !== null) reasons.push(this.pieces.cut);
    if (isCutInside) reasons.push(`the event at byte ${eventOffsetBytes} of the unpacked trace is not whole`);
    if (open.length > 0) {
      const [{ number, function: first }] = open;
      const others = open.length === 1 ? '' : ` and ${open.length - 1} more`;
      reasons.push(`call ${number} (${first.name})${others} never returned`);
    }
    return {
      isComplete: reasons.length === 0,
      offsetBytes: eventOffsetBytes,
      lastCall,
      unfinishedCalls: open.length,
      reason: reasons.length === 0 ? null : reasons.join('; '),
    };
  }
}

function readHead(path: string, bytes: ByteReader, signatures: Signatures): Head {
  const formatVersion = readVersion(path, bytes);
  if (formatVersion < 6) return { formatVersion, version: formatVersion, properties: new Map() };
  const version = readVersion(path, bytes);
  if (version > formatVersion) {
    throw bytes.fault(`calls of version ${version} in a trace of version ${formatVersion}`);
  }
  const properties = new Map<string, string>();
  for (let name = signatures.name(); name !== ''; name = signatures.name()) properties.set(name, signatures.name());
  return { formatVersion, version, properties };
}

function readVersion(path: string, bytes: ByteReader): number {
  const version = bytes.uint();
  if (typeof version === 'number' && version <= newestVersion) return version;
  // Whatever else Brotli could unpack begins with any number.
  if (version > 1000) throw bytes.fault(`no trace of apitrace: its version would be ${version}`);
  throw new GpuprofError(
    'unsupported-version',
    `${path}: a trace of version ${version}; ${newestVersion} is the newest known`,
    {
      hint: 'a newer gpuprof may read it',
    },
  );
}
