import type { Source } from '../../api/config.ts';
import type { Filter } from '../../api/filter.ts';

/** A line for a terminal that asks how many records match, and the first of them. */
export const curlOf = (base: string, { kind, path, documentType }: Source, filter: Filter | null): string => {
  const query =
    kind === 'network'
      ? 'query ($filters: JSON) { network(filters: $filters) { total partial nodes { nodeId hits state } hits(first: 5) { edges { nodeId node { id } } } } }'
      : `query ($filters: JSON) { ${documentType} { hits(filters: $filters, first: 5) { total edges { node { id } } } } }`;
  const body = JSON.stringify({ query, variables: { filters: filter } });
  return `curl -s ${base}${path}/graphql -H 'content-type: application/json' -d '${body.replaceAll("'", "'\\''")}'`;
};
