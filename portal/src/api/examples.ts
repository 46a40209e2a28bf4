import { OTHER } from '../../../src/sqon/ast.ts';
import type { Bucket, Overview } from './answer.ts';
import type { Catalogue } from './catalogue.ts';

/** An existing value: from the fields with most values, the most frequent ones. */
export interface Example {
  readonly path: string;
  readonly bucket: Bucket;
}

/** Three values of different fields as examples to type. */
export const examplesOf = (
  { facets }: Pick<Overview, 'facets'>,
  { fields }: Pick<Catalogue, 'fields'>,
): readonly Example[] =>
  [...facets.values()]
    .flatMap((facet) =>
      facet.kind === 'values' && fields.get(facet.path)?.type === 'keyword' ? [facet] : [],
    )
    .sort((one, other) => other.bucketCount - one.bucketCount)
    .flatMap(({ path, buckets }) => {
      const texts = fields.get(path)?.displayValues;
      const bucket = buckets.find(
        ({ key, label }) => key !== OTHER && isShort.test(String(texts?.[label ?? key] ?? label ?? key)),
      );
      return bucket === undefined ? [] : [{ path, bucket }];
    })
    .slice(0, 3);

/** Three of them must be distinguishable in the search box. */
const isShort = /^\p{L}[^,]{0,17}$/u;
