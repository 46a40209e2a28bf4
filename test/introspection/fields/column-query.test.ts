import test from 'ava';
import { columnQuery } from '../../../src/introspection/fields/field-config.ts';
import { readFields } from '../../../src/introspection/mapping/mapping.ts';

const keyword = { type: 'keyword' };
const { fields } = readFields({
  'call-number': keyword,
  press: { properties: { town: keyword, extra: { type: 'object' } } },
  copies: {
    type: 'nested',
    properties: { shelf: keyword, loans: { type: 'nested', properties: { reader: keyword } } },
  },
});

for (const [path, query, jsonPath] of [
  ['call-number', 'call_number', '$.call_number'],
  ['press.town', 'press { town }', '$.press.town'],
  ['press', 'press { town extra }', '$.press'],
  ['copies.shelf', 'copies { hits { edges { node { shelf } } } }', '$.copies.hits.edges[*].node.shelf'],
  [
    'copies.loans.reader',
    'copies { hits { edges { node { loans { hits { edges { node { reader } } } } } } } }',
    '$.copies.hits.edges[*].node.loans.hits.edges[*].node.reader',
  ],
  ['copies.hits.total', 'copies { hits { total } }', '$.copies.hits.total'],
  [
    'copies.loans.hits.total',
    'copies { hits { edges { node { loans { hits { total } } } } } }',
    '$.copies.hits.edges[*].node.loans.hits.total',
  ],
  ['no.where', 'no { where }', '$.no.where'],
] as const) {
  test(`${path} is selected as ${query}`, (t) => {
    t.deepEqual(columnQuery(path, fields), { query, jsonPath });
  });
}
