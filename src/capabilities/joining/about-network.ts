import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { NetworkConfig } from '../../federation/config/nodes.ts';
import type { Network } from '../../federation/network.ts';
import type { Field } from '../../introspection/fields/field.ts';
import { lowerOf } from '../../search/count.ts';
import type { FacetAnswer, FailedFacet } from '../../search/nodes-answer.ts';
import { plainQuery, type FacetRequest } from '../../search/query.ts';
import { RequestContext, Trace, type Caller } from '../../search/request-context.ts';
import type { AboutNetwork } from './handshake.ts';

type AboutField = AboutNetwork['fields'][number];
type Known = Pick<AboutField, 'values' | 'range'>;

const maxFields = 2_000;
/** The maximum number of measured fields, of values for each, and of values that nodes.json names. */
const maxMeasured = 200;
const maxValues = 40;
const maxNamed = 1_000;
const maxLength = 80;
/** Limits for the fields and for their values: in base64, both must fit one message of a handshake. */
const maxFieldBytes = 100_000;
const maxValueBytes = 45_000;
/** Networks with more fields send no descriptions. */
const maxDescribed = 500;
/** Less than the time limit of a handshake. */
const measuringMs = 4_000;

/** How long the result is kept while the nodes are unchanged: waiting members dial every few seconds. */
const keptMs = 30_000;

/** What a network discloses about itself, recomputed when its nodes or their states change. */
export const keptAbout = (
  network: () => Network | null,
  anonymous: () => Caller | null,
): (() => Promise<AboutNetwork>) => {
  let kept: { readonly atMs: number; readonly of: unknown; readonly shown: Promise<AboutNetwork> } | null =
    null;
  return () => {
    const now = network();
    const of = now?.nodes().map(({ config, status }) => [config, status.kind]);
    if (kept === null || performance.now() - kept.atMs > keptMs || !isDeepStrictEqual(kept.of, of))
      kept = { atMs: performance.now(), of, shown: aboutNetwork(now, anonymous()) };
    return kept.shown;
  };
};

/**
 * What a network discloses to invited nodes: its fields, the values that its entries name, and, for nodes that show their
 * records, the most frequent values and ranges that are public. Nothing of nodes that withhold records.
 * @param anonymous a caller without a token; null: only what nodes.json names is shown
 */
export const aboutNetwork = async (
  network: Network | null,
  anonymous: Caller | null,
): Promise<AboutNetwork> => {
  if (network === null) return { displayName: '', documentType: null, fields: [] };
  const { displayName, portal } = network.state();
  const described = new Map(portal.configs.extended.map((entry) => [entry.fieldName, entry]));
  const spellings = spellingsIn(network.config);
  const isDescribed = (text = ''): boolean =>
    text !== '' && text.length <= maxLength && portal.fields.size <= maxDescribed;
  const fields = [...portal.fields.values()].slice(0, maxFields);
  const known = anonymous === null ? new Map<string, Known>() : await measured(network, fields, anonymous);
  const shown = fields.map(({ path, type }): AboutField => {
    const { displayName: label, unit, description } = described.get(path) ?? {};
    const { range } = known.get(path) ?? {};
    return {
      ...{ name: path, type },
      ...(label != null && { label }),
      ...(unit != null && { unit }),
      ...(isDescribed(description) && { description }),
      ...(range !== undefined && { range }),
    };
  });
  const valuesOf = fields.flatMap(({ path }): (readonly [string, readonly string[]])[] => {
    const named = spellings.get(path)?.slice(0, maxNamed) ?? [];
    const all = [...new Set([...named, ...(known.get(path)?.values ?? [])])];
    return all.length === 0 ? [] : [[path, all]];
  });
  const values = new Map(within(valuesOf, maxValueBytes));
  return {
    displayName,
    documentType: network.config.documentType ?? null,
    fields: within(shown, maxFieldBytes).map((field) => {
      const own = values.get(field.name);
      return own === undefined ? field : { ...field, values: [...own] };
    }),
  };
};

/** The values of the network that nodes' entries translate to, by the network's path. */
const spellingsIn = ({ nodes }: NetworkConfig): ReadonlyMap<string, readonly string[]> => {
  const spellings = new Map<string, Set<string>>();
  for (const { values } of nodes)
    for (const [path, listed] of values)
      for (const value of listed.values()) spellings.set(path, (spellings.get(path) ?? new Set()).add(value));
  return new Map([...spellings].map(([path, values]) => [path, [...values]]));
};

/** The items of a list that fit into this many bytes of JSON. */
const within = <One>(list: readonly One[], maxBytes: number): readonly One[] => {
  let left = maxBytes;
  return list.filter((one) => {
    const bytes = Buffer.byteLength(JSON.stringify(one)) + 1;
    if (bytes > left) return false;
    left -= bytes;
    return true;
  });
};

/** What a caller without a token sees of the nodes that show them records; empty if the query fails. */
const measured = async (
  network: Network,
  fields: readonly Field[],
  caller: Caller,
): Promise<ReadonlyMap<string, Known>> => {
  const catalogue = network.catalogue();
  const only = openNodes(network);
  const counted = fields.filter(({ kind }) => kind === 'keyword' || kind === 'number').slice(0, maxMeasured);
  if (catalogue === null || only.length === 0 || counted.length === 0) return new Map();
  const facets = counted.map(({ path, kind }): FacetRequest => ({
    field: path,
    measure: kind === 'number' ? { kind: 'stats' } : { kind: 'terms', max: maxValues, distinct: false },
  }));
  const signal = AbortSignal.timeout(measuringMs);
  const context = new RequestContext({ requestId: randomUUID(), caller, trace: new Trace(), signal });
  try {
    const answer = await catalogue.search({ ...plainQuery, facets, nodes: { only, required: [] } }, context);
    return new Map(counted.map(({ path }, at) => [path, knownBy(answer.facets[at])]));
  } catch {
    // callers without a token may see nothing, or no node answers in time: names are compared without values
    return new Map();
  }
};

/** The catalogues that show records to callers without a token. Institutions of a network may not. */
const openNodes = (network: Network): readonly string[] => {
  const withheld = network.state().nodes.filter(({ disclosure }) => disclosure !== null);
  const closed = new Set(withheld.map(({ nodeId }) => nodeId));
  return network.nodes().flatMap(({ config: { nodeId }, status }) => {
    const isOpen = status.kind === 'up' && !closed.has(nodeId) && status.isNetwork !== true;
    return isOpen ? [nodeId] : [];
  });
};

/** Values of more than one record: others are ids, titles or persons. */
const knownBy = (facet: FacetAnswer | FailedFacet | undefined): Known => {
  if (facet?.kind === 'terms')
    return {
      values: facet.buckets
        .filter(({ key, count }) => lowerOf(count) > 1 && String(key).length <= maxLength)
        .map(({ key }) => String(key)),
    };
  if (facet?.kind !== 'stats' || facet.min === null || facet.max === null) return {};
  return { range: [Number(facet.min), Number(facet.max)] };
};
