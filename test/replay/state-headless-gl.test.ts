import { stateSuite } from './state-suite.ts';

stateSuite('headless-gl', 'es', 8);
