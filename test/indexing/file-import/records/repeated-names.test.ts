import test from 'ava';
import fc, { runs } from '../../../fast-check.ts';
import { parseLosslessJson, flawIn } from '../../../../src/indexing/file-import/records/lossless-json.ts';
import { readRecords } from '../../../../src/indexing/file-import/read-files.ts';
import type { ImportFormat } from '../../../../src/indexing/file-import/records/detect-format.ts';
import { chunksOf, collect } from '../collect.ts';

const twice = '{"id": 2, "a" : "x: \\"y\\": z", "in": {"b": 1, "b": 2}}';

const outcomes = async (format: ImportFormat, text: string): Promise<readonly unknown[]> =>
  (await collect(readRecords(format, chunksOf(text), null))).map((record) =>
    record.kind === 'bad' ? [record.line, record.reason] : record.line,
  );

const reason = 'the name "b" occurs more than once in an object';

for (const [what, format, text, expected] of [
  ['NDJSON', 'ndjson', `{"id": 1}\n${twice}\n{"id": 3}\n`, [1, [2, reason], 3]],
  ['a bulk body', 'bulk', `{"index":{}}\n{"id":1}\n{"index":{}}\n${twice}\n`, [2, [4, reason]]],
  ['a JSON array', 'json', `[{"id": 1}, ${twice}, {"id": 3}]`, [1, [2, reason], 3]],
  ['an envelope', 'json', `{"results": [{"id": 1}, ${twice}, {"id": 3}]}`, [1, [2, reason], 3]],
  ['objects on several lines', 'json', `{"id":\n1}\n${twice}\n`, [1, [2, reason]]],
  ['one object', 'json', twice, [[1, reason]]],
  ['digits past 2^53', 'ndjson', '{"n":9007199254740993,"b":1,"b":9007199254740995}', [[1, reason]]],
  [
    'the prototype',
    'json',
    '[{"b":1,"b":2,"__proto__":1},{"__proto__":1,"b":1,"b":2}]',
    [
      [1, reason],
      [2, reason],
    ],
  ],
] as const)
  test(`a record with a name twice is rejected: ${what}`, async (t) => {
    t.deepEqual(await outcomes(format, text), [...expected]);
  });

test('a name that occurs twice around the records is an error, since records would be lost', async (t) => {
  await t.throwsAsync(outcomes('json', '{"results": [{"id": 1}], "results": [{"id": 2}]}'), {
    code: 'INPUT_INVALID',
    message: 'the name "results" occurs more than once in an object around the records',
  });
});

test('what JSON.stringify writes never has a name twice', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1), (value, indent) => {
        const { repeated } = parseLosslessJson(JSON.stringify(value, null, indent));
        return repeated === undefined;
      }),
      { numRuns: runs(300) },
    ),
  );
});

test('a member that is written once more is found in any value', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 }), (object) => {
        const [name] = Object.keys(object) as [string];
        const text = `[${JSON.stringify(object).slice(0, -1)},${JSON.stringify(name)}:null}]`;
        const { value, repeated } = parseLosslessJson(text);
        return flawIn(value, repeated)?.startsWith(`the name ${JSON.stringify(name)} `) === true;
      }),
      { numRuns: runs(300) },
    ),
  );
});
