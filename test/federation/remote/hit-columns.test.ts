import test from 'ava';
import { hitColumns } from '../../../src/federation/remote/hit-columns.ts';
import { fieldsOf } from '../collection.ts';

const types = { genus: 'keyword', fruits: 'nested', 'fruits.seeds': 'nested', 'fruits.seeds.grams': 'long' };

test('values deeper than a node is queried are left out, with the levels that they take', (t) => {
  const lackingAt = (maxDepth: number) =>
    hitColumns(['genus', 'fruits.seeds.grams'], fieldsOf(types), maxDepth).unselectable;
  const [lacking, ...others] = lackingAt(12);
  t.is(lacking!.path, 'fruits.seeds.grams');
  t.regex(lacking!.why, /^it takes a query of 13 levels, and this node accepts 12 at most: set its maxDepth/);
  t.deepEqual(others, []);
  t.deepEqual(lackingAt(13), []);
});
