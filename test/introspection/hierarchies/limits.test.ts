import test from 'ava';
import { groups } from '../../../src/search/facets/groups.ts';
import { buildHierarchy } from '../../../src/introspection/hierarchies/build-hierarchy.ts';
import { withHierarchies } from '../../../src/introspection/fields/field.ts';
import { readFields } from '../../../src/introspection/mapping/mapping.ts';
import { compileSqon } from '../../../src/sqon/compile.ts';
import { parseSqon } from '../../../src/sqon/parse.ts';

const term = (id: string, parents: readonly string[]) => ({
  ...{ id, label: id, synonyms: [], parents, obsolete: false, replacedBy: null },
});
const hierarchy = buildHierarchy(
  'codes',
  [term('root', []), ...Array.from({ length: 3_000 }, (_, at) => term(`c${at}`, ['root']))],
  'codes.csv',
);
const { fields } = withHierarchies(
  readFields({ code: { type: 'keyword' } }).fields,
  new Map([['code', hierarchy]]),
);

test('a filter of many large branches is refused before it takes the memory of the process', (t) => {
  const under = { op: 'under', content: { fieldName: 'code', value: ['root'] } };
  const filter = (count: number) =>
    parseSqon({ op: 'or', content: Array.from({ length: count }, () => under) });
  t.notThrows(() => compileSqon(filter(600), fields));
  t.throws(() => compileSqon(filter(700), fields), { message: /too many terms together/ });
});

test('so are sets of values', (t) => {
  const context = { field: fields.get('code')!, fields, nestingPrefix: null, includeMissing: false };
  const sets = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ key: String(at), under: ['root'] }));
  t.notThrows(() => groups.toEngine({ kind: 'groups', sets: sets(600) }, context));
  t.throws(() => groups.toEngine({ kind: 'groups', sets: sets(700) }, context), {
    message: /more than 2000000 values together/,
  });
});
