import { spawn } from 'node:child_process';
import { Command, Option } from 'commander';
import { GpuprofError } from '../errors.ts';
import type { Api, DriverName } from '../gl/context.ts';
import type { MethodTrust } from '../model/sample.ts';
import type { Probe } from '../query/probe.ts';
import { jsonText } from '../report/json-text.ts';
import { childEnvironment } from './child-environment.ts';

interface DoctorOptions {
  readonly format: 'table' | 'json';
  readonly softwareThreads: string;
  readonly browser?: string;
  readonly probe?: string;
}

const apiNames: Record<Api, string> = { es: 'OpenGL ES', gl: 'OpenGL' };
/** Ends a driver that hangs. */
const hangMs = 60_000;

/** Probes a driver in a process of its own: a driver that crashes must not take the others' results along. */
async function probeApart(driver: DriverName, api: Api, { softwareThreads, browser }: DoctorOptions): Promise<Probe> {
  const args = [process.argv[1], 'doctor', '--software-threads', softwareThreads, '--probe', `${driver}:${api}`];
  if (browser !== undefined) args.push('--browser', browser);
  const child = spawn(process.execPath, [...process.execArgv, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: childEnvironment(),
    timeout: hangMs,
    killSignal: 'SIGKILL',
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const end = await new Promise<string>((resolve) => {
    child.on('error', ({ message }) => resolve(message));
    child.on('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  try {
    return JSON.parse(output) as Probe;
  } catch {
    const said = errors.trim().split('\n').pop();
    const { failedProbe } = await import('../query/probe.ts');
    return failedProbe(driver, api, `the driver ended its process (${end})${said ? `: ${said}` : ''}`);
  }
}

function describeMethod({ method, available, trusted, reason, bits, floorNs }: MethodTrust): string {
  const counter = !available ? '-' : bits === null ? 'host clock' : `${bits} bits`;
  const verdict = !available ? 'not available' : trusted ? 'trusted' : 'not trusted';
  const floor = trusted && floorNs !== null ? `; an empty bracket reads ${Math.round(floorNs)} ns` : '';
  return `  ${method.padEnd(9)}  ${counter.padEnd(10)}  ${verdict.padEnd(13)}  ${reason}${floor}`;
}

function describeProbe({ driver, api, problem, hint, environment, trust, extras }: Probe): string {
  const lines = [`${driver}, ${apiNames[api]}: ${environment ? environment.renderer : 'not available'}`];
  if (environment) {
    const threads = environment.softwareThreads === null ? '' : `, worker threads: ${environment.softwareThreads}`;
    lines.push(`  ${environment.version}; ${environment.software ? `draws on the CPU${threads}` : environment.vendor}`);
  }
  if (problem) lines.push(`  ${problem}`);
  if (hint) lines.push(`  ${hint}`);
  if (trust) lines.push(...trust.methods.map(describeMethod));
  if (extras.length > 0) lines.push(`  also: ${extras.join(', ')}`);
  return `${lines.join('\n')}\n`;
}

async function doctor(options: DoctorOptions): Promise<void> {
  const { parseSoftwareThreads, setSoftwareThreads } = await import('../gl/software-threads.ts');
  setSoftwareThreads(parseSoftwareThreads(options.softwareThreads));
  const { probeDriver, probeTargets } = await import('../query/probe.ts');
  if (options.probe !== undefined) {
    const target = probeTargets.find(({ driver, api }) => options.probe === `${driver}:${api}`);
    if (!target) throw new GpuprofError('bad-usage', `there is nothing called "${options.probe}" to probe`);
    process.stdout.write(JSON.stringify(await probeDriver(target.driver, target.api, options.browser)));
    return;
  }
  const probes: Probe[] = [];
  for (const { driver, api } of probeTargets) {
    const probe = await probeApart(driver, api, options);
    probes.push(probe);
    if (options.format === 'table') process.stdout.write(`${probes.length > 1 ? '\n' : ''}${describeProbe(probe)}`);
  }
  if (options.format === 'json') process.stdout.write(`${jsonText({ drivers: probes }, 2)}\n`);
  const able = probes.some(({ trust }) => trust?.methods.some(({ trusted }) => trusted));
  if (!able)
    throw new GpuprofError('cannot-measure', 'no driver can measure here', { hint: 'install one as listed above' });
}

/** `gpuprof doctor`: what each driver gives on this machine, and how to get what is missing. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .addOption(new Option('--format <format>', 'output format').choices(['table', 'json']).default('table'))
    .option('--software-threads <n>', 'worker threads of a software renderer: 0 to 16, or default', '0')
    .option('--browser <path>', 'the browser (program or folder) whose SwiftShader is tried (default: on PATH)')
    .addOption(new Option('--probe <driver:api>').hideHelp())
    .addHelpText(
      'after',
      `
Examples:
  $ gpuprof doctor                              the drivers and timers of this machine
  $ gpuprof doctor --software-threads default   with the worker threads llvmpipe takes by itself`,
    )
    .action(doctor);
}
