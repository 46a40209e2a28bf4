import { z } from 'zod';
import { errorCodes, type ErrorCode } from '../../errors.ts';
import { withheldStatement } from './withheld-statement.ts';
import { keyForm } from './answer-origin.ts';
import { isJsonObject } from '../../json.ts';
import type { BucketAnswer, FacetAnswer, FacetCoverage, NodeCount } from '../../search/facet-answer.ts';
import { isCount, malformedAnswer } from '../../search/malformed-answer.ts';
import type { NodesAnswer, NodeStatus, WithheldStatement } from '../../search/nodes-answer.ts';
import { coverageStates, nodeStates } from '../../search/node-states.ts';
import { MISSING } from '../../sqon/ast.ts';

/** What is read of each node of a network, as far as the network gives it. */
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

/**
 * What is asked of the hits of a node that is a network, besides what is asked of every node.
 * @param given the fields that the network gives of its nodes
 */
export const nodesSelection = (given: ReadonlySet<string>, isCounted: boolean): string => {
  const asked = statusFields.filter(
    (name) => given.has(name) && (isCounted || (name !== 'hits' && name !== 'upper_bound')),
  );
  return `partial nodes { ${asked.join(' ')} }`;
};

/** What is asked of each of its facets. */
export const facetSelection = {
  every: 'coverage { nodeId state docs }',
  lists: 'bucket_count_exact unlisted_upper_bound',
} as const;

const codes = Object.keys(errorCodes) as ErrorCode[];
const count = z.int().nonnegative();
const id = z.string().min(1).max(1_000);
const text = z.string().transform((value) => oneLine(value).slice(0, 300));
const maxNodes = 10_000;

const status = z.object({
  nodeId: id,
  name: text.nullish(),
  hits: count.nullish(),
  upper_bound: count.nullish(),
  withheld: z.boolean().nullish(),
  disclosure: withheldStatement.nullish().catch(null),
  status: z.enum(['OK', 'ERROR']).nullish(),
  errors: text.nullish(),
  state: z.enum(nodeStates),
  code: z.enum(codes).nullish().catch(null),
  took: count.nullish(),
  uncoveredFields: z.array(z.string().max(1_000)).max(10_000).nullish(),
  key: keyForm.nullish().catch(null),
});
const statuses = z.array(status).max(maxNodes);
const coverages = z
  .array(
    z.object({
      nodeId: id,
      state: z.enum(coverageStates),
      docs: count.nullish(),
    }),
  )
  .max(maxNodes);

/** Nothing of another server reaches a page but plain text on one line. */
const oneLine = (value: string): string =>
  value
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .replace(/[<>]/g, '')
    .trim();

/**
 * What became of a query at the nodes of a network that was asked as a node.
 * @param hits the value of its field `hits`; @param aggregations that of `aggregations`
 * @param nameOf the name that its facet of a path has there
 * @throws TributaryError NODE_BAD_RESPONSE naming the place
 */
export const readNodes = (
  hits: Readonly<Record<string, unknown>>,
  aggregations: Readonly<Record<string, unknown>>,
  nameOf: (path: string) => string,
): NodesAnswer => {
  const parsed = statuses.safeParse(hits['nodes']);
  if (!parsed.success) throw malformedAnswer(['hits', 'nodes']);
  const nodes = parsed.data.map(statusOf);
  return {
    // a claim to be whole does not outweigh a node that failed
    partial: hits['partial'] === true || nodes.some(({ status: one }) => one === 'ERROR'),
    statuses: nodes,
    coverage: (path) => {
      const facet = aggregations[nameOf(path)];
      const read = coverages.safeParse(isJsonObject(facet) ? facet['coverage'] : undefined);
      return read.success ? read.data.map(coverageOf) : nodes.map((one) => coverageBy(one, path));
    },
  };
};

/** Of a node that does not say more than that it withholds its records. */
const unnamedRelease: WithheldStatement = { tier: 'counts', threshold: 1, counted: '', date: null };

const statusOf = (one: z.output<typeof status>): NodeStatus => ({
  nodeId: one.nodeId,
  name: one.name || one.nodeId,
  hits: one.hits ?? null,
  ...(one.withheld === true && {
    withheld: one.disclosure ?? unnamedRelease,
    upperBound: one.upper_bound ?? null,
  }),
  status: one.status ?? null,
  errors: one.errors ?? '',
  state: one.state,
  code: one.code ?? null,
  took: one.took ?? 0,
  uncoveredFields: one.uncoveredFields ?? [],
  key: one.key ?? null,
});

const coverageOf = ({ docs, ...one }: z.output<typeof coverages>[number]): FacetCoverage => ({
  ...one,
  docs: docs ?? null,
});

/** For a path that no facet was asked of. */
const coverageBy = ({ nodeId, state, hits, uncoveredFields }: NodeStatus, path: string): FacetCoverage => {
  if (state === 'excluded') return { nodeId, state: 'excluded', docs: null };
  if (state !== 'ok') return { nodeId, state: 'failed', docs: null };
  return uncoveredFields.includes(path)
    ? { nodeId, state: 'notCovered', docs: null }
    : { nodeId, state: 'answered', docs: hits };
};

const silent = z.object({
  extensions: z.object({
    code: z.literal('ENGINE_UNAVAILABLE'),
    details: z.object({
      nodes: z
        .array(z.object({ nodeId: id, state: z.enum(nodeStates), reason: text }))
        .min(1)
        .max(maxNodes),
    }),
  }),
});

/** The nodes of a network none of which answered, as its error names them; null for another error. */
export const silentNodes = (error: unknown): readonly NodeStatus[] | null => {
  const parsed = silent.safeParse(error);
  if (!parsed.success) return null;
  return parsed.data.extensions.details.nodes.map(({ nodeId, state, reason }) =>
    statusOf({ nodeId, state, errors: reason, hits: 0, status: 'ERROR' }),
  );
};

/**
 * A facet of a network with what it says about its counts: how far to trust them, and the parts of its nodes where those
 * were asked for.
 * @param value as it was read into `result`; @param facet all that was answered of the field
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
      // missing values come last, and are kept apart
      const last =
        rows.length === result.buckets.length ? -1 : rows.findLastIndex(({ key }) => key === MISSING);
      const listed = last < 0 ? rows : rows.toSpliced(last, 1);
      const most = facet['unlisted_upper_bound'];
      const missing = last < 0 ? undefined : partsOf(rows[last]!, [field, last]);
      return {
        ...result,
        buckets: withRows(result.buckets, listed, field),
        ...(missing && { missingNodes: missing }),
        ...(typeof facet['bucket_count_exact'] === 'boolean' && { complete: facet['bucket_count_exact'] }),
        unlistedUpperBound: isCount(most) ? most : null,
      };
    }
    case 'histogram':
    case 'date_histogram':
    case 'range': {
      const rows = (value as { readonly buckets: readonly Row[] }).buckets;
      return { ...result, buckets: withRows(result.buckets, rows, field) };
    }
    case 'stats':
    case 'cardinality':
    case 'percentiles':
    case 'distinct_sample':
      return result;
  }
};

type Row = Readonly<Record<string, unknown>>;

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
