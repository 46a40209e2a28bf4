import test from 'ava';
import { Columns } from '../../../../src/engines/embedded/columns/columns.ts';
import { readRow } from '../../../../src/engines/embedded/columns/row.ts';
import { pageOf } from '../../../../src/engines/embedded/query/page.ts';
import { searchReply } from '../../../../src/engines/embedded/threads/answer-search.ts';
import { decodeFacet } from '../../../../src/engines/embedded/threads/messages.ts';
import { all } from '../../../../src/sqon/filter.ts';

/** More than one chunk holds. */
const many = 70_000;

test('a number is one bucket, whether or not larger ones past 2^53 are stored near it', async (t) => {
  const columns = new Columns({ properties: { n: { type: 'long' } } });
  for (let at = 0; at < many; at += 1)
    columns.append(
      at + 1,
      `d${at}`,
      readRow(columns.tree, { n: at === 0 ? '9007199254740993' : at % 2 }, true),
    );
  columns.seal();
  const reply = searchReply(
    columns,
    { generation: '', index: 'one', incarnation: 'first' },
    { text: () => '{}', document: () => ({}) },
    {
      facets: [
        {
          field: { path: 'n', type: 'long', nestedIn: [] },
          filter: all,
          objects: {},
          measure: { kind: 'terms', size: null },
        },
      ],
    },
  );
  t.deepEqual(await decodeFacet(reply.facets[0]!), {
    kind: 'terms',
    buckets: [
      { key: '1', count: many / 2 },
      { key: '0', count: many / 2 - 1 },
      { key: '9007199254740993', count: 1 },
    ],
    distinct: 3,
    missing: 0,
  });
});

test('a document with very many numbers is sorted by one of them', (t) => {
  const columns = new Columns({ properties: { n: { type: 'long' } } });
  const numbers = Array.from({ length: 200_000 }, (_, at) => at + 1);
  for (const [at, n] of [numbers, 0].entries())
    columns.append(at + 1, `d${at}`, readRow(columns.tree, { n }, true));
  columns.seal();
  const field = { path: 'n', type: 'long', nestedIn: [] };
  const page = pageOf(columns, columns.live, {
    sort: [{ field, order: 'asc', missing: 'last', mode: 'max' }],
    ...{ searchAfter: null, offset: 0, size: 2 },
  });
  t.deepEqual([...page], [1, 0]);
});
