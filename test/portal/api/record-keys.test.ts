import test from 'ava';
import { readRow } from '../../../portal/src/api/read-answer.ts';
import { recordKey, rowKey } from '../../../portal/src/state/view.ts';

const row = (nodeId: string, id: string, key: string) =>
  readRow([], [], { nodeId, _key: key, searchAfter: null, node: { id } });

test('records of a network among the institutions are told apart by their keys, others by their ids', (t) => {
  const plain = row('oslo', 'a/1', 'oslo/a%2F1');
  t.deepEqual(recordKey(plain), { id: 'a/1', nodeId: 'oslo' });
  const [one, other] = ['lyon', 'rome'].map((inner) => row('eu', '1', `eu/${inner}%2F1`));
  t.deepEqual(recordKey(one!), { id: '1', nodeId: 'eu', key: 'eu/lyon%2F1' });
  t.not(rowKey(one!), rowKey(other!));
});
