#!/usr/bin/env node
import { existsSync } from 'node:fs';

const main = new URL('../dist/cli/main.js', import.meta.url);
if (existsSync(main)) {
  const cli = await import(main.href);
  process.exitCode = await cli.main(process.argv.slice(2));
} else {
  process.stderr.write('gpuprof: this checkout is not built yet; run: npm run build\n');
  process.exitCode = 3;
}
