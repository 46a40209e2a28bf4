import { OTHER } from '../../../src/sqon/ast.ts';
import type { Bucket, Overview } from './answer.ts';
import type { Catalogue } from './catalogue.ts';

/** A value that is there: of the fields with most values those that most records have. */
export interface Example {
  readonly path: string;
  readonly bucket: Bucket;
}

/** Three values of different fields, to be typed. */
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
      const bucket = buckets.find(({ key }) => key !== OTHER && /^\p{L}/u.test(key) && key.length <= 30);
      return bucket === undefined ? [] : [{ path, bucket }];
    })
    .slice(0, 3);
