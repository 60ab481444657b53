import { webgl2Suite } from './webgl2-suite.ts';

webgl2Suite('headless-gl', 'es');
