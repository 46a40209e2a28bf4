import { text } from 'node:stream/consumers';
import test from 'ava';
import fc, { runs } from '../../../fast-check.ts';
import { GraphQLError } from 'graphql';
import { jsonStream, responseSize } from '../../../../src/server/http/answers/send-json.ts';

/** Texts of every kind, and long ones that are cut anywhere. */
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('a', '"', '\\', '\n', '\u007f', '\u2028', 'é', '\ud83d', '\ude00', '😀'),
  }),
  fc
    .tuple(fc.nat(40_000), fc.constantFrom('😀', '\ud83d', 'x', '\u0000'))
    .map(([length, unit]) => `y${unit.repeat(length)}`),
);

const leaves = fc.oneof(
  texts,
  fc.integer(),
  fc.double(),
  fc.constantFrom(null, undefined, true, false, -0, 1e21, 5e-324, new Date(0), Symbol('no word')),
);

/** Lists that take several parts. */
const longLists = fc
  .tuple(fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 5 }), fc.nat(5_000))
  .map(([item, length]) => Array<unknown>(length).fill(item));

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaves,
    longLists,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.string({ unit: 'binary' }), tie('value'), { maxKeys: 5 }),
  ),
}));

const answers = fc.record({ data: value });

test('an answer is as large as it is counted to be, and is written as JSON.stringify writes it', async (t) => {
  await fc.assert(
    fc.asyncProperty(answers, async (answer) => {
      const whole = JSON.stringify(answer);
      t.deepEqual(await responseSize(answer, Infinity), { kind: 'fits', bytes: Buffer.byteLength(whole) });
      const streamed = await text(jsonStream(answer));
      t.true(streamed === whole);
    }),
    { numRuns: runs(150) },
  );
});

test('what writes itself is counted and written as it does, wherever it stands', async (t) => {
  const error = new GraphQLError('no "such" field', {
    path: ['a', 1],
    extensions: { code: 'BAD_USER_INPUT' },
  });
  const data = Object.assign(Object.create(null) as object, { list: Array<string>(20_000).fill('entry') });
  const answer = { errors: [error], data };
  const whole = JSON.stringify(answer);
  t.deepEqual(await responseSize(answer, Infinity), { kind: 'fits', bytes: whole.length });
  t.is(await text(jsonStream(answer)), whole);
});

test('counting stops at the limit, and reports where most of it is', async (t) => {
  const answer = {
    data: { book: { hits: { edges: Array<string>(10_000).fill('x'.repeat(90)), few: ['y'] } } },
  };
  t.deepEqual(await responseSize(answer, 500_000), {
    kind: 'tooLarge',
    largestPath: ['data', 'book', 'hits', 'edges'],
  });
});

test('a response that nobody waits for any more is not measured to its end', async (t) => {
  const parts = Array.from({ length: 5_000 }, () => '\u0001'.repeat(20_000));
  let checks = 0;
  t.deepEqual(await responseSize(parts, Infinity, () => checks++ > 0), { kind: 'unwanted' });
  t.is(checks, 2);
});
