/** Run by new-storage.test.ts with memory made dirty by the environment; prints what it found as JSON. */
import { openContext } from '../../src/gl/open.ts';
import { isSoiled, problemsOfNewStorage } from './new-storage-suite.ts';

const context = await openContext('egl', { api: 'es' });
const soiled = isSoiled(context);
console.log(JSON.stringify({ renderer: context.renderer, soiled, problems: problemsOfNewStorage(context) }));
context.destroy();
