import test from 'ava';
import { intervalOf, intervalOfTerm } from '../../../../../src/engines/embedded/query/filter/bounds.ts';
import { Columns } from '../../../../../src/engines/embedded/columns/columns.ts';

const { tree } = new Columns({
  properties: {
    whole: { type: 'long' },
    float: { type: 'float' },
    price: { type: 'scaled_float', scaling_factor: 100 },
    at: { type: 'date' },
  },
});
const column = (path: string) => tree.columns.get(path)!;
const range = (path: string, bounds: Parameters<typeof intervalOf>[1]) => {
  const { low, high } = intervalOf(column(path), bounds);
  return [low, high];
};
const term = (path: string, value: string | number | boolean) => {
  const interval = intervalOfTerm(column(path), value);
  return interval && [interval.low, interval.high];
};

test('bounds past 2^53 are exact', (t) => {
  const bounds = { gt: '9007199254740992', lt: '9007199254740995' };
  t.like(intervalOf(column('whole'), bounds), { exactLow: 9007199254740993n, exactHigh: 9007199254740994n });
  t.like(intervalOf(column('whole'), { gte: 2.5, lte: -2.5 }), { exactLow: 3n, exactHigh: -3n });
  t.like(intervalOf(column('whole'), { gt: 2.5, lt: 2.5 }), { exactLow: 3n, exactHigh: 2n });
  t.is(term('whole', 2.5), null);
});

test('an open bound starts at the next number there is', (t) => {
  t.deepEqual(range('whole', { gt: 0, lt: 0 }), [Number.MIN_VALUE, -Number.MIN_VALUE]);
  t.deepEqual(range('whole', { gt: 1 }), [1 + Number.EPSILON, Infinity]);
  t.deepEqual(range('whole', { lt: -1 }), [-Infinity, -1 - Number.EPSILON]);
});

test('bounds and values are as the type stores them', (t) => {
  t.deepEqual(range('float', { gte: 0.1, lte: 0.1 }), [Math.fround(0.1), Math.fround(0.1)]);
  t.deepEqual(term('price', 19.994), [19.99, 19.99]);
  t.deepEqual(range('price', { gte: 19.994 }), [19.994, Infinity]);
  t.is(term('whole', true), null);
  t.is(term('whole', 'x'), null);
});

test('a bound that is none is refused', (t) => {
  for (const [path, bound] of [
    ['whole', 'many'],
    ['at', 'soon'],
  ] as const)
    t.throws(() => range(path, { gte: bound }), { code: 'BAD_USER_INPUT', message: new RegExp(path) });
});
