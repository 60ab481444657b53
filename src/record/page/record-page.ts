import { GpuprofError } from '../../errors.ts';
import { ensureDisplay } from '../../gl/x-display.ts';
import type { TakenCapture } from './capture-intake.ts';
import { findBrowser } from './find-browser.ts';
import { launchBrowser } from './launch.ts';
import { LoopbackServer } from './loopback-server.ts';
import type { RecordPageOptions } from './options.ts';
import { PageRecording } from './page-recording.ts';
import { pageTarget } from './page-target.ts';

/** A browser with windows needs somewhere to show them. */
async function displayFor(program: string): Promise<void> {
  try {
    await ensureDisplay();
  } catch (error) {
    if (!(error instanceof GpuprofError)) throw error;
    throw new GpuprofError(
      'missing-feature',
      `${program} needs an X display, and Xvfb is not installed or does not start`,
      {
        hint: 'apt-get install xvfb, or go without --headed',
        cause: error,
      },
    );
  }
}

/**
 * Records a frame of a web page with an installed Chromium or Chrome and writes the capture. Throws GpuprofError:
 * `missing-feature` without a browser, `cannot-measure` for one that dies, `bad-usage` for options that make no sense, `bad-input` when the page does not
 * give the frame. Nothing is left at the output's path then, and no browser.
 */
export async function recordPage(options: RecordPageOptions): Promise<TakenCapture> {
  const { browserArgs: args, headed, timeoutMs, progress } = options;
  const endMs = performance.now() + timeoutMs;
  const { folder, url } = await pageTarget(options.page);
  const program = findBrowser(options.browser, options.headed);
  if (headed && !process.env.WAYLAND_DISPLAY) await displayFor(program);
  const server = await LoopbackServer.start(folder);
  try {
    progress?.('starting the browser');
    const browser = await launchBrowser({ program, args, headed, timeoutMs });
    try {
      return await new PageRecording(options, browser, server, url(server.origin), endMs).run();
    } catch (error) {
      if (browser.isConnected()) throw error;
      throw new GpuprofError('cannot-measure', `${program} ended before there was a capture`, {
        hint: 'it crashed, or something else ended it; try again',
        cause: error,
      });
    } finally {
      await browser.close();
    }
  } finally {
    server.close();
  }
}
