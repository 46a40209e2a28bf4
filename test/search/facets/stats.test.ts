import test from 'ava';
import { mergeStats } from '../../../src/search/facets/stats.ts';

test('the average is made of sums and counts, and nodes without values do not count', (t) => {
  const none = { kind: 'stats', count: 0, min: null, max: null, sum: null, avg: null } as const;
  const one = { kind: 'stats', count: 1, min: 10, max: 10, sum: 10, avg: 10 } as const;
  const three = { kind: 'stats', count: 3, min: 1, max: 3, sum: 6, avg: 2 } as const;
  t.deepEqual(mergeStats([none, one, three]), { kind: 'stats', count: 4, min: 1, max: 10, sum: 16, avg: 4 });
});

test('nothing adds up to 0, as at a catalogue', (t) => {
  const none = { kind: 'stats', count: 0, min: null, max: null, sum: null, avg: null } as const;
  t.deepEqual(mergeStats([]), { ...none, sum: 0 });
  t.deepEqual(mergeStats([none, none]), { ...none, sum: 0 });
});
