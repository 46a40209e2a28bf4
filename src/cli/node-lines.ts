import type { CatalogueState } from '../local/catalogue.ts';
import type { NetworkConfig } from '../federation/nodes.ts';

/** One line for each catalogue: what it is and whether it can be searched. */
export const catalogueLines = (states: readonly CatalogueState[]): string[] =>
  states.map(({ config, ...state }) => {
    const name = `  catalogue ${config.catalogueId}${config.documentType === '' ? '' : ` (${config.documentType})`}`;
    return state.status === 'failed' ? `${name}: failed, ${state.error.message}` : `${name}: available`;
  });

/** One line for the network. */
export const networkLine = (network: NetworkConfig): string => {
  const remote = network.nodes.filter(({ source }) => source.kind === 'remote').length;
  return `  network ${network.displayName}: ${network.nodes.length} nodes, ${remote} of them remote`;
};

/** Three things to try: two addresses for a browser and one query for a terminal. */
export const thingsToTry = (
  url: string,
  states: readonly CatalogueState[],
  network: NetworkConfig | null,
): string[] => {
  const first = states.find(({ status }) => status === 'available');
  const own =
    states.length === 1 || first === undefined
      ? '/graphql'
      : `/${encodeURIComponent(first.config.catalogueId)}/graphql`;
  const path = network === null ? own : '/network/graphql';
  const query =
    network === null
      ? `{ ${first?.config.documentType ?? '__typename'} { hits(first: 3) { total edges { node { id } } } } }`
      : '{ network { total nodes { name hits status } } }';
  return [
    `  ${url}${path}   GraphiQL, in a browser`,
    `  ${url}/introspection   what can be searched`,
    `  curl -s ${url}${path} -H 'content-type: application/json' -d '${JSON.stringify({ query })}'`,
  ];
};
