import test from 'ava';
import fc, { runs } from '../fast-check.ts';
import type { Sqon } from '../../src/sqon/ast.ts';
import { printSqon } from '../../src/sqon/parse.ts';
import { withoutField } from '../../src/sqon/rewrite.ts';
import { filters, sqon } from './fixture.ts';

const leaf = (op: string, fieldName: string, value: unknown[]) => ({ op, content: { fieldName, value } });

const leaves = (node: Sqon | null): readonly Sqon[] =>
  node === null ? [] : node.kind === 'group' ? node.content.flatMap(leaves) : [node];

test('no selection on the field is left, everything else is', (t) => {
  const property = fc.property(filters, (filter) => {
    const isDropped = (node: Sqon): boolean =>
      node.kind === 'leaf' &&
      node.op !== 'starts-with' &&
      node.fieldName === 'title' &&
      (node.op === 'is' || !node.values.includes('*'));
    const expected = leaves(filter).filter((node) => !isDropped(node));
    const left = leaves(withoutField(filter, 'title'));
    return left.length === expected.length && left.every((node, position) => node === expected[position]);
  });
  t.notThrows(() => fc.assert(property, { numRuns: runs(1_000) }));
});

test('leaves are dropped wherever they stand, groups left empty with them', (t) => {
  const filter = sqon({
    op: 'and',
    content: [
      { op: 'not', content: [leaf('in', 'title', ['a'])] },
      { op: 'or', content: [leaf('gt', 'pages', [1]), leaf('some-not-in', 'title', ['__missing__'])] },
    ],
  });
  t.deepEqual(printSqon(withoutField(filter, 'title')), {
    op: 'and',
    content: [{ op: 'or', content: [leaf('gt', 'pages', [1])] }],
  });
  t.is(withoutField(sqon(leaf('in', 'title', ['a'])), 'title'), null);
});

test('searches stay', (t) => {
  for (const input of [
    leaf('in', 'title', ['a', 'b*']),
    leaf('in', 'title', ['set_id:1']),
    { op: 'wildcard', content: { fieldNames: ['title'], value: 'a' } },
  ]) {
    const filter = sqon(input);
    t.is(withoutField(filter, 'title'), filter);
  }
});

test('a filter that does not mention the field is returned as it is', (t) => {
  const filter = sqon({ op: 'and', content: [leaf('in', 'press.name', ['a']), leaf('gt', 'pages', [1])] });
  t.is(withoutField(filter, 'title'), filter);
});
