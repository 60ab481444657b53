const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * `over` resolves with the first SIGINT or SIGTERM, which then does not end the process as it otherwise would; the next
 * one does, as does any after `release`.
 */
export function interruption(): { readonly over: Promise<void>; release(): void } {
  const before = signals.map((signal) => process.rawListeners(signal) as NodeJS.SignalsListener[]);
  let interrupt = () => {};
  const release = () => {
    for (const [index, signal] of signals.entries()) {
      if (!process.listeners(signal).includes(interrupt)) continue;
      for (const listener of before[index]) process.on(signal, listener);
      process.off(signal, interrupt);
    }
  };
  const over = new Promise<void>((resolve) => {
    interrupt = () => {
      release();
      resolve();
    };
  });
  // A signal is never without a listener: Node would lose one that has just come.
  for (const [index, signal] of signals.entries()) {
    process.on(signal, interrupt);
    for (const listener of before[index]) process.off(signal, listener);
  }
  return { over, release };
}
