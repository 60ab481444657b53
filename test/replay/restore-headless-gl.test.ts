import { restoreSuite } from './restore-suite.ts';

restoreSuite('headless-gl', 'es');
