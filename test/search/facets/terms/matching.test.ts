import test from 'ava';
import { sent, type QueriedNode } from '../../../../src/search/facets/row/measure-row.ts';
import type { JsonObject } from '../../../../src/lib/json/json.ts';
import fc, { runs } from '../../../fast-check.ts';
import { containedExpression } from '../../../../src/engines/cluster/dsl/filter/folded-expression.ts';
import { fold } from '../../../../src/lib/text/fold.ts';
import { terms } from '../../../../src/search/facets/terms.ts';

const letters = fc.string({
  unit: fc.constantFrom('s', 'S', 'ß', 'ẞ', 'e', 'é', 'æ', 'œ', 'f', 'ﬀ', 'ﬃ', 'i', 't', 'h', 'þ', 'x', ' '),
  maxLength: 12,
});

test('the expression for search servers finds what contains a text, folded, and nothing else', (t) => {
  fc.assert(
    fc.property(letters, letters, letters, (before, part, after) => {
      const wanted = fold(part);
      fc.pre(wanted !== '');
      const expression = new RegExp(`^.*${containedExpression(wanted).replaceAll('\\ ', ' ')}.*$`, 'u');
      t.regex(before + part + after, expression);
      for (const other of [before, after, before + after])
        t.is(expression.test(other), fold(other).includes(wanted), `${other} ${wanted}`);
    }),
    { numRuns: runs(1_000) },
  );
});

const merging = { field: { path: 'sex', type: 'keyword' }, isWhole: () => true, list: () => null } as const;
const listOf = (...counts: readonly (readonly [string, number])[]) => ({
  kind: 'terms' as const,
  buckets: counts.map(([key, count]) => ({ key, count })),
  distinct: counts.length,
  missing: 3,
});

const documentOf = (document: JsonObject): JsonObject => document;
const queriedNode = (more: Partial<QueriedNode>): QueriedNode => ({
  values: null,
  dialect: 'tributary',
  pathOf: (path) => path,
  filterOf: (filter) => filter,
  sharesHierarchy: false,
  maxBytes: Infinity,
  ...more,
});

test('translated values are matched as they are shown, listed or not, and nothing is missing', async (t) => {
  const listed = new Map([
    ['1', 'Male'],
    ['2', 'Female'],
  ]);
  const values = {
    listed,
    toNetwork: (value: string) => listed.get(value) ?? value,
    toNode: (value: string) => [value === 'Male' ? '1' : value === 'Female' ? '2' : value],
  };
  const node = queriedNode({ values });
  const measure = { kind: 'terms', max: 2, matching: 'male' } as const;
  const requested = { kind: 'terms', max: null } as const;
  t.deepEqual(terms.toNode(measure, node), sent(requested));
  const merged = await terms.merge(
    [
      {
        nodeId: 'a',
        values,
        requested,
        documentOf,
        matches: 0,
        result: listOf(['1', 5], ['2', 4], ['MALE?', 1], ['9', 1]),
      },
      {
        nodeId: 'b',
        values: null,
        documentOf,
        requested: { kind: 'terms', max: 13, matching: 'male' },
        matches: 0,
        result: listOf(['Male', 1]),
      },
      { nodeId: 'c', values: null, documentOf, requested: null, matches: 7, result: null },
    ],
    { measure, ...merging },
  );
  t.deepEqual(
    merged.buckets.map(({ key, count }) => [key, count]),
    [
      ['Male', 6],
      ['Female', 4],
      ['MALE?', 1],
    ],
  );
  t.is(merged.missing, 0);
  t.is(merged.distinct, 3);
  t.true(merged.complete);
});

test('a node matches by itself where it can, and lists all where it cannot', (t) => {
  const measure = { kind: 'terms', max: 4, matching: 'ma' } as const;
  const able = queriedNode({});
  const older = queriedNode({ dialect: 'established' });
  t.deepEqual(terms.toNode(measure, able), sent({ kind: 'terms', max: 16, matching: 'ma' }));
  t.deepEqual(terms.toNode(measure, older), {
    ...sent({ kind: 'terms', max: null }),
    shortcoming: 'cannot filter values by a text: all of its values are requested',
  });
  t.deepEqual(terms.toNode({ kind: 'terms', max: 4 }, older), sent({ kind: 'terms', max: 16 }));
});
