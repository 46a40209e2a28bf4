import test from 'ava';
import {
  printEstablishedFilter,
  replacedWarning,
} from '../../../src/federation/remote/established-filter.ts';
import { literalFilter } from '../../../src/federation/remote/node-filter.ts';
import { fieldsOf } from '../collection.ts';
import type { Operator, Sqon } from '../../../src/sqon/ast.ts';
import { group, leaf, multi } from '../../../src/sqon/ast.ts';
import { printSqon } from '../../../src/sqon/parse.ts';

const fields = fieldsOf({ a: 'keyword', b: 'keyword' });

/** The filter that is sent, without the group around a condition alone. */
const requested = (sqon: Sqon) => {
  const replaced: Operator[] = [];
  const sent = printEstablishedFilter(sqon, { fields, facets: new Set() }, (op) => replaced.push(op));
  const parts = sent?.['content'] as readonly unknown[];
  return { filter: sent?.['op'] === 'and' && parts.length === 1 ? parts[0] : sent, replaced };
};

const pattern = (value: string) => ({ op: 'wildcard', content: { fieldNames: ['a', 'b'], value } });

test('a search becomes a pattern for each word', (t) => {
  t.deepEqual(requested(multi('search', ['a', 'b'], ' brca*  Lyon ')), {
    filter: { op: 'and', content: [pattern('*brca?*'), pattern('*Lyon*')] },
    replaced: ['search'],
  });
  t.deepEqual(requested(multi('search', ['a', 'b'], 'brca')).filter, pattern('*brca*'));
});

test('a search without words finds nothing there either', (t) => {
  t.deepEqual(requested(multi('search', ['a'], ' - ')).filter, {
    op: 'in',
    content: { fieldName: '_id', value: [] },
  });
});

test('literal values are queried by the closest patterns, with a notice where these find more', (t) => {
  const values = (...value: (string | number)[]) => ({ op: 'in', content: { fieldName: 'a', value } });
  t.deepEqual(requested(leaf('is', 'a', ['A*02:01', '4*', '__missing__', 'set_id:x', 'B', 1])), {
    filter: values('A*02:01', '4*', '*_missing__', '*et_id:x', 'B', 1),
    replaced: ['is'],
  });
  for (const one of ['A*02:01', '4*', '__missing__'])
    t.deepEqual(requested(leaf('is', 'a', [one])).replaced, ['is'], one);
  t.deepEqual(requested(leaf('is', 'a', ['B', 1])), { filter: values('B', 1), replaced: [] });
  t.deepEqual(requested(leaf('in', 'a', ['A*02:01'])), { filter: values('A*02:01'), replaced: ['is'] });
  t.deepEqual(requested(leaf('not-in', 'a', ['A*'])).replaced, []);
  t.deepEqual(printSqon(literalFilter(leaf('in', 'a', ['A*02:01']))), values('A*02:01'));
  t.is(printSqon(literalFilter({ ...leaf('in', 'a', ['4*']), exactFrom: 0 }))?.['op'], 'is');
});

test('prefixes become values with a star, wherever they stand', (t) => {
  t.deepEqual(requested(group('not', [leaf('starts-with', 'a', ['C50', 7])])), {
    filter: { op: 'not', content: [{ op: 'in', content: { fieldName: 'a', value: ['C50*', '7*'] } }] },
    replaced: ['starts-with'],
  });
});

test('a filter for a node of ours stays as it is', (t) => {
  const search = multi('search', ['a'], 'brca');
  t.deepEqual(printSqon(literalFilter(search)), printSqon(search));
});

test('the warning names the operator and what differs', (t) => {
  t.is(
    replacedWarning('search'),
    'this node does not know the operator search: it matches words as patterns, also inside other words, and distinguishes accents',
  );
});
