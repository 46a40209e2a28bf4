import test from 'ava';
import { buildSchema } from 'graphql';
import { knownOperators, olderFilter, olderWarning } from '../../../src/federation/remote/node-filter.ts';
import type { Operator, Sqon } from '../../../src/sqon/ast.ts';
import { group, leaf, multi } from '../../../src/sqon/ast.ts';
import { operatorNames } from '../../../src/sqon/operators/table.ts';
import { printSqon } from '../../../src/sqon/parse.ts';
import { fieldsOf, searchOf } from '../collection.ts';
import { catalogueOf } from '../remote-server.ts';
import { buildCatalogueSchema } from '../../../src/local/schema/schema.ts';

const older = new Set<Operator>(
  operatorNames.filter((op) => !['search', 'starts-with', 'is', 'under'].includes(op)),
);

const requested = (sqon: Sqon, known: ReadonlySet<Operator> = older) => {
  const replaced: Operator[] = [];
  const filter = printSqon(olderFilter(sqon, known, (op) => replaced.push(op)));
  return { filter, replaced };
};

const pattern = (value: string) => ({ op: 'wildcard', content: { fieldNames: ['a', 'b'], value } });

test('a node without the enum knows what every server does, one with it what it names', (t) => {
  t.deepEqual(knownOperators(buildSchema('type Query { a: Int }')), older);
  t.deepEqual(
    knownOperators(buildSchema('type Query { a: Int } enum SqonOperator { in search }')),
    new Set([...older, 'search']),
  );
});

test('our own schema names every operator', (t) => {
  t.deepEqual(
    knownOperators(buildCatalogueSchema(catalogueOf('tree', fieldsOf({ id: 'keyword' }), searchOf([])))),
    new Set(operatorNames),
  );
});

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
  const known = new Set(operatorNames);
  t.deepEqual(requested(leaf('in', 'a', ['A*02:01']), known).replaced, []);
  t.is(requested({ ...leaf('in', 'a', ['4*']), exactFrom: 0 }, known).filter?.['op'], 'is');
});

test('prefixes become values with a star, wherever they stand', (t) => {
  t.deepEqual(requested(group('not', [leaf('starts-with', 'a', ['C50', 7])])), {
    filter: { op: 'not', content: [{ op: 'in', content: { fieldName: 'a', value: ['C50*', '7*'] } }] },
    replaced: ['starts-with'],
  });
});

test('what a node supports is sent as it is', (t) => {
  const search = multi('search', ['a'], 'brca');
  t.deepEqual(requested(search, new Set(operatorNames)), { filter: printSqon(search), replaced: [] });
});

test('the warning names the operator and what differs', (t) => {
  t.is(
    olderWarning('search'),
    'this node does not know the operator search: it matches words as patterns, also inside other words, and distinguishes accents',
  );
});
