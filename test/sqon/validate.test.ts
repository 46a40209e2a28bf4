import test from 'ava';
import { TributaryError } from '../../src/lib/errors/errors.ts';
import { validateSqon } from '../../src/sqon/compile.ts';
import { library, sqon } from './fixture.ts';

const leaf = (op: string, fieldName: string, value: unknown) => ({ op, content: { fieldName, value } });
const warnings = (input: unknown) => validateSqon(sqon(input), library);

test('a filter that fits gives no warnings', (t) => {
  t.deepEqual(validateSqon(null, library), []);
  t.deepEqual(warnings({ op: 'and', content: [leaf('in', '_id', ['1']), leaf('gt', 'pages', 1)] }), []);
});

test('unknown fields are named with what they do', (t) => {
  const input = { op: 'or', content: [leaf('in', 'nowhere', 'x'), leaf('not-in', 'press.city', 'x')] };
  t.deepEqual(warnings(input), [
    'filter at $.content[0]: unknown field "nowhere", the condition matches nothing',
    'filter at $.content[1]: unknown field "press.city", the condition matches everything',
  ]);
  t.regex(warnings({ op: 'filter', content: { fieldNames: ['by', 'title'], value: 'x' } }).join(), /"by"/);
});

test('a misspelt field is named with the one that was probably meant', (t) => {
  const searched = { op: 'filter', content: { fieldNames: ['titel', 'title'], value: 'x' } };
  const input = { op: 'and', content: [leaf('in', 'copies.shelv', 'a'), leaf('in', 'shelf', 'a'), searched] };
  t.deepEqual(warnings(input), [
    'filter at $.content[0]: unknown field "copies.shelv" (did you mean "copies.shelf"?), the condition matches nothing',
    'filter at $.content[1]: unknown field "shelf" (did you mean "copies.shelf"?), the condition matches nothing',
    'filter at $.content[2]: unknown field "titel" (did you mean "title"?), nothing is found in it',
  ]);
  const error = t.throws(() => validateSqon(sqon(leaf('in', 'titel', 'x')), library, { strict: true }), {
    instanceOf: TributaryError,
    message:
      'filter at $.content.fieldName: expected a field of this catalogue, found "titel" (did you mean "title"?)',
  });
  t.is(error.details?.didYouMean, 'title');
});

test('a filter full of misspelt fields gets suggestions for the first few', (t) => {
  const content = Array.from({ length: 50 }, (_, number) => leaf('in', `title${number % 10}`, number));
  const hints = warnings({ op: 'or', content }).filter((warning) => warning.includes('did you mean'));
  t.is(hints.length, 5);
});

test('between with more than two bounds is a warning, and an error in strict mode', (t) => {
  const input = leaf('between', 'pages', [0, 50, 10]);
  t.deepEqual(warnings(input), [
    'filter at $: between takes two bounds; of these 3 values only the smallest and largest count',
  ]);
  t.throws(() => validateSqon(sqon(input), library, { strict: true }), {
    message: 'filter at $.content.value: expected two bounds, the lower one first, found [0,50,10]',
  });
  t.deepEqual(warnings(leaf('between', 'pages', [0, 50])), []);
});

test('strictly, unknown fields are errors with their path', (t) => {
  for (const [input, path] of [
    [leaf('in', 'nowhere', 'x'), '$.content.fieldName'],
    [{ op: 'filter', content: { fieldNames: ['title', 'by'], value: 'x' } }, '$.content.fieldNames[1]'],
  ] as const) {
    const error = t.throws(() => validateSqon(sqon(input), library, { strict: true }), {
      instanceOf: TributaryError,
    });
    t.is(error.code, 'BAD_USER_INPUT');
    t.is(error.details?.path, path);
  }
});

test('conditions without effect are reported', (t) => {
  t.regex(warnings(leaf('in', 'title', [])).join(), /no values for "title".*nothing/);
  t.regex(
    warnings(leaf('not-in', 'extras', 'x')).join(),
    /"extras" of type object is not searchable.*everything/,
  );
  t.regex(warnings({ op: 'filter', content: { fieldNames: ['pages'], value: '*' } }).join(), /no text/);
  t.regex(warnings({ op: 'filter', content: { fieldNames: [], value: '*' } }).join(), /no fields/);
});

test('what does not fit is an error', (t) => {
  for (const input of [
    leaf('in', 'pages', 'many'),
    leaf('gt', 'title', 'a'),
    { op: 'and', content: [leaf('in', 'title', 'a')], pivot: 'press' },
  ]) {
    const error = t.throws(() => warnings(input), { instanceOf: TributaryError });
    t.is(error.code, 'BAD_USER_INPUT');
  }
});
