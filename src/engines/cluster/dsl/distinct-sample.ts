import { numberIn, objectIn, objectsIn, type JsonObject } from '../../../json/json.ts';
import type { IndexField } from '../../../introspection/fields/field.ts';
import type { FacetQuery } from '../../engine.ts';
import type { DistinctSample, SampleHash } from '../../measure.ts';
import { SampleKeys, sampleOfValues } from '../../semantics/sample-keys.ts';
import { maxParts, maxRequested, maxTerms, partsFor, sampleHash } from '../../semantics/sample-levels.ts';
import { documentsOf, type CompleteReading, type FurtherReading, type MeasureDsl } from './read-terms.ts';
import { documents, minShardSize, valuesAt } from './terms-aggregations.ts';
import { cardinalityThreshold } from './value-measures.ts';

type Facet = FacetQuery<'distinct_sample'>;
type Reading = CompleteReading | FurtherReading;

/**
 * A sample of values: all of them if they are few, otherwise one of N partitions, which every server can compute. N
 * follows from the server's own estimate of their number. Servers cache these searches, none of which has hits, until
 * the index changes.
 */
export const distinctSample: MeasureDsl<'distinct_sample'> = {
  aggs: (facet) =>
    sampleHash(facet.field) === null
      ? {}
      : { values: terms(facet.field, minShardSize), distinct: distinct(facet), documents: documents(facet) },
  read: (facet, answers) => {
    const hash = sampleHash(facet.field);
    if (hash === null) return complete(null);
    const found = objectIn(answers, 'values');
    if (isWhole(found)) return complete(sampleOfValues(keysOf(found), hash, shownAs(facet)));
    const estimated = numberIn(objectIn(answers, 'distinct'), 'value');
    const parts = partsFor(estimated);
    if (parts === 1) return askPart(facet, hash, 1, null);
    const matches = documentsOf(objectIn(answers, 'documents'));
    if (isEverywhere(facet)) return askWithin(facet, hash, parts, matches, estimated);
    return {
      kind: 'further',
      everywhere: true,
      aggregations: { distinct: distinct(facet) },
      read: (further) =>
        askWithin(facet, hash, parts, matches, numberIn(objectIn(further, 'distinct'), 'value')),
    };
  },
};

const distinct = ({ field }: Facet): JsonObject => ({
  cardinality: { ...valuesAt(field), precision_threshold: cardinalityThreshold },
});

const terms = (field: IndexField, size: number, other: JsonObject = {}): JsonObject => ({
  terms: { ...valuesAt(field), size, ...other },
});

const isEverywhere = ({ filter, objects }: Facet): boolean =>
  filter.kind === 'all' && Object.values(objects).every(({ kind }) => kind === 'all');

/**
 * By default a server reads every value of the index; where there are far fewer matches than values, only values of the
 * matches.
 * @param all how many distinct values the index has
 */
const askWithin = (facet: Facet, hash: SampleHash, parts: number, matches: number, all: number): Reading => {
  const hint = matches * 10 < all ? 'map' : null;
  return hint === null && all > maxTerms ? complete(null) : askPart(facet, hash, parts, hint);
};

const askPart = (facet: Facet, hash: SampleHash, parts: number, hint: 'map' | null): Reading => {
  const listed = [...shownAs(facet).keys()];
  // integers and the texts that they are shown as are partitioned differently
  if (parts > maxParts || (parts > 1 && listed.length > 0 && hash !== 'murmur3')) return complete(null);
  return {
    kind: 'further',
    aggregations: {
      values: terms(facet.field, maxRequested, {
        ...(parts > 1 && { include: { partition: 0, num_partitions: parts } }),
        ...(hint !== null && hash === 'murmur3' && { execution_hint: hint }),
      }),
      ...(parts > 1 &&
        listed.length > 0 && { listed: terms(facet.field, listed.length, { include: listed }) }),
    },
    read: (answers) => {
      const found = objectIn(answers, 'values');
      if (!isWhole(found)) return askPart(facet, hash, parts * 2, hint);
      if (parts === 1) return complete(sampleOfValues(keysOf(found), hash, shownAs(facet)));
      return complete(sampleOfPart(facet, hash, parts, keysOf(found), keysOf(objectIn(answers, 'listed'))));
    },
  };
};

/** @param listed the values found among those that are sampled as others */
const sampleOfPart = (
  facet: Facet,
  hash: SampleHash,
  parts: number,
  values: readonly string[],
  listed: readonly string[],
): DistinctSample => {
  const shown = shownAs(facet);
  const keys = new SampleKeys(hash, parts);
  for (const value of values) if (!shown.has(value)) keys.add(value);
  for (const value of listed) keys.add(shown.get(value)!);
  return keys.sample();
};

const isWhole = (found: JsonObject): boolean => numberIn(found, 'sum_other_doc_count') === 0;

const keysOf = (found: JsonObject): readonly string[] =>
  objectsIn(found, 'buckets').map(({ key }) => String(key));

const shownAs = ({ measure: { values = [] } }: Facet): ReadonlyMap<string, string> => new Map(values);

const complete = (sample: DistinctSample | null): CompleteReading => ({
  kind: 'complete',
  result: { kind: 'distinct_sample', sample },
});
