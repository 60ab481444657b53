import { stateSuite } from './state-suite.ts';

stateSuite('egl', 'gl', 20);
