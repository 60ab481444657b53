/**
 * Runs the built command line again and again in one process, for session.ts: messages are command lines, answers what they
 * came to. Recordings of pages share a browser where they would start it alike, each in a context of its own.
 */
const { main } = await import('../../dist/cli/main.js');
// Each run of the program listens anew.
for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0);

/** @typedef {import('./session.ts').CommandLine} CommandLine */

/** @param {(string | null)[][]} variables */
function setVariables(variables) {
  for (const [name, value] of variables)
    if (value === null) delete process.env[String(name)];
    else process.env[String(name)] = value;
}

/** @param {CommandLine} line */
async function run({ args, cwd, env }) {
  const folder = process.cwd();
  const before = Object.keys(env ?? {}).map((name) => [name, process.env[name] ?? null]);
  const printed = { stdout: '', stderr: '' };
  for (const name of /** @type {const} */ (['stdout', 'stderr']))
    process[name].write = (chunk, ...rest) => {
      printed[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      rest.find((argument) => typeof argument === 'function')?.();
      return true;
    };
  try {
    if (cwd) process.chdir(cwd);
    setVariables(Object.entries(env ?? {}));
    return { code: await main(args, { isIsolated: true }), ...printed };
  } finally {
    process.exitCode = 0;
    process.chdir(folder);
    // The others stay: the program names the display that it started.
    setVariables(before);
  }
}

/** From here on playwright starts one browser, and closing that closes what was opened in it. */
async function shareBrowsers() {
  const { chromium } = await import('playwright-core');
  const launch = chromium.launch.bind(chromium);
  /** @type {Map<string, import('playwright-core').Browser>} */
  const started = new Map();
  chromium.launch = async ({ timeout, ...options } = {}) => {
    const key = JSON.stringify(options);
    const running = started.get(key);
    if (running?.isConnected()) return running;
    const browser = await launch({ timeout, ...options });
    browser.close = async () => {
      await Promise.all(browser.contexts().map((context) => context.close()));
    };
    started.set(key, browser);
    return browser;
  };
}

let isSharing = false;
process.on('message', async (/** @type {CommandLine} */ line) => {
  if (line.args[0] === 'record' && line.args[1] === 'page' && !isSharing) {
    isSharing = true;
    await shareBrowsers();
  }
  process.send?.(await run(line));
});
// Its end is that of the browsers too.
process.on('disconnect', () => process.exit());
