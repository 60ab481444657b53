import { testTrust } from './trust-cases.ts';

testTrust('egl', 'gl', 'default');
