/** Run by new-storage.test.ts with memory made dirty by the environment; prints what it found as JSON. */
import { openContext } from '../../src/gl/open.ts';
import { problemsOfFrames } from './new-storage-suite.ts';

console.log(JSON.stringify(await problemsOfFrames(() => openContext('egl', { api: 'es' }))));
