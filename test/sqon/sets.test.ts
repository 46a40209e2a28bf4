import test from 'ava';
import { printSqon } from '../../src/sqon/print.ts';
import { expandSets, setIdsIn } from '../../src/sqon/sets.ts';
import { sqon } from './fixture.ts';

const leaf = (value: unknown[]) => ({ op: 'in', content: { fieldName: 'title', value } });

test('sets are named once and replaced by what they stand for', (t) => {
  const filter = sqon({ op: 'not', content: [leaf(['set_id:1', 'x']), leaf(['set_id:2', 'set_id:1'])] });
  t.deepEqual(setIdsIn(filter), ['1', '2']);
  const expanded = expandSets(filter, (setId) => (setId === '1' ? ['a', 'b'] : []));
  t.deepEqual(printSqon(expanded), { op: 'not', content: [leaf(['a', 'b', 'x']), leaf(['a', 'b'])] });
});

test('a filter without sets is returned as it is', (t) => {
  const filter = sqon({ op: 'or', content: [leaf(['a'])] });
  t.is(
    expandSets(filter, () => []),
    filter,
  );
  t.deepEqual(setIdsIn(null), []);
});
