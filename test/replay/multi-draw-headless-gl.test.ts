import { multiDrawSuite } from './multi-draw-suite.ts';

multiDrawSuite('headless-gl', 'es');
