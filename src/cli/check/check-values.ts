import type { Hierarchy } from '../../introspection/hierarchies/hierarchy.ts';
import { openSemaphore } from '../../lib/concurrency/locks.ts';
import { asTributaryError } from '../../lib/errors/errors.ts';
import { valueOfKey, type NodeView } from '../../federation/nodes/node-view.ts';
import { lowerOf } from '../../search/count.ts';
import type { SearchFn } from '../../search/query.ts';
import { firstOf } from '../../lib/text/escaped-text.ts';
import { RequestContext, thisServer, Trace } from '../../search/request-context.ts';

/** The values of one field at a node, each with its number of records. */
interface HeldValues {
  readonly nodeId: string;
  /** The translations in the node's entry. */
  readonly listed: ReadonlyMap<string, string>;
  readonly counts: ReadonlyMap<string, number>;
  /** Whether these are all of its values. */
  readonly isWhole: boolean;
}

/** Errors, and facts worth knowing. */
export interface Findings {
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

export const together = (found: readonly Findings[]): Findings => ({
  problems: found.flatMap(({ problems }) => problems),
  warnings: found.flatMap(({ warnings }) => warnings),
});

/**
 * Compares the `values` of the nodes with those in their records. Nodes that withhold their records are skipped:
 * nothing is known about them.
 */
export const checkValues = async (
  nodes: readonly NodeView[],
  hierarchies: ReadonlyMap<string, Hierarchy> = new Map(),
): Promise<Findings> => {
  const paths = [...new Set(nodes.flatMap(({ config }) => [...config.values.keys()]))];
  const slots = openSemaphore(atOnce);
  return together(
    await Promise.all(paths.map((path) => comparePath(path, nodes, slots, hierarchies.get(path)))),
  );
};

const comparePath = async (
  path: string,
  nodes: readonly NodeView[],
  slots: ReturnType<typeof openSemaphore>,
  hierarchy: Hierarchy | undefined,
): Promise<Findings> => {
  const shown = new Set(nodes.flatMap(({ config }) => [...(config.values.get(path)?.values() ?? [])]));
  const read = await Promise.all(nodes.map((node) => heldValues(path, node, slots)));
  const held = read.filter((one) => one !== null);
  return {
    problems: held.flatMap((one) => (typeof one === 'string' ? [] : reversed(path, one))),
    warnings: held.flatMap((one) =>
      typeof one === 'string' ? [one] : [...neverHeld(path, one), ...unmapped(path, one, shown, hierarchy)],
    ),
  };
};

/** The number of nodes that are queried at once, as each takes a connection. */
const atOnce = 64;

const maxValues = 1_000;

/** null if the node lists no values; a text: the reason why they are not known. */
const heldValues = async (
  path: string,
  { config, status, fieldMapping }: NodeView,
  slots: ReturnType<typeof openSemaphore>,
): Promise<HeldValues | string | null> => {
  const { nodeId } = config;
  const own = fieldMapping.toNode(path);
  if (status.kind === 'down' || fieldMapping.toNetwork(own) !== path) return null;
  const field = status.fields.get(own);
  if (field === undefined || !status.aggregates(field.path, 'terms')) return null;
  const end = await slots.acquire(new AbortController().signal);
  try {
    const found = status.withheld ? null : await valueCounts(status.search, field.path, maxValues);
    if (found === null) return null;
    const counts = new Map([...found].map(([key, count]) => [valueOfKey(key, field), count]));
    return {
      nodeId,
      listed: config.values.get(path) ?? new Map(),
      counts,
      isWhole: counts.size < maxValues,
    };
  } catch (error) {
    return `node ${nodeId}: values.${path} cannot be compared with its records: ${asTributaryError(error).message}`;
  } finally {
    end();
  }
};

/** How many records have each value of a field, the most frequent first; null if records are withheld. */
export const valueCounts = async (
  search: SearchFn,
  field: string,
  max: number,
): Promise<ReadonlyMap<string, number> | null> => {
  const measure = { kind: 'terms', max, distinct: false } as const;
  const answer = await search(
    {
      filters: null,
      filterThemselves: false,
      includeMissing: false,
      facets: [{ field, bounded: true, measure }],
      hits: null,
    },
    new RequestContext({ requestId: 'check', caller: thisServer, trace: new Trace() }),
  );
  const [facet] = answer.facets;
  if (answer.withheld || facet?.kind !== 'terms') return null;
  return new Map(facet.buckets.map(({ key, keyAsString, count }) => [keyAsString ?? key, lowerOf(count)]));
};

/** Translations whose target is a value of the node, but whose source is not. */
const reversed = (path: string, held: HeldValues): readonly string[] => {
  const { nodeId, listed, counts, isWhole } = held;
  if (!isWhole) return [];
  const reached = new Set([...listed].flatMap(([own, shown]) => (counts.has(own) ? [shown] : [])));
  const turned = [...listed].filter(
    ([own, shown]) => !counts.has(own) && counts.has(shown) && !listed.has(shown) && !reached.has(shown),
  );
  if (turned.length === 0) return [];
  const [[own, shown]] = turned as [[string, string]];
  const named = listOf(turned.map(([, one]) => counted(one, counts)));
  return [
    `node ${nodeId}: values.${path} is the wrong way round: the node holds ${named}; its own value comes first: ${JSON.stringify({ [shown]: own })}`,
  ];
};

const neverHeld = (path: string, held: HeldValues): readonly string[] => {
  const { nodeId, listed, counts, isWhole } = held;
  if (!isWhole || reversed(path, held).length > 0) return [];
  const missing = [...listed.keys()].filter((own) => !counts.has(own));
  return missing.length === 0
    ? []
    : [
        `node ${nodeId}: values.${path}: no record there has ${listOf(missing.map((own) => JSON.stringify(own)))}`,
      ];
};

/** Values that are shown unchanged, although no mapping of any node has them. */
const unmapped = (
  path: string,
  held: HeldValues,
  shown: ReadonlySet<string>,
  hierarchy: Hierarchy | undefined,
): readonly string[] => {
  const { nodeId, listed, counts } = held;
  if (reversed(path, held).length > 0) return [];
  const open = [...counts.keys()].filter(
    (own) => !listed.has(own) && !shown.has(own) && hierarchy?.indexOf(own) === undefined,
  );
  return open.length === 0
    ? []
    : [
        `node ${nodeId}: values.${path} of no node maps ${listOf(open.map((own) => counted(own, counts)))}: shown as it is`,
      ];
};

const counted = (value: string, counts: ReadonlyMap<string, number>): string =>
  `${JSON.stringify(value)} (${counts.get(value)})`;

const maxListed = 10;

const listOf = (texts: readonly string[]): string => firstOf(texts, maxListed);
