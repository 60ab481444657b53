/**
 * Asks the registry whether anything in package-lock.json is known to be vulnerable: `npm run audit`. Exit code 1 when something
 * is, 3 when the registry gives no answer, which says nothing of either kind.
 */
import { runProgram } from '../helpers/cli.ts';

interface Vulnerability {
  readonly severity: string;
  readonly via: readonly (string | { readonly title: string; readonly url: string })[];
}

/** What of `npm audit --json` is read. */
interface Audit {
  readonly message?: string;
  readonly error?: { readonly summary?: string };
  readonly metadata?: { readonly vulnerabilities: { readonly total: number } };
  /** By package; `via` has what is wrong with it, or names of packages that it has it from. */
  readonly vulnerabilities?: Readonly<Record<string, Vulnerability>>;
}

function parsed(text: string): Audit {
  try {
    return JSON.parse(text) as Audit;
  } catch {
    return { message: text.trim().split('\n')[0] };
  }
}

const { stdout, stderr } = await runProgram('npm', ['audit', '--json']);
const audit = parsed(stdout || stderr);
const total = audit.metadata?.vulnerabilities.total;
if (total === undefined) {
  const why = audit.error?.summary || audit.message || 'it says nothing';
  process.stderr.write(`audit: not checked, since the registry gives no answer: ${why}\n`);
  process.exitCode = 3;
} else if (total > 0) {
  for (const [name, { severity, via }] of Object.entries(audit.vulnerabilities ?? {})) {
    const reasons = via.map((reason) => (typeof reason === 'string' ? reason : `${reason.title} (${reason.url})`));
    process.stderr.write(`audit: ${name}: ${severity}: ${reasons.join(', ')}\n`);
  }
  process.exitCode = 1;
} else process.stdout.write('audit: nothing is known to be vulnerable\n');
