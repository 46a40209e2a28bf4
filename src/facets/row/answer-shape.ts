import type {
  GraphQLResolveInfo,
  GraphQLFieldConfig,
  GraphQLFieldConfigArgumentMap,
  GraphQLOutputType,
} from 'graphql';
import type { CountedBucket, FacetResult, MeasureKind } from '../../engines/measure.ts';
import { TributaryError } from '../../errors/errors.ts';
import { allBelow, byResponseKey, type SelectedField } from '../../graphql/execution.ts';
import { existsIn, type BucketAnswer, type NodeCount, type FacetAnswer } from '../../search/nodes-answer.ts';
import type { FacetAnswers, MergePart } from './measure-row.ts';

/** A field of a bucket and where its value comes from. */
export type BucketPart =
  | { readonly kind: 'fixed'; readonly as: string; readonly value: string | null }
  | { readonly kind: PlainPart; readonly as: string }
  | { readonly kind: 'nodes'; readonly as: string; readonly shape: (count: NodeCount) => Shaped }
  | { readonly kind: 'topHits'; readonly as: string; readonly request: number }
  /** `position` is the index in the request's filters. */
  | { readonly kind: 'filtered'; readonly as: string; readonly position: number };

type PlainPart = 'key' | 'keyAsString' | 'docCount' | 'upperBound' | 'exists' | 'exact' | 'estimate';

/** The parts that buckets of all measures have; null for other fields. */
export const plainBucketPart = (info: GraphQLResolveInfo, field: SelectedField): BucketPart => {
  const { name, responseName: as, typeName } = field;
  if (name === 'nodes') return { kind: 'nodes', as, shape: byName(allBelow(info, field), nodeCount) };
  const kind = plainKinds[name];
  if (kind !== undefined) return { kind, as };
  return { kind: 'fixed', as, value: name === '__typename' ? typeName : null };
};

const plainKinds: Readonly<Record<string, PlainPart>> = {
  key: 'key',
  key_as_string: 'keyAsString',
  doc_count: 'docCount',
  // counts that nodes publish are exact, so their sum is a lower bound
  lower_bound: 'docCount',
  upper_bound: 'upperBound',
  exists: 'exists',
  exact: 'exact',
  estimate: 'estimate',
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

/**
 * Shapes one bucket; top hits are keyed by request. There are many buckets: filling in a copy takes half the time of
 * adding one property after another.
 * @param nodeId the node that buckets which name none are of
 */
export const bucketShape = (
  parts: readonly BucketPart[],
  nodeId: string,
  topHits?: ReadonlyMap<number, TopHits>,
) => {
  const empty: Shaped = Object.fromEntries(parts.map(({ as }) => [as, null]));
  return (found: BucketAnswer): Shaped => {
    const shaped: Record<string, unknown> = { ...empty };
    for (const part of parts)
      shaped[part.as] =
        part.kind === 'topHits'
          ? (topHits?.get(part.request)?.get(found.key) ?? null)
          : bucketValue(part, found, nodeId);
    return shaped;
  };
};

const bucketValue = (
  part: Exclude<BucketPart, { kind: 'topHits' }>,
  found: BucketAnswer,
  nodeId: string,
): unknown => {
  switch (part.kind) {
    case 'fixed':
      return part.value;
    case 'key':
      return found.key;
    case 'keyAsString':
      return found.keyAsString ?? null;
    case 'docCount':
      return found.count;
    case 'upperBound':
      return found.upperBound === undefined ? found.count : found.upperBound;
    case 'exists':
      return existsIn(found);
    case 'exact':
      return found.exact ?? (found.upperBound === undefined || found.upperBound === found.count);
    case 'estimate':
      return found.estimate ?? null;
    case 'nodes':
      return nodesOf(found, nodeId).map(part.shape);
    case 'filtered': {
      const count = found.filtered?.[part.position];
      return count === undefined ? null : { doc_count: count };
    }
  }
};

/** Which node has how many of a bucket's documents. @param nodeId of the catalogue, as the only node */
export const nodesOf = ({ nodes, count }: BucketAnswer, nodeId: string): readonly NodeCount[] =>
  nodes ?? (count === 0 ? [] : [{ nodeId, count }]);

/** The first buckets of a list; null for all. */
export const upTo = <Bucket extends Pick<CountedBucket, 'count'>>(
  buckets: readonly Bucket[],
  max: number | null,
): readonly Bucket[] => (max === null ? buckets : buckets.slice(0, max));

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

/** The answer to a request. @throws TributaryError why there is none; INTERNAL_SERVER_ERROR when it is of another kind */
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
): readonly FacetResult<Kind>[] => parts.flatMap(({ result }) => (result === null ? [] : [result]));

/** A 32-bit integer, as in GraphQL's Int. */
export const isInt = (value: number): boolean => value === (value | 0);

/** Whether GraphQL can represent a bucket unchanged. */
export const bucketFits = ({ key, keyAsString, count, upperBound = count }: BucketAnswer): boolean =>
  isInt(count) &&
  isInt(upperBound ?? count) &&
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
