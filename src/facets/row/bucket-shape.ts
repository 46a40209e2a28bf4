import type { CountedBucket, TermsBucket } from '../../engines/measure.ts';
import { TributaryError } from '../../errors.ts';
import type { SelectedField } from '../../graphql/selected-fields.ts';
import type { Shaped } from './by-name.ts';

/** A field of a bucket and where its value comes from. */
export type BucketPart =
  | { readonly kind: 'fixed'; readonly as: string; readonly value: string | null }
  | { readonly kind: 'key' | 'keyAsString' | 'docCount'; readonly as: string }
  | { readonly kind: 'topHits'; readonly as: string; readonly request: number }
  /** `position` is the index in the request's filters. */
  | { readonly kind: 'filtered'; readonly as: string; readonly position: number };

/** The parts that buckets of all measures have; null for other fields. */
export const plainBucketPart = ({ name, responseName: as, typeName }: SelectedField): BucketPart => {
  const kind = plainKinds[name];
  if (kind !== undefined) return { kind, as };
  return { kind: 'fixed', as, value: name === '__typename' ? typeName : null };
};

const plainKinds: Readonly<Record<string, 'key' | 'keyAsString' | 'docCount'>> = {
  key: 'key',
  key_as_string: 'keyAsString',
  doc_count: 'docCount',
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
 */
export const bucketShape = (parts: readonly BucketPart[], topHits?: ReadonlyMap<number, TopHits>) => {
  const empty: Shaped = Object.fromEntries(parts.map(({ as }) => [as, null]));
  return (found: TermsBucket): Shaped => {
    const shaped: Record<string, unknown> = { ...empty };
    for (const part of parts)
      shaped[part.as] =
        part.kind === 'topHits'
          ? (topHits?.get(part.request)?.get(found.key) ?? null)
          : bucketValue(part, found);
    return shaped;
  };
};

const bucketValue = (part: Exclude<BucketPart, { kind: 'topHits' }>, found: TermsBucket): unknown => {
  switch (part.kind) {
    case 'fixed':
      return part.value;
    case 'key':
      return found.key;
    case 'keyAsString':
      return found.keyAsString ?? null;
    case 'docCount':
      return found.count;
    case 'filtered': {
      const count = found.filtered?.[part.position];
      return count === undefined ? null : { doc_count: count };
    }
  }
};

/** The first buckets of a list; null for all. */
export const upTo = <Bucket extends Pick<CountedBucket, 'count'>>(
  buckets: readonly Bucket[],
  max: number | null,
): readonly Bucket[] => (max === null ? buckets : buckets.slice(0, max));
