import test from 'ava';
import { shownValuesOf, printSample, readSample } from '../../src/facets/distinct-sample.ts';
import { sampleOfValues } from '../../src/engines/semantics/sample-keys.ts';

test('values are named by an object or by pairs', (t) => {
  const values = [
    ['M', 'Male'],
    ['Côlon', 'Colon'],
  ];
  t.deepEqual(shownValuesOf(Object.fromEntries(values)), { values });
  t.deepEqual(shownValuesOf(values), { values });
  for (const none of [null, undefined, {}, []]) t.deepEqual(shownValuesOf(none), {});
});

for (const wrong of ['M', 5, ['M', 'Male'], [['M']], [['M', 'Male', 'x']], { M: 1 }, { M: null }, [['M', 1]]])
  test(`nothing else names values: ${JSON.stringify(wrong)}`, (t) => {
    t.throws(() => shownValuesOf(wrong), {
      code: 'BAD_USER_INPUT',
      message: /^values of distinct_sample must be at most 10000 texts by value/,
    });
  });

test('more values than a request should name are refused', (t) => {
  const many = Array.from({ length: 10_001 }, (_, at) => [String(at), 'x']);
  t.throws(() => shownValuesOf(many), { code: 'BAD_USER_INPUT' });
  t.notThrows(() => shownValuesOf(many.slice(1)));
});

const sample = sampleOfValues(['a', 'b', 'c'], 'murmur3', new Map());

test('a sample that is sent is read', (t) => {
  const sent = printSample(sample);
  t.deepEqual(Object.keys(sent!), ['v', 'hash', 'N', 'n', 'levels']);
  t.deepEqual(readSample(JSON.parse(JSON.stringify(sent)), 'kind'), sample);
});

test('none is none, and so is one of another form', (t) => {
  t.is(printSample(null), null);
  t.is(readSample(null, 'kind'), null);
  t.is(readSample({ v: 2, anything: 'else' }, 'kind'), null);
});

const malformed: Readonly<Record<string, unknown>> = {
  'no object': 'AQID',
  'no version': { ...printSample(sample), v: undefined },
  'an unknown hash': { ...printSample(sample), hash: 'md5' },
  'parts that do not nest': { ...printSample(sample), N: 3 },
  'too many parts': { ...printSample(sample), N: 2 ** 31 },
  'another number of keys': { ...printSample(sample), n: 4 },
  'levels that are not text': { ...printSample(sample), levels: [1] },
  'a level that is not base64': { ...printSample(sample), levels: ['?'] },
  'a list of levels without end': { ...printSample(sample), levels: Array.from({ length: 100 }, () => '') },
};
for (const [what, value] of Object.entries(malformed))
  test(`a malformed sample is refused: ${what}`, (t) => {
    const error = t.throws(() => readSample(value, 'kind'), { code: 'NODE_BAD_RESPONSE' });
    t.regex(error!.message, /^the answer is malformed at kind/);
  });
