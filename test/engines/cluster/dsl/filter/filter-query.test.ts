import test from 'ava';
import { filterQuery } from '../../../../../src/engines/cluster/dsl/filter/filter-query.ts';
import { all, and, nested, none, not, or, type Filter } from '../../../../../src/sqon/filter.ts';
import { exists, field, pattern, range, terms } from '../../../cases/case.ts';

const tag = field('tag', 'keyword');
const key = field('_id', '_id');
const day = field('day', 'date');
const color = field('items.color', 'keyword', 'items');

const compiled: readonly (readonly [string, Filter, unknown])[] = [
  ['everything', all, { match_all: {} }],
  ['nothing', none, { match_none: {} }],
  ['one value', terms(tag, 'a'), { term: { tag: { value: 'a' } } }],
  [
    'one value beside another clause',
    { kind: 'and', of: [terms(tag, 'a'), exists(tag)] },
    { bool: { filter: [{ terms: { tag: ['a'] } }, { exists: { field: 'tag' } }] } },
  ],
  [
    'one value in a group of one',
    { kind: 'and', of: [terms(tag, 'a')] },
    { bool: { filter: [{ term: { tag: { value: 'a' } } }] } },
  ],
  ['several values', terms(tag, 'a', 'b'), { terms: { tag: ['a', 'b'] } }],
  ['no values', terms(tag), { match_none: {} }],
  ['keys', terms(key, 'a', 'b'), { ids: { values: ['a', 'b'] } }],
  ['what no boolean can be', terms(field('ok', 'boolean'), 'maybe'), { match_none: {} }],
  ['presence', exists(tag), { exists: { field: 'tag' } }],
  ['the key is always there', exists(key), { match_all: {} }],
  [
    'two bounds on one side: the stricter one',
    range(field('n', 'long'), { gt: '9007199254740993', gte: '9007199254740992', lt: 8, lte: 7 }),
    { range: { n: { gt: '9007199254740993', lte: 7 } } },
  ],
  ['the same of text', range(tag, { gt: 'a', gte: 'b', lt: 'c' }), { range: { tag: { gte: 'b', lt: 'c' } } }],
  [
    'the same of dates',
    range(day, { gt: 86_399_999, gte: 86_399_999 }),
    { range: { day: { gt: 86_399_999, format: 'epoch_millis' } } },
  ],
  ['a range', range(tag, { gte: 'a', lt: 'b' }), { range: { tag: { gte: 'a', lt: 'b' } } }],
  [
    'dates before 1970, which not every server reads in milliseconds',
    range(day, { gte: -1, lte: 86_399_999 }),
    {
      range: {
        day: {
          gte: '1969-12-31T23:59:59.999Z',
          lte: '1970-01-01T23:59:59.999Z',
          format: 'strict_date_optional_time',
        },
      },
    },
  ],
  ['a pattern', pattern(tag, 'a*?b'), { wildcard: { tag: { value: 'a*?b' } } }],
  [
    'a pattern with its wildcards escaped',
    {
      kind: 'pattern',
      field: tag,
      pattern: [{ literal: 'a*\\?' }, { wildcard: 'any' }],
      caseInsensitive: true,
    },
    { wildcard: { tag: { value: 'a\\*\\\\\\?*', case_insensitive: true } } },
  ],
  ['a pattern without wildcards', pattern(tag, 'a'), { term: { tag: { value: 'a' } } }],
  [
    'the empty text, whatever its case',
    { kind: 'pattern', field: tag, pattern: [], caseInsensitive: true },
    { term: { tag: { value: '' } } },
  ],
  ['any key', pattern(key, '*'), { match_all: {} }],
  [
    'groups of one kind dissolve',
    { kind: 'and', of: [{ kind: 'and', of: [exists(tag)] }, not(terms(tag, 'a'))] },
    { bool: { filter: [{ exists: { field: 'tag' } }], must_not: [{ term: { tag: { value: 'a' } } }] } },
  ],
  [
    'alternatives',
    or([exists(tag), terms(key, 'a')]),
    { bool: { should: [{ exists: { field: 'tag' } }, { ids: { values: ['a'] } }], minimum_should_match: 1 } },
  ],
  [
    'nested objects',
    nested('items', and([exists(color), not(terms(color, 'a'))])),
    {
      nested: {
        path: 'items',
        ignore_unmapped: true,
        query: {
          bool: {
            filter: [{ exists: { field: 'items.color' } }],
            must_not: [{ term: { 'items.color': { value: 'a' } } }],
          },
        },
      },
    },
  ],
];

for (const [name, filter, query] of compiled)
  test(name, (t) => t.deepEqual(filterQuery(filter), query as never));

test('more values than a clause takes go into several', (t) => {
  const { bool } = filterQuery(
    terms(tag, ...Array.from({ length: 70_000 }, (_, at) => String(at))),
  ) as unknown as {
    bool: { should: { terms: { tag: string[] } }[] };
  };
  t.deepEqual(
    bool.should.map(({ terms: clause }) => clause.tag.length),
    [65_536, 4_464],
  );
});

test('what a server cannot answer is refused', (t) => {
  for (const filter of [pattern(key, 'a*'), range(key, { gt: 'a' })])
    t.throws(() => filterQuery(filter), { code: 'BAD_USER_INPUT' }, JSON.stringify(filter));
});
