import test from 'ava';
import fc from '../../../../fast-check.ts';
import { matchesKey } from '../../../../../src/engines/cluster/dsl/filter/range-query.ts';
import type { PatternPart } from '../../../../../src/sqon/filter.ts';
import { field } from '../../../cases/case.ts';

const key = field('_id', '_id');
const part = fc.oneof(
  fc.record({ literal: fc.string({ unit: fc.constantFrom('a', 'b', 'A', '.', '😀'), maxLength: 2 }) }),
  fc.record({ wildcard: fc.constantFrom('any' as const, 'one' as const) }),
);

const expressionOf = (pattern: readonly PatternPart[]): RegExp =>
  new RegExp(
    `^${pattern
      .map((one) =>
        'literal' in one
          ? one.literal.replaceAll('.', '\\.')
          : one.wildcard === 'any'
            ? '[\\s\\S]*'
            : '[\\s\\S]',
      )
      .join('')}$`,
    'u',
  );

test('a pattern holds for a key as a regular expression would', (t) => {
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 5 }),
      fc.string({ unit: fc.constantFrom('a', 'b', 'A', '.', '😀'), maxLength: 6 }),
      fc.boolean(),
      (pattern, text, caseInsensitive) => {
        const fold = (one: string) => (caseInsensitive ? one.toLowerCase() : one);
        const folded = pattern.map((one) => ('literal' in one ? { literal: fold(one.literal) } : one));
        t.is(
          matchesKey({ kind: 'pattern', field: key, pattern, caseInsensitive }, text),
          expressionOf(folded).test(fold(text)),
        );
      },
    ),
  );
});

test('many wildcards take no time that grows with their number', (t) => {
  const pattern = Array.from({ length: 200 }, () => [{ wildcard: 'any' }, { literal: 'a' }] as const).flat();
  t.false(
    matchesKey(
      { kind: 'pattern', field: key, pattern: [...pattern, { literal: 'b' }], caseInsensitive: false },
      'a'.repeat(512),
    ),
  );
});

test('keys lie in ranges by their bytes', (t) => {
  const range = (bounds: object) => ({ kind: 'range', field: key, ...bounds }) as const;
  t.deepEqual(
    ['a', 'b', '\u{ff5e}', '\u{10000}'].map((id) => [
      matchesKey(range({ gt: 'a' }), id),
      matchesKey(range({ gte: 'a', lt: 'b' }), id),
      matchesKey(range({ lte: '\u{ff5e}' }), id),
    ]),
    [
      [false, true, true],
      [true, false, true],
      [true, false, true],
      [true, false, false],
    ],
  );
});
