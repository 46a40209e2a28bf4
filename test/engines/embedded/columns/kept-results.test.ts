import test from 'ava';
import { KeptResults, keptKey } from '../../../../src/engines/embedded/columns/kept-results.ts';

const state = (count: number, liveCount = count, tree: object = sameTree) => ({
  tree,
  root: { count },
  liveCount,
});
const sameTree = {};

/** A result, and how often it was found. */
const finding = (name: string) => {
  const found = { times: 0, find: () => (found.times++, { name }) };
  return found;
};

test('a result is found once for equal keys', (t) => {
  const kept = new KeptResults<{ name: string }>(10_000, () => 1);
  const first = finding('a');
  for (let time = 0; time < 3; time++)
    t.deepEqual(kept.result(state(40), keptKey({ values: ['a', 'b'] }), first.find), { name: 'a' });
  t.is(first.times, 1);
});

test('different parts make different keys, also where JSON writes them alike', (t) => {
  const parts = [['a'], ['b'], ['a', 'b'], ['ab'], [Infinity], [-Infinity], [NaN], [null]];
  t.is(new Set(parts.map((part) => keptKey(part))).size, parts.length);
  t.not(keptKey('kind', 'a'), keptKey('color', 'a'));
});

test('results are forgotten when a document is added or deleted, or a field is added', (t) => {
  const kept = new KeptResults<{ name: string }>(10_000, () => 1);
  const states = [state(40), state(41), state(41, 40), state(41, 40, {})];
  for (const [number, one] of states.entries()) {
    const found = finding(`${number}`);
    t.deepEqual(kept.result(one, keptKey('a'), found.find), { name: `${number}` });
    t.is(found.times, 1);
  }
  t.is(kept.get(state(41, 40, {}), keptKey('a')), undefined);
});

test('results are kept up to a size, those used least recently go first', (t) => {
  const kept = new KeptResults<Uint8Array>(4 << 20, ({ byteLength }) => byteLength);
  const times = (name: string): number => {
    let found = 0;
    kept.result(state(40), keptKey(name), () => (found++, new Uint8Array(1 << 20)));
    return found;
  };
  // one MiB each
  t.deepEqual(['a', 'b', 'c', 'c', 'd', 'a'].map(times), [1, 1, 1, 0, 1, 1]);
});
