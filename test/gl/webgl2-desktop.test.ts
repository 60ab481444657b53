import { webgl2Suite } from './webgl2-suite.ts';

webgl2Suite('egl', 'gl');
