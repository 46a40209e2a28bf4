import test from 'ava';
import { Columns } from '../../../../../src/engines/embedded/columns/columns.ts';
import { readRow } from '../../../../../src/engines/embedded/columns/row.ts';
import { filterRunner } from '../../../../../src/engines/embedded/query/filter/filter.ts';
import { kindOf, type Field } from '../../../../../src/introspection/fields/field.ts';
import { group, leaf } from '../../../../../src/sqon/ast.ts';
import { compileSqon } from '../../../../../src/sqon/compile.ts';
import { countBits } from '../../../../../src/engines/embedded/columns/bitset.ts';

const properties = { name: 'keyword', size: 'long' };
const fields = new Map(
  Object.entries(properties).map(([path, type]): [string, Field] => [
    path,
    {
      path,
      type,
      kind: kindOf(type),
      nestedIn: [],
      isArray: false,
      indexField: { path, type, nestedIn: [] },
    },
  ]),
);

for (const [what, path, value] of [
  ['names', 'name', (at: number) => `n${at}`],
  ['beginnings of names', 'name', (at: number) => `n${at}*`],
  ['sizes', 'size', (at: number) => at],
] as const)
  test(`a thousand ${what} that are alternatives are one pass over the records`, (t) => {
    const columns = new Columns({
      properties: Object.fromEntries(Object.entries(properties).map(([name, type]) => [name, { type }])),
    });
    for (let at = 3_000; at < 6_000; at++)
      columns.append(at + 1, `d${at}`, readRow(columns.tree, { name: `n${at}`, size: at }, true));
    columns.seal();
    let checkpoints = 0;
    const run = filterRunner(columns, () => void checkpoints++);
    const content = Array.from({ length: 1_000 }, (_, at) => leaf('in', path, [value(3_000 + 2 * at)]));
    t.is(countBits(run(compileSqon(group('or', content), fields), columns.root)), 1_000);
    t.true(checkpoints < 10, `${checkpoints}`);
  });
