import test from 'ava';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import type { Fields } from '../../../src/introspection/fields/field.ts';
import type { SearchFn } from '../../../src/search/query.ts';
import type { Row } from '../collection.ts';
import { fieldsOf, searchOf } from '../collection.ts';
import { catalogueOf } from '../remote-server.ts';
import { ask, testNetwork } from '../../builders.ts';

const catalogues: Readonly<Record<string, { readonly fields: Fields; readonly rows: readonly Row[] }>> = {
  words: {
    fields: fieldsOf({ id: 'keyword', name: 'keyword', size: 'long' }),
    rows: [
      { id: 'w1', name: 'b', size: 3 },
      { id: 'w2', name: 'a', size: 4 },
    ],
  },
  prose: {
    fields: fieldsOf({ id: 'keyword', name: 'text', size: 'long' }),
    rows: [
      { id: 'p1', name: 'a tale', size: 2 },
      { id: 'p2', name: 'z', size: 1 },
    ],
  },
};

/** Refuses, as every server does, to sort by text. */
const refusing = (id: string): SearchFn => {
  const { fields, rows } = catalogues[id]!;
  return (query, context) =>
    query.hits?.sort.some(({ fieldName }) => fields.get(fieldName)?.kind === 'text')
      ? Promise.reject(new TributaryError('BAD_USER_INPUT', 'text cannot be sorted by'))
      : searchOf(rows)(query, context);
};

test('a node whose field is text is sorted by the other keys, its rows placed like those without a value', async (t) => {
  const nodes = Object.entries(catalogues).map(([nodeId, { fields }]) => ({
    nodeId,
    catalogue: catalogueOf(nodeId, fields, refusing(nodeId)),
  }));
  const network = await testNetwork(t, nodes, { network: {} });
  const { data, errors, warnings } = await ask(
    network,
    `{ network {
      partial nodes { nodeId status errors uncoveredFields }
      hits(sort: [{ fieldName: "name" }, { fieldName: "size" }]) { edges { node { id name } } }
    } }`,
  );
  t.is(errors, undefined);
  t.deepEqual(data.network, {
    partial: false,
    nodes: [
      { nodeId: 'prose', status: 'OK', errors: '', uncoveredFields: ['name'] },
      { nodeId: 'words', status: 'OK', errors: '', uncoveredFields: [] },
    ],
    hits: {
      edges: [
        { node: { id: 'p2', name: 'z' } },
        { node: { id: 'p1', name: 'a tale' } },
        { node: { id: 'w2', name: 'a' } },
        { node: { id: 'w1', name: 'b' } },
      ],
    },
  });
  t.deepEqual(warnings, [
    'node "prose" cannot sort by "name", which is text there: its rows are placed like those without a value',
  ]);
});
