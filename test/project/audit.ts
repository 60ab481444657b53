/**
 * Asks the registry whether anything in package-lock.json is known to be vulnerable: `npm run audit`. Exit code 1 when something
 * is, 3 when the registry gives no answer, which says nothing of either kind.
 */
import { runProgram } from '../helpers/cli.ts';

/** What of `npm audit --json` is read. */
interface Audit {
  readonly message?: string;
  readonly error?: { readonly summary?: string };
  readonly metadata?: { readonly vulnerabilities: { readonly total: number } };
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>;
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
  for (const [name, { severity, range }] of Object.entries(audit.vulnerabilities ?? {}))
    process.stderr.write(`audit: ${name} ${range}: ${severity}\n`);
  process.exitCode = 1;
} else process.stdout.write('audit: nothing is known to be vulnerable\n');
