import test from 'ava';
import { Columns } from '../../../../src/engines/embedded/columns/columns.ts';
import { readRow } from '../../../../src/engines/embedded/columns/row.ts';
import type { DocumentSource } from '../../../../src/engines/embedded/query/search.ts';
import { readFields } from '../../../../src/introspection/mapping/mapping.ts';
import { compileSqon } from '../../../../src/sqon/compile.ts';
import { parseSqon } from '../../../../src/sqon/parse.ts';
import { search } from '../../../../src/engines/embedded/query/search.ts';
import type { CursorValue } from '../../../../src/engines/engine.ts';
import { uninterrupted } from '../../../../src/engines/embedded/columns/search-run.ts';

// Documents fall out of a range relative to now while nothing is written.

const mapping = { properties: { at: { type: 'date' }, name: { type: 'keyword' } } };
const columns = new Columns(mapping);
for (let number = 1; number <= 20; number++) {
  const document = { at: new Date(number * 1_000).toISOString(), name: `n${number}` };
  columns.append(number, `d${number}`, readRow(columns.tree, document, true));
}
columns.seal();

const noDocument = (): never => {
  throw new Error('no document is read');
};
const source: DocumentSource = { text: noDocument, document: noDocument };
const { fields } = readFields(mapping.properties);
const recent = parseSqon({ op: 'gte', content: { fieldName: 'at', value: 'now-2s' } });

const realNow = Date.now;
test.afterEach.always(() => {
  Date.now = realNow;
});
const at = (nowMs: number): void => {
  Date.now = () => nowMs;
};

test.serial('the number of values follows the clock', (t) => {
  const field = { path: 'name', type: 'keyword', nestedIn: [] };
  const valuesNow = (): unknown => {
    const filter = compileSqon(recent, fields);
    return search(
      columns,
      source,
      {
        facets: [{ field, filter, objects: {}, measure: { kind: 'cardinality' } }],
      },
      uninterrupted,
    ).facets.map((facet) => facet?.kind === 'cardinality' && facet.value);
  };
  at(12_000);
  t.deepEqual(valuesNow(), [11]);
  at(15_000);
  t.deepEqual(valuesNow(), [8]);
});

test.serial('a later page has nothing that was found under an earlier now', (t) => {
  let searchAfter: readonly CursorValue[] | null = null;
  const nextPage = (): readonly string[] => {
    const filter = compileSqon(recent, fields);
    const hits = { filter, size: 2, offset: 0, sort: [], searchAfter, source: [], trackTotal: false };
    const { page } = search(columns, source, { hits, facets: [] }, uninterrupted);
    searchAfter = page.at(-1)!.cursor;
    return page.map(({ ordinal }) => columns.idOf(ordinal));
  };
  at(12_000);
  t.deepEqual(nextPage(), ['d10', 'd11']);
  t.deepEqual(nextPage(), ['d12', 'd13']);
  at(17_000);
  t.deepEqual(nextPage(), ['d15', 'd16']);
});
