import type {
  GraphQLResolveInfo,
  GraphQLFieldConfig,
  GraphQLFieldConfigArgumentMap,
  GraphQLOutputType,
} from 'graphql';
import type { MeasureKind } from '../../../engines/measure.ts';
import { TributaryError } from '../../../lib/errors/errors.ts';
import { allBelow, byResponseKey, type SelectedField } from '../../../lib/graphql/execution.ts';
import { estimateOf, existsIn, isExact, lowerOf, upperOf, type Count } from '../../count.ts';
import type { BucketAnswer, NodeCount, FacetAnswer } from '../../nodes-answer.ts';
import type { FacetAnswers, MergePart } from './measure-row.ts';

/** A field of a bucket. */
export interface BucketPart {
  readonly as: string;
  readonly show: (bucket: BucketAnswer, buckets: ShownBuckets) => unknown;
  /** The request whose top hits it shows; unset: none. */
  readonly topHits?: number;
}

/** What the buckets of a list have in common. */
export interface ShownBuckets {
  /** The node of buckets that name none. */
  readonly nodeId: string;
  /** By request. */
  readonly topHits?: ReadonlyMap<number, TopHits>;
}

/** The parts that buckets of all measures have; null for other fields. */
export const plainBucketPart = (info: GraphQLResolveInfo, field: SelectedField): BucketPart => {
  const { name, responseName: as } = field;
  if (name !== 'nodes') return { as, show: plainValues[name] ?? fixed(field) };
  const shape = byName(allBelow(info, field), nodeCount);
  return { as, show: (bucket, { nodeId }) => nodesOf(bucket, nodeId).map(shape) };
};

const plainValues: Readonly<Record<string, BucketPart['show']>> = {
  key: ({ key }) => key,
  key_as_string: ({ keyAsString = null }) => keyAsString,
  doc_count: ({ count }) => lowerOf(count),
  lower_bound: ({ count }) => lowerOf(count),
  upper_bound: ({ count }) => upperOf(count),
  exists: ({ count }) => existsIn(count),
  exact: ({ count }) => isExact(count),
  estimate: ({ count }) => estimateOf(count),
};

/** A field of the part of a node in a bucket. */
export const nodeCount = (field: SelectedField): ((count: NodeCount) => unknown) => {
  if (field.name === '__typename') return fixed(field);
  return field.name === 'nodeId' ? ({ nodeId }) => nodeId : ({ count }) => count;
};

/** `max` of a list of buckets. @throws TributaryError BAD_USER_INPUT for one below 1 */
export const maxOf = ({ args }: SelectedField): number | null => {
  const max = (args['max'] ?? null) as number | null;
  if (max !== null && max <= 0)
    throw new TributaryError('BAD_USER_INPUT', `max must be 1 or more, not ${max}`);
  return max;
};

/** By key. */
export type TopHits = ReadonlyMap<string, unknown>;

/** Shapes one bucket. There are many: filling in a copy takes half the time of adding one property after another. */
export const bucketShape = (parts: readonly BucketPart[], buckets: ShownBuckets) => {
  const empty: Shaped = Object.fromEntries(parts.map(({ as }) => [as, null]));
  return (bucket: BucketAnswer): Shaped => {
    const shaped: Record<string, unknown> = { ...empty };
    for (const { as, show } of parts) shaped[as] = show(bucket, buckets);
    return shaped;
  };
};

/** How many of a bucket's documents each node has. @param nodeId of the catalogue, as the only node */
export const nodesOf = ({ nodes, count }: BucketAnswer, nodeId: string): readonly NodeCount[] =>
  nodes ?? (lowerOf(count) === 0 ? [] : [{ nodeId, count: lowerOf(count) }]);

/** The first buckets of a list; null for all. */
export const upTo = <Bucket>(buckets: readonly Bucket[], max: number | null): readonly Bucket[] =>
  max === null ? buckets : buckets.slice(0, max);

/** The values below a selected field, by response name, as byResponseKey reads them. */
export type Shaped = Readonly<Record<string, unknown>>;

/**
 * Returns a function that computes a value for each selected field, in order, keyed by response name; how to compute
 * each is determined only once.
 */
export const byName = <Answer>(
  fields: readonly SelectedField[],
  valueOf: (field: SelectedField) => (answer: Answer) => unknown,
): ((answer: Answer) => Shaped) => {
  const values = fields.map((field) => [field.responseName, valueOf(field)] as const);
  return (answer) => Object.fromEntries(values.map(([name, value]) => [name, value(answer)]));
};

/** As byName, for answers whose properties have the names of the fields. */
export const byProperty = <Answer>(fields: readonly SelectedField[]): ((answer: Answer) => Shaped) =>
  byName<Answer>(fields, (field) =>
    field.name === '__typename' ? fixed(field) : (answer) => answer[field.name as keyof Answer],
  );

/** The value of a field that depends on no answer: `__typename`, and null for fields that such buckets lack. */
export const fixed = ({ name, typeName }: SelectedField): (() => string | null) => {
  const value = name === '__typename' ? typeName : null;
  return () => value;
};

/** The answer to a request. @throws TributaryError the reason if there is none; INTERNAL_SERVER_ERROR if it is of another kind */
export const answerOf = <Kind extends MeasureKind>(
  { facets }: Pick<FacetAnswers, 'facets'>,
  request: number,
  kind: Kind,
): FacetAnswer<Kind> => {
  const answer = facets[request];
  if (answer?.kind === 'failed') throw answer.error;
  if (answer?.kind !== kind)
    throw new TributaryError(
      'INTERNAL_SERVER_ERROR',
      `facet ${request} was answered with ${answer?.kind ?? 'nothing'}, not ${kind}`,
    );
  return answer as FacetAnswer<Kind>;
};

/** The results of the nodes that have the field. */
export const resultsOf = <Kind extends MeasureKind>(
  parts: readonly MergePart<Kind>[],
): readonly FacetAnswer<Kind>[] => parts.flatMap(({ result }) => (result === null ? [] : [result]));

/** A 32-bit integer, as in GraphQL's Int. */
export const isInt = (value: number): boolean => value === (value | 0);

/** Whether GraphQL can represent a count unchanged. */
export const countFits = (count: Count): boolean => isInt(lowerOf(count)) && isInt(upperOf(count) ?? 0);

/** Whether GraphQL can represent a bucket unchanged. */
export const bucketFits = ({ key, keyAsString, count }: BucketAnswer): boolean =>
  countFits(count) &&
  typeof key === 'string' &&
  (keyAsString === undefined || typeof keyAsString === 'string');

/** A field whose value was shaped under its response name. */
export const responseField = <Context = unknown>(
  type: GraphQLOutputType,
  description: string,
  args?: GraphQLFieldConfigArgumentMap,
): GraphQLFieldConfig<unknown, Context> => ({
  type,
  description,
  ...(args && { args }),
  resolve: byResponseKey,
});
