import { readFileSync } from 'node:fs';
import { packageFile } from '../../package-file.ts';
import type { InjectSettings } from './protocol.ts';

/** The build puts it there. */
const bundlePath = packageFile('dist/record/page/inject.js');
let bundle: string | undefined;

/** Text inside a script that a JSON value may not contain as it is. */
const asScript = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16)}`);

/**
 * The script that installs the recorder in a window or worker. The trigger is an expression in the page's own scope and
 * must have been checked.
 */
export function injectScript(settings: InjectSettings, trigger = 'false'): string {
  bundle ??= readFileSync(bundlePath, 'utf8');
  return `((trigger) => {\n${bundle}\ngpuprofRecorder.install(${asScript(settings)}, trigger);\n})(() => (${trigger}\n));\n`;
}
