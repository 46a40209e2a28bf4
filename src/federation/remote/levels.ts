import { z } from 'zod';
import { isJsonObject } from '../../json/json.ts';
import type {
  BucketAnswer,
  FacetAnswer,
  FacetCoverage,
  NodeCount,
  NodesAnswer,
  NodeStatus,
  WithheldStatement,
} from '../../search/nodes-answer.ts';
import { isCount, malformedAnswer } from '../../facets/row/wire.ts';
import { nodeStates, coverageStates, type NodeState } from '../../search/node-states.ts';
import { MISSING } from '../../sqon/ast.ts';
import { errorCodes, type ErrorCode } from '../../errors/errors.ts';
import { errorDetails, keyForm, plainLine, withheldStatement } from './node-statements.ts';

/** The maximum number of nodes that a network may report. */
const maxNodes = 10_000;

const idForm = z.string().min(1).max(1_000);

/** The fields read for each node of a network. */
const statusFields = [
  'nodeId',
  'name',
  'hits',
  'upper_bound',
  'withheld',
  'disclosure',
  'status',
  'errors',
  'state',
  'code',
  'took',
  'uncoveredFields',
  'key',
] as const;

/** Fields that are only shown; the others are needed to merge, or are kept for the report about the network. */
const shownFields: ReadonlySet<string> = new Set([
  'upper_bound',
  'disclosure',
  'code',
  'took',
  'uncoveredFields',
]);

/** What is requested about a network's nodes. */
export interface NodesWanted {
  readonly isCounted: boolean;
  /** The fields shown of them; null: all. */
  readonly shown: ReadonlySet<string> | null;
}

/** The selection below the hits of a node that is a network, in addition to every node's selection. */
export const nodesSelection = ({ isCounted, shown }: NodesWanted): string => {
  const isWanted = (name: string): boolean => shown === null || !shownFields.has(name) || shown.has(name);
  const fields = statusFields.filter(
    (name) => isWanted(name) && (isCounted || (name !== 'hits' && name !== 'upper_bound')),
  );
  return `partial nodes { ${fields.join(' ')} }`;
};

/** The selection below its facets: for those whose coverage is shown, and for each list of values. */
export const facetSelection = {
  coverage: 'coverage { nodeId state docs reason }',
  lists: 'bucket_count_exact unlisted_upper_bound',
} as const;

/**
 * The outcome at the inner nodes of a network that was queried as a node.
 * @param hits the value of its field `hits`; @param aggregations the value of `aggregations`
 * @param nameOf the name of its facet for a path
 * @throws TributaryError NODE_BAD_RESPONSE naming the place
 */
export const readNodes = (
  hits: Readonly<Record<string, unknown>>,
  aggregations: Readonly<Record<string, unknown>>,
  nameOf: (path: string) => string,
): NodesAnswer => {
  const nodes = readStatuses(hits['nodes']);
  if (nodes === null) throw malformedAnswer(['hits', 'nodes']);
  return {
    // a claim to be complete does not outweigh a node that failed
    partial: hits['partial'] === true || nodes.some(({ status: one }) => one === 'ERROR'),
    statuses: nodes,
    coverage: (path) => {
      const facet = aggregations[nameOf(path)];
      const read = readCoverage(isJsonObject(facet) ? facet['coverage'] : undefined);
      return read ?? nodes.map((one) => coverageBy(one, path));
    },
  };
};

/** The coverage of a path without a facet. */
const coverageBy = ({ nodeId, state, hits, uncoveredFields }: NodeStatus, path: string): FacetCoverage => {
  if (state === 'excluded') return { nodeId, state: 'excluded', docs: null };
  if (state !== 'ok') return { nodeId, state: 'failed', docs: null };
  return uncoveredFields.includes(path)
    ? { nodeId, state: 'notCovered', docs: null }
    : { nodeId, state: 'answered', docs: hits };
};

const unansweredNodes = errorDetails(
  'ENGINE_UNAVAILABLE',
  z.object({
    nodes: z
      .array(z.object({ nodeId: idForm, state: z.enum(nodeStates), reason: z.string() }))
      .min(1)
      .max(maxNodes),
  }),
);

/** The nodes of a network none of which answered, as its error names them; null for other errors. */
export const silentNodes = (error: unknown): readonly NodeStatus[] | null =>
  unansweredNodes(error)?.nodes.map(({ nodeId, state, reason }) =>
    silentStatus(nodeId, state, shownText(reason)),
  ) ?? null;

/**
 * A network's facet with the bounds of its counts: how far to trust them, and its nodes' parts if requested.
 * @param value the facet as read into `result`; @param facet the whole answer for the field
 * @throws TributaryError NODE_BAD_RESPONSE naming the place below `field`
 */
