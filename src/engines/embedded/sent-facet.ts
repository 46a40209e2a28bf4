import type { FacetResult, TermsBucket, TermsResult } from '../engine.ts';

/**
 * A facet on its way between threads. Hundreds of bucket objects cost the receiver more time than counting them cost
 * the sender, so buckets that are only keys and counts go as one JSON text: [keys, counts].
 */
export type SentFacet = FacetResult | SentTerms;

interface SentTerms extends Pick<TermsResult, 'distinct' | 'missing'> {
  readonly kind: 'sentTerms';
  readonly text: string;
}

/** A facet as it is sent. */
export const sentFacet = (facet: FacetResult): SentFacet => {
  if (facet.kind !== 'terms' || !facet.buckets.every(isPlain)) return facet;
  const { buckets, distinct, missing } = facet;
  const text = JSON.stringify([buckets.map(({ key }) => key), buckets.map(({ count }) => count)]);
  return { kind: 'sentTerms', text, distinct, missing };
};

/** The facet that was sent. */
export const receivedFacet = (sent: SentFacet): FacetResult => {
  if (sent.kind !== 'sentTerms') return sent;
  const { text, distinct, missing } = sent;
  const [keys, counts] = JSON.parse(text) as [readonly string[], readonly number[]];
  return { kind: 'terms', buckets: keys.map((key, i) => ({ key, count: counts[i]! })), distinct, missing };
};

const isPlain = ({ keyAsString, topHit, filtered }: TermsBucket): boolean =>
  keyAsString === undefined && topHit === undefined && filtered === undefined;
