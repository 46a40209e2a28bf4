import test from 'ava';
import type { Source } from '../../../portal/src/api/config.ts';
import type { Question } from '../../../portal/src/api/questions.ts';
import { curlOf } from '../../../portal/src/explore/sentence/curl.ts';

const network = { kind: 'network', path: 'network', documentType: 'donor' } as Source;
const catalogue = { kind: 'catalogue', path: 'lyon', documentType: 'participant' } as Source;
const filter: Question['filter'] = { op: 'in', content: { fieldName: 'name', value: ["d'Arc"] } };

/** What the line sends, as a shell reads it. */
const sentBy = (line: string): unknown => JSON.parse(/ -d '(.*)'$/s.exec(line)![1]!.replaceAll("'\\''", "'"));

test('a line queries the institutions that the page queries', (t) => {
  const selection =
    'total partial nodes { nodeId hits state } hits(first: 5) { edges { nodeId node { id } } }';
  t.deepEqual(sentBy(curlOf('http://127.0.0.1/', network, { filter, nodes: ['lyon'] })), {
    query: `query ($filters: JSON, $nodes: [String]) { network(filters: $filters, nodesFilter: $nodes) { ${selection} } }`,
    variables: { filters: filter, nodes: ['lyon'] },
  });
  t.deepEqual(sentBy(curlOf('http://127.0.0.1/', network, { filter: null, nodes: null })), {
    query: `query ($filters: JSON) { network(filters: $filters) { ${selection} } }`,
    variables: { filters: null },
  });
});

test('a catalogue is queried under the name of its documents, and a quote is escaped', (t) => {
  const line = curlOf('https://example.org/search/', catalogue, { filter, nodes: null });
  t.true(
    line.startsWith(
      "curl -s https://example.org/search/lyon/graphql -H 'content-type: application/json' -d '",
    ),
  );
  t.deepEqual(sentBy(line), {
    query:
      'query ($filters: JSON) { participant { hits(filters: $filters, first: 5) { total edges { node { id } } } } }',
    variables: { filters: filter },
  });
});

test('a token has a place in the line, and is not in it', (t) => {
  const line = curlOf('http://127.0.0.1/', network, { filter: null, nodes: null }, true);
  t.true(line.includes(' -H "authorization: Bearer $TOKEN" '));
});
