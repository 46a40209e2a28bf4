import { unmappedNames } from '../../introspection/fields/unknown-fields.ts';
import type { CatalogueState } from '../../search/catalogue.ts';
import type { NetworkConfig } from '../../federation/config/nodes.ts';
import type { PortalConfig } from '../../server/config/config.ts';
import { lookProblems } from '../../server/config/look-names.ts';
import type { Network, NetworkState } from '../../federation/network.ts';
import type { Fields } from '../../introspection/fields/field.ts';
import { escapedText } from '../../lib/text/escaped-text.ts';
import { plural } from '../../lib/text/plural.ts';

/** One line for each catalogue: its name and whether it can be searched. */
export const catalogueLines = (states: readonly CatalogueState[]): string[] =>
  states.map(({ config, ...state }) => {
    const name = `  catalogue ${config.catalogueId}${config.documentType === '' ? '' : ` (${config.documentType})`}`;
    return state.status === 'failed' ? `${name}: failed, ${state.error.message}` : `${name}: available`;
  });

/** The names in a catalogue's files that its mapping lacks; a portal would show them empty. */
export const unmappedLines = (state: CatalogueState): string[] =>
  state.status === 'failed'
    ? []
    : unmappedNames(state.catalogue.fields, state.config).map((problem) => `    ${problem}`);

/** Files left over from another index can have many such names. */
const maxUnmapped = 10;

/** Each catalogue, and the first names in its files that its mapping lacks. */
export const servedLines = (states: readonly CatalogueState[]): string[] =>
  states.flatMap((state) => {
    const unmapped = unmappedLines(state);
    const more = unmapped.length - maxUnmapped;
    return [
      ...catalogueLines([state]),
      ...unmapped.slice(0, maxUnmapped),
      ...(more > 0
        ? [`    and ${String(more)} more such ${plural(more, 'name')}: tributary check lists them`]
        : []),
    ];
  });

/** A network as its portal shows it, and its id there. */
export interface ShownNetwork {
  readonly id: string;
  readonly fields: Fields;
  /** Whether all of its nodes are known. */
  readonly isWhole: boolean;
}

/** What portal.json names and nothing here has; nothing while a catalogue or a node is not known, which may have it. */
export const lookLines = (
  look: PortalConfig['look'] | undefined,
  states: readonly CatalogueState[],
  networks: readonly ShownNetwork[],
): readonly string[] => {
  const available = states.filter((state) => state.status === 'available');
  const isWhole = available.length === states.length && networks.every((one) => one.isWhole);
  if (look === undefined || !isWhole) return [];
  const fields = [
    ...available.map(({ catalogue }) => catalogue.fields),
    ...networks.map((one) => one.fields),
  ];
  const sources = [...states.map(({ config }) => config.catalogueId), ...networks.map(({ id }) => id)];
  return lookProblems(look, { fields: new Set(fields.flatMap((one) => [...one.keys()])), sources }).map(
    (problem) => `  ${problem}`,
  );
};

/** The networks of a server as its portal shows them. */
export const shownNetworks = (networks: ReadonlyMap<string, Network>): readonly ShownNetwork[] =>
  [...networks].map(([id, one]) => {
    const { portal, nodes } = one.state();
    return { id, fields: portal.fields, isWhole: nodes.every(({ state }) => state === 'ok') };
  });

/** More lines about nodes that cannot be reached would hide everything else. */
const maxSilent = 20;

/** A network: how many of its nodes responded, then a line with the reason for each of the first that did not. */
export const networkLines = ({
  displayName,
  nodes,
}: Pick<NetworkState, 'displayName' | 'nodes'>): string[] => {
  const silent = nodes.filter(({ state }) => state !== 'ok');
  const answered = nodes.length - silent.length;
  return [
    `  network ${escapedText(displayName)}: ${answered} of ${nodes.length} ${plural(nodes.length, 'node')} answered`,
    ...silent.slice(0, maxSilent).map(({ nodeId, state, lastError }) => {
      const why = state === 'discovering' ? 'is still being discovered' : (lastError ?? state);
      return `    no answer from ${escapedText(nodeId)}: ${escapedText(why)}`;
    }),
    ...(silent.length > maxSilent
      ? [`    no answer from ${silent.length - maxSilent} more: GET /network lists them`]
      : []),
  ];
};

interface ServedThings {
  readonly url: string;
  readonly states: readonly CatalogueState[];
  readonly network: NetworkConfig | null;
  /** Whether the portal is served at `/`. */
  readonly hasPages: boolean;
}

/**
 * Suggestions: URLs for a browser, the portal first, and one query for a terminal, over the whole network if there is
 * one. If nothing can be queried, only the introspection, which contains the reasons.
 */
export const thingsToTry = ({ url, states, network, hasPages }: ServedThings): string[] => {
  const introspection = `  ${url}/introspection   what can be searched`;
  const available = states.find(({ status }) => status === 'available')?.config;
  if (network === null && available === undefined) return [introspection];
  const prefix = states.length === 1 ? '' : `/${encodeURIComponent(available?.catalogueId ?? '')}`;
  const withholds = available?.disclosure !== undefined && available.disclosure.default !== 'records';
  const hits = withholds
    ? 'hits { total upper_bound estimate }'
    : 'hits(first: 3) { total edges { node { id } } }';
  const [path, query] =
    network === null
      ? [`${prefix}/graphql`, `{ ${available?.documentType} { ${hits} } }`]
      : ['/network/graphql', '{ network { total upper_bound nodes { name hits upper_bound status } } }'];
  return [
    ...(hasPages ? [`  ${url}/   the portal, in a browser`] : []),
    `  ${url}${path}   GraphiQL, in a browser`,
    ...(network === null ? [] : [`  ${url}/network   the nodes, their state and their fields`]),
    introspection,
    `  curl -s ${url}${path} -H 'content-type: application/json' -d '${JSON.stringify({ query })}'`,
  ];
};
