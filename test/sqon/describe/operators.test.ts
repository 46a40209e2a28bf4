import test from 'ava';
import { operatorsOf } from '../../../src/sqon/describe/operators.ts';

test('ordered types have ranges, names have sets, the rest the basics', (t) => {
  const ranges = ['in', 'not-in', 'gt', 'gte', 'lt', 'lte', 'between'];
  for (const type of ['date', 'double', 'float', 'integer', 'long']) t.deepEqual(operatorsOf(type), ranges);
  for (const type of ['byte', 'short', 'scaled_float']) t.deepEqual(operatorsOf(type), [...ranges, 'filter']);
  for (const type of ['keyword', 'boolean', 'ip'])
    t.deepEqual(operatorsOf(type), ['in', 'not-in', 'some-not-in', 'all', 'filter']);
  for (const type of ['text', 'object', 'nested', 'constructor'])
    t.deepEqual(operatorsOf(type), ['in', 'not-in', 'filter']);
});
