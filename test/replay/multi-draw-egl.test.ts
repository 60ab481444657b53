import { multiDrawSuite } from './multi-draw-suite.ts';

multiDrawSuite('egl', 'es');
