/** Loaded with `--import`: says on standard error which modules the program loads, a line each. */
import { register } from 'node:module';

const hooks = `
import { writeSync } from 'node:fs';
export async function load(url, context, next) {
  writeSync(2, 'loads ' + url + '\\n');
  return next(url, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
