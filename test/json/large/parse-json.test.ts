import test from 'ava';
import { parseJson, reductionBy } from '../../../src/json/large/parse-json.ts';

const long = 'x'.repeat(700_000);
const hits = Array.from({ length: 40_000 }, (_, i) => ({
  id: `é${i}`,
  tags: ['a', null, true, 1.5e-7],
  of: { n: -i },
}));
const nested = (levels: number, inside: unknown): unknown =>
  Array.from({ length: levels }).reduce((value) => [{ value, beside: hits.slice(0, 50) }], inside);

const values: Readonly<Record<string, unknown>> = {
  'a list of objects': hits,
  'a list deep inside, and more beside it': {
    took: 3,
    responses: [{ hits: { hits }, _shards: { total: 1 } }, { error: {} }],
  },
  'an object of very many keys': Object.fromEntries(hits.map(({ id, of }) => [id, of])),
  'a long string': long,
  'long strings among others': ['short', long, { long, short: [] }, [], {}, long],
  'lists in lists': nested(60, hits),
  'many small lists': hits.map(({ tags }) => tags),
};

for (const [name, value] of Object.entries(values))
  test(`what is large is parsed like anything else: ${name}`, async (t) => {
    const text = JSON.stringify(value);
    t.true(text.length > 600_000);
    t.is(JSON.stringify(await parseJson(text)), text);
    t.is(JSON.stringify(await parseJson(Buffer.from(`\uFEFF${text}`))), text);
  });

test('no key is special', async (t) => {
  const text = `{"a": ${JSON.stringify(hits)}, "__proto__": {"b": ${JSON.stringify(hits)}}, "constructor": 1}`;
  const parsed = (await parseJson(text)) as object;
  t.is(JSON.stringify(parsed), JSON.stringify(JSON.parse(text)));
  t.is(Object.getPrototypeOf(parsed), Object.prototype);
});

test('whole numbers past 2^53 keep their digits where that is requested', async (t) => {
  const text = `[${JSON.stringify(long)}, 9007199254740993, {"key": -9007199254740993}, 0.1234567890123456789]`;
  const fraction = 0.12345678901234568;
  t.deepEqual(await parseJson(text, { exact: true }), [
    long,
    '9007199254740993',
    { key: '-9007199254740993' },
    fraction,
  ]);
  t.deepEqual(await parseJson(text), [long, 9007199254740992, { key: -9007199254740992 }, fraction]);
});

for (const [size, more] of [
  ['small', ''],
  ['large', long],
] as const) {
  test(`a number past the largest double is Infinity: ${size}`, async (t) => {
    const parsed = await parseJson(`[null, {"a": [1e400, -1e400, 1e-400]}, ${JSON.stringify(more)}, 1e999]`);
    t.deepEqual(parsed, [null, { a: [Infinity, -Infinity, 0] }, more, Infinity]);
  });

  test(`invalid JSON is reported as such: ${size}`, async (t) => {
    await t.throwsAsync(parseJson(`{"a": "${more}", b}`), { instanceOf: SyntaxError });
    t.deepEqual(await parseJson(`["${more}"]`), [more]);
  });

  test(`what is nested too deeply is not parsed: ${size}`, async (t) => {
    const text = `{"a": "${more}", "b": ${'['.repeat(120)}${']'.repeat(120)}}`;
    await t.throwsAsync(parseJson(Buffer.from(text), { maxLevels: 100 }), {
      instanceOf: RangeError,
      message: 'nested deeper than 100 levels',
    });
    await t.notThrowsAsync(parseJson(Buffer.from(text), { maxLevels: 121 }));
  });

  test(`a module makes of a value what is wanted: ${size}`, async (t) => {
    const text = JSON.stringify([more, 1, 2]);
    const by = (argument: string) => ({ reduction: reductionBy('reducing', import.meta.url, argument) });
    t.deepEqual(await parseJson(text, by('count')), { argument: 'count', items: 3 });
    await t.throwsAsync(parseJson(text, by('refuse')), {
      code: 'NODE_BAD_RESPONSE',
      message: 'not like this',
    });
  });
}

test('several at once each get their own, and others are answered meanwhile', async (t) => {
  const texts = Array.from({ length: 3 }, (_, number) => JSON.stringify([number, ...hits]));
  let turns = 0;
  const count = (): void => {
    turns++;
    ticking = setImmediate(count);
  };
  let ticking = setImmediate(count);
  const parsed = await Promise.all(texts.map((text) => parseJson(text)));
  clearImmediate(ticking);
  t.deepEqual(
    parsed.map((list) => (list as unknown[])[0]),
    [0, 1, 2],
  );
  t.true(turns > 20, `${turns} turns`);
});
