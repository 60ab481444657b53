import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GpuprofError } from '../../src/errors.ts';
import { everyKind, oddValues } from './malformed-calls.ts';
import { type Traced, translated } from './translated.ts';

test('any value in any place is translated, counted as left out, or refused', async () => {
  for (const [at, [name, args, result]] of everyKind.entries()) {
    const places = [...args.keys(), args.length];
    for (const place of places)
      for (const value of oddValues) {
        const changed: Traced =
          place === args.length
            ? [name, args, value]
            : [name, args.map((arg, i) => (i === place ? value : arg)), result];
        try {
          await translated([...everyKind.slice(0, at), changed, ...everyKind.slice(at + 1)]);
        } catch (error) {
          assert.ok(error instanceof GpuprofError, `${name}, argument ${place}: ${(error as Error).stack}`);
        }
      }
  }
});

test('calls with too few arguments are left out', async () => {
  for (const [at, [name, args]] of everyKind.entries())
    for (const count of [0, args.length - 1]) {
      const changed: Traced = [name, args.slice(0, Math.max(0, count))];
      try {
        await translated([...everyKind.slice(0, at), changed, ...everyKind.slice(at + 1)]);
      } catch (error) {
        assert.ok(error instanceof GpuprofError, `${name} with ${count} arguments: ${(error as Error).stack}`);
      }
    }
});
