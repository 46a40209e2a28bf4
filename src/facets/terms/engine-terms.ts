import type { Measure } from '../../engines/measure.ts';
import { foldedMatching } from '../../engines/semantics/folding.ts';
import { TributaryError } from '../../errors/errors.ts';
import type { Field } from '../../introspection/fields/field.ts';
import type { FacetMeasure } from '../../search/query.ts';
import { compileSqon } from '../../sqon/compile.ts';
import type { EngineAsking } from '../row/measure-row.ts';

/** @throws TributaryError BAD_USER_INPUT for a max below 1, or a filter that cannot be compiled */
export const engineTerms = (
  { max, matching: text, distinct, topHits, filters }: FacetMeasure<'terms'>,
  { field, fields, nestingPrefix, includeMissing }: EngineAsking,
): Measure<'terms'> => {
  if (max !== null && max <= 0)
    throw new TributaryError(
      'BAD_USER_INPUT',
      `max of the buckets of ${field.path} must be 1 or more, not ${max}`,
    );
  const matching = foldedMatching(text);
  const source = topHits?.source?.map((path) => topHitPath(path, field, nestingPrefix)) ?? null;
  return {
    kind: 'terms',
    size: max,
    ...(matching !== null && { matching }),
    ...(distinct === false && { distinct }),
    ...(!includeMissing && { missing: false }),
    ...(topHits && { topHits: { source, size: topHits.size } }),
    ...(filters && { filters: filters.map((filter) => compileSqon(filter, fields)) }),
  };
};

/** Clients write dotted paths of the document; the top hit of a nested facet is the nested object itself. */
const topHitPath = (path: string, field: Field, nestingPrefix: string | null): string => {
  const nestedPath = field.nestedIn.at(-1);
  if (nestedPath !== undefined)
    return path.startsWith(`${nestedPath}.`) ? path.slice(nestedPath.length + 1) : path;
  return nestingPrefix === null ? path : `${nestingPrefix}.${path}`;
};
