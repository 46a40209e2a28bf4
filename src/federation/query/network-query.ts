import type {
  FacetMeasure,
  SortRequest,
  UnshownPart,
  FacetRequest,
  CatalogueHit,
} from '../../search/query.ts';
import { unshownByBoth } from '../../search/query.ts';
import type { CursorValue } from '../../engines/engine.ts';
import type { Sqon, SqonLeaf } from '../../sqon/ast.ts';
import { constant, group, isMembership, isSpecialValue, leaf } from '../../sqon/ast.ts';
import { allConditions } from '../../sqon/rewrite.ts';
import { listBeside } from '../../search/facets/cardinality.ts';
import type { Fields, Field } from '../../introspection/fields/field.ts';
import { badUserInput, type TributaryError } from '../../lib/errors/errors.ts';

/** One query to the network, using the network's names. */
export interface NodesQuery {
  readonly filters: Sqon | null;
  readonly filterThemselves: boolean;
  readonly includeMissing: boolean;
  /** Node ids; null for all nodes. */
  readonly only: ReadonlySet<string> | null;
  /** Each measure of each field once. */
  readonly facets: readonly NetworkFacet[];
  /** null when neither hits nor their total were requested. */
  readonly hits: NetworkPage | null;
}

export interface NetworkFacet {
  readonly path: string;
  readonly measure: FacetMeasure;
  /** How many buckets of a list of values the client is shown; null: all; unset: none, it is not such a list. */
  readonly shown?: number | null;
  /** Whether the client is shown how far the counts can be trusted. */
  readonly bounded?: true;
  /** See FacetRequest. */
  readonly unshown?: readonly UnshownPart[];
  /** Whether each node's part in a bucket was requested. */
  readonly parted?: true;
}

export interface NetworkPage {
  readonly first: number;
  readonly offset: number;
  readonly sort: readonly SortRequest[];
  /** Where each node resumes; null for the first page. */
  readonly after: NetworkCursor | null;
  readonly trackTotal: boolean;
  /** Whether the client is shown how far the total can be trusted, wherever the total is shown. */
  readonly bounded?: true;
  /** Network paths of the requested values. */
  readonly fields: readonly string[];
  /** Nested paths that are shown whole, including objects without any of these values; unset: none. */
  readonly objects?: readonly string[];
}

/** The position after an edge: for each node that contributed a row up to it, the cursor of that node's last row. */
export type NetworkCursor = ReadonlyMap<string, readonly CursorValue[]>;

/** Counts the hits, and returns none. */
export const countOnlyPage: NetworkPage = {
  first: 0,
  offset: 0,
  sort: [],
  after: null,
  trackTotal: true,
  fields: [],
};

/** The facets requested from the nodes, and where the answer to each request is. */
export interface NetworkFacets {
  readonly facets: readonly NetworkFacet[];
  /** For each request, the index of its answer. */
  readonly indexes: readonly number[];
}

/**
 * The facets of a network query: lists of one field that differ only in length become one, the longest, and measures that
 * are merged by means of others get these in addition.
 */
export const networkFacets = (requests: readonly FacetRequest[], fields: Fields): NetworkFacets => {
  const facets: NetworkFacet[] = [];
  const known = new Map<string, number>();
  const add = ({ field: path, measure, bounded, unshown: unshownHere, parted }: FacetRequest): number => {
    const key = JSON.stringify([path, withoutLength(measure)]);
    const before = facets[known.get(key) ?? -1];
    const isShownWhole = bounded === true && before?.bounded !== undefined;
    const isBounded = known.has(key) ? isShownWhole : bounded === true;
    const unshown = before ? unshownByBoth(before.unshown, unshownHere) : (unshownHere ?? []);
    const index = known.get(key) ?? facets.push({ path, measure }) - 1;
    known.set(key, index);
    const both = longer(facets[index]!.measure, measure);
    const most = mostShown(facets[index]!.shown, shownOf(measure));
    const isParted = parted === true || facets[index]!.parted === true;
    facets[index] = {
      path,
      measure: both,
      ...(most !== undefined && { shown: most }),
      ...(isBounded && { bounded: true }),
      ...(unshown.length > 0 && { unshown }),
      ...(isParted && { parted: true }),
    };
    return index;
  };
  const indexes = requests.map(add);
  for (const { field, measure } of requests) {
    const list = measure.kind === 'cardinality' ? listBeside(fields.get(field)?.kind ?? 'json') : null;
    if (list !== null && !facets.some(({ path, measure: asked }) => path === field && isFixedList(asked)))
      add({ field, measure: list, bounded: true, unshown: ['key_as_string', 'estimate'] });
  }
  return { facets, indexes };
};

