import test from 'ava';
import fc, { runs } from '../../fast-check.ts';
import { shownTests } from '../../../src/federation/query/plan-filter.ts';
import { wildcard } from '../../../src/sqon/ast.ts';
import { operators } from '../../../src/sqon/operators/table.ts';

/** A value of `in` without a star at its end is compared as a whole. */
const patternTest = (pattern: string, isWildcard: boolean): ((shown: string) => boolean) =>
  isWildcard
    ? shownTests.wildcard(wildcard(['a'], pattern))
    : (operators.in.partTest(pattern) ?? ((shown) => shown === pattern));

const expressionOf = (pattern: string, isWildcard: boolean): RegExp => {
  const leading = pattern.endsWith('*') ? /^\**/.exec(pattern)![0].length : 0;
  const source = [...pattern].map((char, at) =>
    char === '*' && (isWildcard || at === pattern.length - 1 || at < leading)
      ? '.*'
      : char === '?' && isWildcard
        ? '.'
        : char.replace(/[^a-z]/i, '\\$&'),
  );
  return new RegExp(`^${source.join('')}$`, isWildcard ? 'is' : 's');
};

test('a pattern matches what a regular expression of the same meaning does', (t) => {
  const patterns = fc.string({ unit: fc.constantFrom('a', 'B', 'b', '.', '*', '?'), maxLength: 5 });
  const values = fc.string({ unit: fc.constantFrom('a', 'A', 'b', '.', '?', '*'), maxLength: 7 });
  const property = fc.property(
    patterns,
    values,
    fc.boolean(),
    (pattern, value, isWildcard) =>
      patternTest(pattern, isWildcard)(value) === expressionOf(pattern, isWildcard).test(value),
  );
  t.notThrows(() => fc.assert(property, { numRuns: runs(2_000) }));
});

test('? is one character, however many code units it has', (t) => {
  t.true(patternTest('?', true)('😀'));
  t.false(patternTest('??', true)('😀'));
});

test('a pattern of many stars comes to an end', (t) => {
  t.false(patternTest('*?'.repeat(40) + 'x', true)('Invasive ductal carcinoma of the breast'));
  t.true(patternTest('*a'.repeat(200), true)('a'.repeat(1_000)));
});
