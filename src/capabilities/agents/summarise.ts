import type { Entrance } from '../../server/http/doors/door.ts';
import type { z } from 'zod';
import { existsIn } from '../../search/count.ts';
import type { BucketAnswer, TermsAnswer } from '../../search/nodes-answer.ts';
import { countOnly, plainQuery, type CatalogueResult } from '../../search/query.ts';
import { parseSqon } from '../../sqon/parse.ts';
import { citedAs, endingOf, type ToolAnswer } from './citation.ts';
import { nearestValues } from './describe.ts';
import { boundsOf, countText, coverageText, shown, totalText } from './sentences.ts';
import { fieldOf, sqonOf, type where } from './where.ts';
import { countOf } from '../../lib/text/plural.ts';

/** The maximum number of values shown per facet. */
const maxValues = 20;

interface Sent {
  readonly catalogue: string;
  readonly where?: z.output<typeof where> | undefined;
  readonly facets: readonly string[];
}

/** Counts the matches, in total and by the values of fields. */
export const summarise = async (entrance: Entrance, sent: Sent): Promise<ToolAnswer> => {
  const visit = await entrance.open(sent.catalogue);
  const { fields } = visit.catalogue;
  const sqon = sqonOf(sent.where, fields);
  const paths = sent.facets.map((path) => fieldOf(path, fields).path);
  const result = await visit.search({
    ...plainQuery,
    filters: parseSqon(sqon),
    includeMissing: true,
    facets: paths.map((field) => ({
      field,
      bounded: true,
      measure: { kind: 'terms', max: maxValues } as const,
    })),
    hits: { ...countOnly, bounded: true },
  });
  const cited = citedAs(entrance, visit, { result, sqon, id: sent.catalogue });
  const facets = paths.map((field, at) => facetOf(field, result.facets[at]!));
  const coverage = coverageText(result);
  const text = [
    [totalText(result), coverage].filter((part) => part !== '').join(' '),
    ...facets.map(({ line }) => line),
    ...(await nearestValues(visit, sent.where, result)),
    ...visit.warnings().map(shown),
  ].join('\n');
  return {
    text,
    ending: endingOf(cited),
    data: {
      total: result.total === null ? null : boundsOf(result.total),
      coverage,
      facets: facets.map(({ data }) => data),
      ...cited,
    },
  };
};

const facetOf = (field: string, facet: CatalogueResult['facets'][number]) => {
  if (facet.kind !== 'terms') {
    const why = facet.kind === 'failed' ? `: ${facet.error.message}` : '';
    return { line: `${field} cannot be counted${why}.`, data: { field, values: [], more: false } };
  }
  const values = bucketsOf(facet).map((bucket) => ({
    value: shown(String(bucket.key)),
    count: boundsOf(bucket.count),
    text: `${shown(String(bucket.key))}: ${countText(bucket.count)}`,
  }));
  const more = facet.distinct > facet.buckets.length;
  const least = facet.complete === false ? 'at least ' : '';
  const end = more ? `; and ${least}${countOf(facet.distinct - facet.buckets.length, 'more value')}` : '';
  return {
    line: `${field}: ${values.map(({ text }) => text).join('; ')}${end}.`,
    data: { field, values: values.map(({ value, count }) => ({ value, count })), more },
  };
};

/** The buckets of a list; last, if there may be any, that of the records without a value. */
const bucketsOf = (terms: TermsAnswer): readonly BucketAnswer[] => {
  const last = { key: 'no value', count: terms.missing };
  return existsIn(last.count) === false ? terms.buckets : [...terms.buckets, last];
};