/** A list of all values that is not made longer: it is not shown, so nodes give all of it, or holds more than counts. */
const isFixedList = (measure: FacetMeasure): boolean =>
  measure.kind === 'terms' &&
  measure.matching === undefined &&
  (measure.listed === false || measure.topHits !== undefined || measure.filters !== undefined);

/** See NetworkFacet. */
type Shown = NetworkFacet['shown'];

/** A list that is requested to count values is not shown. */
const shownOf = (measure: FacetMeasure): Shown =>
  measure.kind === 'terms' && measure.listed !== false && measure.counting !== true ? measure.max : undefined;

const mostShown = (a: Shown, b: Shown): Shown => {
  if (a === null || b === null) return null;
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
};

const withoutLength = (measure: FacetMeasure): unknown =>
  measure.kind === 'terms'
    ? { ...measure, max: null, distinct: true, listed: true, counting: undefined }
    : measure;

/** One list that serves both. */
const longer = (left: FacetMeasure, right: FacetMeasure): FacetMeasure => {
  if (left === right || left.kind !== 'terms' || right.kind !== 'terms') return left;
  const lists = [left, right].filter(({ listed }) => listed !== false);
  const maxima = (lists.length === 0 ? [left] : lists).map(({ max }) => max);
  const { matching, topHits, filters } = left;
  return {
    kind: 'terms',
    ...(matching !== undefined && { matching }),
    ...(left.counting && right.counting && { counting: true }),
    ...(topHits && { topHits }),
    ...(filters && { filters }),
    max: maxima.includes(null) ? null : Math.max(...maxima.map((max) => max ?? 0)),
    ...(left.distinct === false && right.distinct === false && { distinct: false }),
    ...(lists.length === 0 && { listed: false }),
  };
};

/**
 * The key of a hit over all nodes: `<nodeId>/<id>`, both percent-encoded, with its key there for a node that is a network.
 * No two hits share one.
 */
export const hitKey = (nodeId: string, { id, key = id }: Pick<CatalogueHit, 'id' | 'key'>): string =>
  `${encodeURIComponent(nodeId)}/${encodeURIComponent(key)}`;

/** The key as a field: not in any node's mapping, for filters only. */
export const keyField: Field = {
  path: '_key',
  type: 'keyword',
  kind: 'keyword',
  nestedIn: [],
  isArray: false,
  indexField: { path: '_key', type: 'keyword', nestedIn: [] },
};

/** Every node can be filtered by it. */
const idPath = 'id';

/** A condition on keys as a condition on the ids of a node, or on the keys of a node that is a network. */
export const keyLeaf = ({ op, values, at }: SqonLeaf, nodeId: string, isNetwork = false): Sqon => {
  const prefix = `${encodeURIComponent(nodeId)}/`;
  const path = isNetwork ? keyField.path : idPath;
  const ids = values.flatMap((key) =>
    typeof key === 'string' && key.startsWith(prefix) ? decoded(key.slice(prefix.length)) : [],
  );
  if (!isMembership(op)) throw onlyMembership(op, at);
  const anyOf = (keys: readonly string[]): Sqon =>
    leaf(keys.some(isSpecialValue) ? 'is' : 'in', path, keys, null, at);
  switch (op) {
    case 'in':
    case 'is':
      return ids.length === 0 ? constant(false, at) : anyOf(ids);
    case 'all':
      return new Set(values).size === 1 && ids.length > 0 ? anyOf(ids.slice(0, 1)) : constant(false, at);
    // a hit has one key
    case 'not-in':
    case 'some-not-in':
      if (ids.length === 0) return constant(true, at);
      return ids.some(isSpecialValue)
        ? group('not', [anyOf(ids)], null, at)
        : leaf('not-in', path, ids, null, at);
  }
};

/** No hit has a key that cannot be decoded. */
const decoded = (text: string): readonly string[] => {
  try {
    return [decodeURIComponent(text)];
  } catch {
    return [];
  }
};

/** @throws TributaryError BAD_USER_INPUT for a filter on keys other than membership */
export const assertKeyUses = (sqon: Sqon): void => {
  for (const condition of allConditions(sqon)) {
    const names = condition.kind === 'leaf' ? [condition.fieldName] : condition.fieldNames;
    if (names.includes(keyField.path) && !isMembership(condition.op))
      throw onlyMembership(condition.op, condition.at);
  }
};

const onlyMembership = (op: string, at: string): TributaryError =>
  badUserInput(`filter at ${at}: ${op} does not fit "${keyField.path}", the key of a hit; use in or not-in`);
