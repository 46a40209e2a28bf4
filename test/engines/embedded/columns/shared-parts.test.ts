import test from 'ava';
import { named, packed, unpacked } from '../../../../src/engines/embedded/columns/shared-parts.ts';

const values = Array.from({ length: 300 }, (_, at) => `v${at}`);
const leaf = { kind: 'terms', field: { path: 'code' }, values };

test('a list that is sent again is shared, and one object for whoever receives it', (t) => {
  const query = { filter: { kind: 'and', of: [leaf] }, facets: [leaf] };
  t.deepEqual(packed(query), query);
  const sent = packed(query);
  t.false(JSON.stringify(sent).includes('v299'));
  const [first, second] = [unpacked(structuredClone(sent)), unpacked(structuredClone(packed(query)))];
  t.deepEqual(first, query);
  t.is(first.facets[0]!.values, second.facets[0]!.values);
});

test('filters that are one object stay one', (t) => {
  packed(leaf);
  const { a, b } = packed({ a: leaf, b: leaf });
  t.is(a, b);
});

test('keys have names in place of shared lists, and all of others', (t) => {
  packed(leaf);
  const received = unpacked(structuredClone(packed(leaf)));
  t.true(JSON.stringify(named(received)).length < 200);
  t.deepEqual(named(leaf), leaf);
});

test('sets of values are shared whole, other lists as long as they are not', (t) => {
  const measure = { kind: 'groups', values, sets: [{ key: 'a', members: [0, 1] }] };
  packed(measure);
  t.false('sets' in packed(measure));
  const short = { values: values.slice(0, 10) };
  packed(short);
  t.is(packed(short), short);
});
