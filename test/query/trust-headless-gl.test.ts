import { testTrust } from './trust-cases.ts';

testTrust('headless-gl', 'es', 0);
