import type { Source } from '../../api/config.ts';
import type { Question } from '../../api/questions.ts';

/**
 * A line for a terminal that queries the same institutions for the number of matching records and the first of them.
 * @param needsToken leaves a placeholder for a token: the page's own must not appear where others may see it
 */
export const curlOf = (base: string, source: Source, question: Question, needsToken = false): string => {
  const body = JSON.stringify(
    source.kind === 'network' ? ofNetwork(question) : ofCatalogue(source, question),
  );
  const token = needsToken ? ' -H "authorization: Bearer $TOKEN"' : '';
  return `curl -s ${base}${source.path}/graphql -H 'content-type: application/json'${token} -d '${body.replaceAll("'", "'\\''")}'`;
};

const ofNetwork = ({ filter, nodes }: Question): object => {
  const selection =
    'total partial nodes { nodeId hits state } hits(first: 5) { edges { nodeId node { id } } }';
  return nodes === null
    ? {
        query: `query ($filters: JSON) { network(filters: $filters) { ${selection} } }`,
        variables: { filters: filter },
      }
    : {
        query: `query ($filters: JSON, $nodes: [String]) { network(filters: $filters, nodesFilter: $nodes) { ${selection} } }`,
        variables: { filters: filter, nodes },
      };
};

const ofCatalogue = ({ documentType }: Source, { filter }: Question): object => ({
  query: `query ($filters: JSON) { ${documentType} { hits(filters: $filters, first: 5) { total edges { node { id } } } } }`,
  variables: { filters: filter },
});
