import { imageDifference, type Pixels } from '../analysis/image-difference.ts';
import { decodePng } from '../capture/png.ts';
import { GpuprofError } from '../errors.ts';
import type { GlContext } from '../gl/context.ts';
import type { Capture, Origin } from '../model/capture.ts';
import type { Verification } from '../model/report.ts';

/** What rasterisers may differ by: a few levels of a channel, and edges that fall on other pixels. */
const otherRendererTolerance = 3;
const otherRendererBeyond = 0.01;

/** The capture's picture of its canvas; throws GpuprofError `bad-input` when it has none, or a damaged one. */
export async function readReference(capture: Capture): Promise<Pixels> {
  const bytes = await capture.reference();
  if (!bytes)
    throw new GpuprofError('bad-input', `${capture.path} has no reference picture to verify against`, {
      hint: 'replay without --verify, or record the capture again',
    });
  try {
    return decodePng(bytes);
  } catch (error) {
    throw new GpuprofError('bad-capture', `reference.png: ${(error as Error).message}`, { cause: error });
  }
}

/** A WebGL context puts the version of the GL under it into its own: "WebGL 2.0 (OpenGL ES 3.2 ...)". */
const glVersion = (version: string): string => /^WebGL [\d.]+ \((.*)\)$/.exec(version)?.[1] ?? version;

/**
 * Whether the replay draws with what drew the recording. A browser shortens the renderer's name: "ANGLE (Google, Vulkan
 * 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)" where its ANGLE says "SwiftShader driver-5.0.0)".
 */
function isSameRenderer({ driver, renderer, version }: Origin, context: GlContext): boolean {
  if (driver === 'chromium') return renderer !== '' && context.renderer.startsWith(renderer.replace(/\)$/, ''));
  // headless-gl says what draws, but not by which version of GL.
  if (driver === 'headless-gl') return driver === context.driver && renderer === context.renderer;
  return driver === context.driver && renderer === context.renderer && glVersion(version) === context.versionText;
}

const recordedBySwiftShader = ({ driver, renderer }: Origin): boolean =>
  driver === 'chromium' && renderer.includes('SwiftShader');

/**
 * What a failed verification may come from: what the recorder could not store, or another renderer, which filters, rounds
 * and places edges in its own way. Undefined when neither is known.
 */
export function failureHint({ manifest: { notes = [], origin } }: Capture, sameRenderer: boolean): string | undefined {
  const hints: string[] = [];
  if (notes.length > 0) {
    const more = notes.length > 1 ? ` (and ${notes.length - 1} more: see gpuprof info)` : '';
    hints.push(`the recorder noted: ${notes[0]}${more}`);
  }
  if (!sameRenderer && recordedBySwiftShader(origin))
    hints.push(
      '--driver swiftshader replays on the renderer that recorded: if it is equal there, it is the renderers that differ',
    );
  return hints.length > 0 ? hints.join('; ') : undefined;
}

const percent = (part: number): string => `${Number((part * 100).toPrecision(3))}%`;

/**
 * Compares the replayed canvas with the reference. On the driver and renderer of the recording every pixel must be equal;
 * on another, or where `asked` gives a tolerance, 99% of the pixels must be within it (all of them when it is 0).
 */
export function verify(
  canvas: Pixels,
  reference: Pixels,
  context: GlContext,
  capture: Capture,
  asked: number | undefined,
): Verification {
  const { driver, renderer, version } = capture.manifest.origin;
  const sameRenderer = isSameRenderer(capture.manifest.origin, context);
  const tolerance = asked ?? (sameRenderer ? 0 : otherRendererTolerance);
  const allowedBeyond = tolerance === 0 ? 0 : otherRendererBeyond;
  if (canvas.width !== reference.width || canvas.height !== reference.height)
    throw new GpuprofError(
      'verification-failed',
      `the replayed canvas is ${canvas.width}×${canvas.height}, the reference ${reference.width}×${reference.height}`,
    );
  const difference = imageDifference(canvas, reference, tolerance);
  const { pixels, differing, beyondTolerance, maxDifference, meanDifference } = difference;
  const passed = beyondTolerance <= allowedBeyond * pixels;
  const rule =
    tolerance === 0
      ? 'every pixel must be equal'
      : `${percent(beyondTolerance / pixels)} by more than ${tolerance}, at most ${percent(allowedBeyond)} may`;
  const found =
    differing === 0
      ? `all ${pixels} pixels are equal`
      : `${differing} of ${pixels} pixels differ (${percent(differing / pixels)}), by ${maxDifference} of 255 at most ` +
        `and ${meanDifference.toPrecision(2)} on average; ${rule}`;
  const where = sameRenderer ? 'on the renderer of the recording' : `recorded on ${driver}, ${renderer}, ${version}`;
  const message = `${passed ? 'passed' : 'FAILED'}: ${found} (${where})`;
  return { passed, message, sameRenderer, tolerance, allowedBeyond, ...difference };
}