export const withLevels = (
  result: FacetAnswer,
  value: unknown,
  facet: Readonly<Record<string, unknown>>,
  field: string,
): FacetAnswer => {
  switch (result.kind) {
    case 'terms': {
      const rows = value as readonly Row[];
      const most = facet['unlisted_upper_bound'];
      const bounds = {
        ...(typeof facet['bucket_count_exact'] === 'boolean' && { complete: facet['bucket_count_exact'] }),
        unlistedUpperBound: isCount(most) ? most : null,
      };
      // a copy of a plain list would have an object for each bucket
      if (rows.every(isPlain)) return Object.assign(result, bounds);
      // missing values come last, and are stored separately
      const last =
        rows.length === result.buckets.length ? -1 : rows.findLastIndex(({ key }) => key === MISSING);
      const listed = last < 0 ? rows : rows.toSpliced(last, 1);
      const missing = last < 0 ? undefined : partsOf(rows[last]!, [field, last]);
      return {
        ...result,
        buckets: withRows(result.buckets, listed, field),
        ...(missing && { missingNodes: missing }),
        ...bounds,
      };
    }
    case 'histogram':
    case 'date_histogram':
    case 'groups':
    case 'range': {
      const rows = (value as { readonly buckets: readonly Row[] }).buckets;
      return { ...result, buckets: withRows(result.buckets, rows, field) };
    }
    case 'stats':
    case 'cardinality':
    case 'percentiles':
    case 'survival':
      return result;
  }
};

type Row = Readonly<Record<string, unknown>>;

/** Whether a row adds nothing to its bucket as already read. */
const isPlain = ({ nodes, exact }: Row): boolean =>
  (nodes === undefined || nodes === null) && exact !== false;

const withRows = (
  buckets: readonly BucketAnswer[],
  rows: readonly Row[],
  field: string,
): readonly BucketAnswer[] =>
  buckets.map((bucket, index) => {
    const row = rows[index]!;
    const nodes = partsOf(row, [field, index]);
    const isOpen = row['exact'] === false && bucket.upperBound === undefined;
    if (!isOpen && nodes === undefined) return bucket;
    return { ...bucket, ...(isOpen && { upperBound: null }), ...(nodes && { nodes }) };
  });

const partsOf = ({ nodes }: Row, at: readonly PropertyKey[]): readonly NodeCount[] | undefined => {
  if (nodes === undefined || nodes === null) return undefined;
  if (!Array.isArray(nodes) || nodes.length > maxNodes) throw malformedAnswer([...at, 'nodes']);
  return (nodes as readonly unknown[]).map((part, index): NodeCount => {
    const { nodeId, doc_count: docs } = isJsonObject(part) ? part : {};
    if (typeof nodeId !== 'string' || !isCount(docs)) throw malformedAnswer([...at, 'nodes', index]);
    return { nodeId, count: docs };
  });
};

const countForm = z.int().nonnegative().nullish();

/** The release of a node that reports only that it withholds its records. */
const unnamedRelease: WithheldStatement = { tier: 'counts', threshold: 1, counted: '', date: null };

const statusForm = z.object({
  nodeId: idForm,
  name: z.string().nullish(),
  hits: countForm,
  upper_bound: countForm,
  withheld: z.boolean().nullish(),
  disclosure: withheldStatement.catch(unnamedRelease),
  status: z.enum(['OK', 'ERROR']).nullish(),
  errors: z.string().nullish(),
  state: z.enum(nodeStates),
  code: z
    .enum(Object.keys(errorCodes) as ErrorCode[])
    .nullish()
    .catch(null),
  took: countForm,
  uncoveredFields: z.array(z.string().max(1_000)).max(10_000).nullish(),
  key: keyForm.nullish().catch(null),
});

/**
 * Reads a network's report about its nodes.
 * @param listed the value of its field `nodes`, untrusted
 * @returns null if it is malformed
 */
export const readStatuses = (listed: unknown): readonly NodeStatus[] | null => {
  const parsed = z.array(statusForm).max(maxNodes).safeParse(listed);
  return parsed.success ? parsed.data.map(statusOf) : null;
};

const statusOf = (node: z.output<typeof statusForm>): NodeStatus => {
  const { nodeId, name, hits, upper_bound: upperBound, withheld, disclosure, errors } = node;
  return {
    nodeId,
    name: (name && shownText(name)) || nodeId,
    hits: hits ?? null,
    ...(withheld === true && { withheld: disclosure }),
    ...((withheld === true || (upperBound ?? hits) !== hits) && { upperBound: upperBound ?? null }),
    status: node.status ?? null,
    errors: errors ? shownText(errors) : '',
    state: node.state,
    code: node.code ?? null,
    took: node.took ?? 0,
    uncoveredFields: node.uncoveredFields ?? [],
    key: node.key ?? null,
  };
};

const coverageForm = z.object({
  nodeId: idForm,
  state: z.enum(coverageStates),
  docs: countForm,
  reason: z.string().nullable().optional().catch(null),
});

/**
 * Reads the nodes that contribute to a network's facet.
 * @param listed the value of its field `coverage`, untrusted
 * @returns null if it is malformed
 */
export const readCoverage = (listed: unknown): readonly FacetCoverage[] | null => {
  const parsed = z.array(coverageForm).max(maxNodes).safeParse(listed);
  if (!parsed.success) return null;
  return parsed.data.map(({ docs = null, reason, ...one }) => ({
    ...one,
    docs,
    ...(reason && { reason: shownText(reason) }),
  }));
};

/** A node of a network none of whose nodes answered. @param errors safe to show */
export const silentStatus = (nodeId: string, state: NodeState, errors: string): NodeStatus => ({
  ...{ nodeId, name: nodeId, hits: 0, status: 'ERROR', errors, state },
  ...{ code: null, took: 0, uncoveredFields: [], key: null },
});

const shownText = (text: string): string => plainLine(text).slice(0, 300);
