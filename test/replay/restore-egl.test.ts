import { restoreSuite } from './restore-suite.ts';

restoreSuite('egl', 'es');
