import type { Source } from '../../api/config.ts';
import type { Filter } from '../../api/filter.ts';

/**
 * A line for a terminal that asks how many records match, and the first of them.
 * @param needsToken leaves a place for one: that of the page is not written where others look
 */
export const curlOf = (
  base: string,
  { kind, path, documentType }: Source,
  filter: Filter | null,
  needsToken = false,
): string => {
  const query =
    kind === 'network'
      ? 'query ($filters: JSON) { network(filters: $filters) { total partial nodes { nodeId hits state } hits(first: 5) { edges { nodeId node { id } } } } }'
      : `query ($filters: JSON) { ${documentType} { hits(filters: $filters, first: 5) { total edges { node { id } } } } }`;
  const body = JSON.stringify({ query, variables: { filters: filter } });
  const token = needsToken ? ' -H "authorization: Bearer $TOKEN"' : '';
  return `curl -s ${base}${path}/graphql -H 'content-type: application/json'${token} -d '${body.replaceAll("'", "'\\''")}'`;
};
