import { testTrust } from './trust-cases.ts';

testTrust('egl', 'es', 0);
