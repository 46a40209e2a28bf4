import test from 'ava';
import fc, { runs } from '../../fast-check.ts';
import { jsonSyntaxError } from '../../../src/server/config/json-file.ts';

const faults: readonly (readonly [string, string])[] = [
  ['{bad', '1:2 a key in double quotes or }'],
  ['{"a": 1,}', '1:9 a key in double quotes'],
  ['{"a" 1}', '1:6 a colon'],
  ['{"a": tru}', '1:7 a value'],
  ['{"a": 01}', '1:7 a value'],
  ['{\n  "a": 1\n  "b": 2\n}', '3:3 a comma or }'],
  ['[1, 2', '1:6 a comma or ]'],
  ['[1, 2\n', '1:6 a comma or ]'],
  ['[\n', '1:2 a value or ]'],
  ['{"nodes": [\n', '1:12 a value or ]'],
  ['', '1:1 a value'],
  ['{} {}', '1:4 nothing more'],
  ["{'a': 1}", '1:2 a key in double quotes or }'],
  ['{"a": "b\n"}', '1:7 a value'],
  ['{"a": 1 // note\n}', '1:9 a comma or }'],
  ['[1}', '1:3 a comma or ]'],
];

for (const [text, expected] of faults)
  test(`the place of the fault in ${JSON.stringify(text)}`, (t) => {
    const { line, column, expected: words } = jsonSyntaxError(text)!;
    t.is(`${line}:${column} ${words}`, expected);
  });

test('what JSON.parse takes has no fault, and what it refuses has one', (t) => {
  const texts = fc.oneof(
    fc.json(),
    fc.string({ unit: fc.constantFrom(...'{}[],:"\\ \nu0159-+.eEtrufalsn'.split('')) }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      let parses = true;
      try {
        JSON.parse(text);
      } catch {
        parses = false;
      }
      return (jsonSyntaxError(text) === null) === parses;
    }),
    { numRuns: runs(2_000) },
  );
  t.pass();
});
