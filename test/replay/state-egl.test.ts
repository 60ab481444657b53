import { stateSuite } from './state-suite.ts';

stateSuite('egl', 'es', 12);
