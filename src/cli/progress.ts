/** One line on a terminal's standard error that says what is going on; nothing anywhere else. */
export interface Progress {
  update(text: string): void;
  /** Takes the line away. */
  stop(): void;
}

const silent: Progress = { update: () => {}, stop: () => {} };

export async function startProgress(text: string): Promise<Progress> {
  // A terminal that says it has no columns would have ora clear endless lines.
  if (!process.stderr.isTTY || process.stderr.columns === 0) return silent;
  const { default: ora } = await import('ora');
  // Standard input is left alone, so that Ctrl-C stays a signal.
  const spinner = ora({ text, stream: process.stderr, discardStdin: false }).start();
  return {
    update(next) {
      spinner.text = next;
    },
    stop() {
      spinner.stop();
    },
  };
}
