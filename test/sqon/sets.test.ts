import test from 'ava';
import { compileSqon } from '../../src/sqon/compile.ts';
import { printSqon } from '../../src/sqon/parse.ts';
import { expandSets, setIdsIn } from '../../src/sqon/rewrite.ts';
import { withoutField } from '../../src/sqon/rewrite.ts';
import { library, sqon } from './fixture.ts';

const leaf = (value: unknown[]) => ({ op: 'in', content: { fieldName: 'title', value } });

test('sets are named once and replaced by what they stand for', (t) => {
  const filter = sqon({ op: 'not', content: [leaf(['set_id:1', 'x']), leaf(['set_id:2', 'set_id:1'])] });
  t.deepEqual(setIdsIn(filter), ['1', '2']);
  const expanded = expandSets(filter, (setId) => (setId === '1' ? ['a', 'b'] : []));
  t.deepEqual(printSqon(expanded), { op: 'not', content: [leaf(['x', 'a', 'b']), leaf(['a', 'b'])] });
  t.is(withoutField(expanded, 'title'), expanded, 'a set is a search, not a selection');
});

test('the values of a set are taken literally, in every operator but ranges', (t) => {
  const stars = () => ['a*', '__missing__', 'set_id:2'];
  for (const op of ['in', 'not-in', 'some-not-in', 'all']) {
    const filter = sqon({ op, content: { fieldName: 'title', value: ['set_id:1', 'b*'] } });
    const expanded = expandSets(filter, stars);
    t.deepEqual(printSqon(expanded)!['content'], {
      fieldName: 'title',
      value: ['b*', 'a*', '__missing__', 'set_id:2'],
    });
    const compiled = JSON.stringify(compileSqon(expanded, library));
    t.true(compiled.includes('"a*"') && compiled.includes('"set_id:2"'), compiled);
    t.false(compiled.includes('"literal":"a"') || compiled.includes('exists'), compiled);
    t.true(compiled.includes('"literal":"b"'), compiled);
    t.is(withoutField(expanded, 'title'), expanded, 'a set is a search, not a selection');
  }
  const range = sqon({ op: 'gt', content: { fieldName: 'pages', value: ['set_id:1'] } });
  t.is(expandSets(range, stars), range);
  t.deepEqual(setIdsIn(range), []);
  t.throws(() => compileSqon(range, library), { code: 'BAD_USER_INPUT' });
});

test('a filter without sets is returned as it is', (t) => {
  const filter = sqon({ op: 'or', content: [leaf(['a'])] });
  t.is(
    expandSets(filter, () => []),
    filter,
  );
});
