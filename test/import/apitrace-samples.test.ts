import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTrace } from '../../src/import/apitrace/open-trace.ts';
import { sharedPath, skipWithout } from '../helpers/files.ts';
import { callLine } from './call-lines.ts';

/** What apitrace 11.1 reads from each: calls, and the SHA-256 of their lines as pickle-lines.py writes them. */
const samples: readonly (readonly [name: string, calls: number, sha256: string])[] = [
  ['appquery_gl', 1359, '2d7fc1e989d0ab3b3f7310db4736be6d999fba40303c5d7eff9fab17a0ea0112'],
  ['es2_buffer', 2512, '4afbae445bf02e8c07e430725022a6a60c83e0022b2224ec23824786570dc268'],
  ['es2_build', 2680, '6f46ff6cb6298c336e555a1d5891c9d51ceeecc882d87c7f6047cf37370a415a'],
  ['es2_bump', 2555, 'aa169945c524cf512534fcfabc69992e2ddbc33c15166f1bfc4fb9c040521e77'],
  ['es2_ideas', 7180, 'bcbcc55571ba6526b7c15c6a7adc49d0a1bf8c7543b0d875d50634b1a03e4749'],
  ['es2_shadow', 2934, 'f4901e6451b404b4e89acbcca87ccad16593fd489d43ccb6fedfbbbdf19debe2'],
  ['es2gears', 3646, '5c1162d41496e91b713402b384e66a8c8fc9ecbb4c3edd15cb65c43e046b3393'],
  ['gl_ideas', 5870, '393e2277d2703145282dd3a266e4e98392fedfb62e1b6d0a9d6185cf3c752f82'],
  ['noswap_gl', 1335, 'e56a0490a2ba02fd296922ab348753d19a082e93208907c8a2584dc1c8bb2ffb'],
  ['synth', 18273, '1470843d9925942a16fa0ba83d72a549e897a9bfb67384b77369a8a11f03a28d'],
  ['synth30', 182217, 'f38a43ff92617a3f207a7f62567036e2f46da52bc2aebfe12bc04fdada926d27'],
  ['synth30_gl', 182215, 'a21e11cabf940cc418b41dd870a97516f527453a809400fa3ae7734b501468e7'],
  ['synth_gl', 18271, '04aabaec314979b61c8e9a99db127e7f50a2e1c84f8d64b36a0088d79a284c7a'],
];

const folder = sharedPath('apitrace');

for (const [name, count, sha256] of samples) {
  test(`${name}: calls, names, arguments, results and order are apitrace's`, {
    skip: skipWithout(folder, 'apitrace'),
  }, () => {
    const trace = openTrace(join(folder!, `${name}.trace`));
    const hash = createHash('sha256');
    let calls = 0;
    for (const call of trace.calls()) {
      hash.update(`${callLine(call)}\n`);
      calls++;
    }
    assert.deepEqual([calls, hash.digest('hex')], [count, sha256]);
    assert.equal(trace.ending?.reason, null);
  });
}
