import test from 'ava';
import { hierarchyLines } from '../../../src/cli/check/check-hierarchies.ts';
import { buildHierarchy } from '../../../src/introspection/hierarchies/build-hierarchy.ts';
import { withHierarchies } from '../../../src/introspection/fields/field.ts';
import { fieldsOf, searchOf } from '../../federation/collection.ts';

const plain = { label: '', synonyms: [], parents: [], obsolete: false, replacedBy: null };
const codes = buildHierarchy(
  'codes',
  [
    { ...plain, id: 'a', label: 'Apple' },
    { ...plain, id: 'b', parents: ['a'] },
    { ...plain, id: 'old', obsolete: true, replacedBy: 'a' },
    { ...plain, id: 'older', obsolete: true },
  ],
  'codes.csv',
);

const linesOf = (values: readonly string[]): Promise<readonly string[]> => {
  const { fields } = withHierarchies(
    fieldsOf({ id: 'keyword', code: 'keyword' }),
    new Map([['code', codes]]),
  );
  return hierarchyLines({ fields, search: searchOf(values.map((code, at) => ({ id: String(at), code }))) });
};

const head = 'hierarchy codes of code: 4 terms, 2 levels';

test('all values are terms', async (t) => {
  t.deepEqual(await linesOf(['a', 'a', 'b']), [
    head,
    '  100 % of the values in documents are terms (2 of 2 distinct ones)',
  ]);
});

test('values that are not terms, and obsolete ones, are listed with their counts', async (t) => {
  t.deepEqual(await linesOf(['a', 'x', 'old', 'old', 'older', 'y', 'y']), [
    head,
    '  57.1 % of the values in documents are terms (3 of 5 distinct ones)',
    '  no terms: y (2); x (1)',
    '  obsolete: old, replaced by a Apple (2); older, without a replacement (1)',
  ]);
});

test('of many such values the ten most frequent are listed', async (t) => {
  const values = Array.from({ length: 12 }, (_, at) =>
    Array.from({ length: 12 - at }, () => `x${at}`),
  ).flat();
  t.is(
    (await linesOf(values))[2],
    '  no terms: x0 (12); x1 (11); x2 (10); x3 (9); x4 (8); x5 (7); x6 (6); x7 (5); x8 (4); x9 (3); and 2 more',
  );
});

test('a field without values', async (t) => {
  t.deepEqual(await linesOf([]), [head, '  no document has a value']);
});
