import { existsSync } from 'node:fs';
import { hasProgram } from './programs.js';

/** @typedef {import('./gl-libraries.js').Need} Need */

const programs = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
];
const places = ['/opt/google/chrome/chrome', '/usr/lib/chromium/chromium', '/snap/bin/chromium'];

/** The browser that pages are recorded with; an outsider's own does as well. @returns {Need} */
export function browserNeed() {
  const { GPUPROF_BROWSER, CHROME_PATH } = process.env;
  const named = [GPUPROF_BROWSER, CHROME_PATH].flatMap((path) => path || []);
  return {
    what: 'Chromium or Chrome',
    packages: ['chromium-headless-shell'],
    use: 'page',
    found: [...named, ...places].some((path) => existsSync(path)) || programs.some(hasProgram),
  };
}
