import type { GraphQLResolveInfo } from 'graphql';
import { getNamedType } from 'graphql';
import { TributaryError } from '../../errors.ts';
import { histogramMeasure, rangeMeasure } from '../../local/facets/facet-selection.ts';
import type { SelectedField } from '../../graphql/selected-fields.ts';
import { below } from '../../graphql/selected-fields.ts';
import { aggregationsType } from './facet-types.ts';
import type { FacetCoverage, MergedFacet } from '../merge/answers.ts';
import type { MergedBucket, MergedTerms } from '../merge/buckets.ts';
import { unlistedUpperBound } from '../merge/buckets.ts';
import type { NetworkFacet, NetworkMeasure } from '../query/question.ts';

/** What the shaping of a facet reads. */
export interface FacetAnswers {
  readonly facets: readonly MergedFacet[];
  readonly coverage: (path: string) => readonly FacetCoverage[];
}

export interface FacetSelection {
  /** Each measure of each field once. */
  readonly facets: readonly NetworkFacet[];
  /** The GraphQL value of the `aggregations` field of that response name, itself by response name. */
  readonly shape: (as: string, answers: FacetAnswers) => unknown;
}

/**
 * The facets selected below `aggregations`: what to ask and where each answer goes.
 * @throws TributaryError BAD_USER_INPUT for a max or an interval that means nothing
 */
export const facetSelection = (
  info: GraphQLResolveInfo,
  aggregations: readonly SelectedField[],
): FacetSelection => {
  const facets: NetworkFacet[] = [];
  const selected = aggregations.flatMap((field) => below(info, field));
  // the largest max of a field counts for all of its selections, so that they agree
  const largest = largestMax(info, selected);
  const listed = new Set(selected.filter((field) => below(info, field).some(ofList)).map(pathOf));
  const add = (path: string, measure: NetworkMeasure): number => {
    const same = JSON.stringify({ path, measure });
    const known = facets.findIndex((facet) => JSON.stringify(facet) === same);
    return known >= 0 ? known : facets.push({ path, measure }) - 1;
  };
  const facetShape = (field: SelectedField): Shape => {
    const path = pathOf(field);
    const parts = below(info, field);
    const terms = (): number => add(path, { kind: 'terms', max: largest.get(path) ?? null });
    // numbers of nodes do not add up, whole lists of values do
    const list = (): void => {
      if (!listed.has(path) && getNamedType(field.definition.type) === aggregationsType)
        add(path, { kind: 'terms', max: mostCounted });
    };
    return byResponseName(parts, (part) =>
      partShape(info, part, path, { add, terms, list, shown: smallestMax(parts) }),
    );
  };
  const shapes = new Map(
    aggregations.map((one) => [one.responseName, byResponseName(below(info, one), facetShape)]),
  );
  const shape = (as: string, answers: FacetAnswers): unknown => shapes.get(as)?.(answers);
  return { facets, shape };
};

/** How many values of a field are listed when only their number is asked: up to there it is exact. */
const mostCounted = 1_000;

const listMeasures = new Set(['buckets', 'bucket_count', 'bucket_count_exact', 'unlisted_upper_bound']);
const ofList = ({ name }: SelectedField): boolean => listMeasures.has(name);

const byResponseName = (
  fields: readonly SelectedField[],
  shapeOf: (field: SelectedField) => Shape,
): Shape => {
  const shapes = fields.map((field) => [field.responseName, shapeOf(field)] as const);
  return (answers) => Object.fromEntries(shapes.map(([name, shape]) => [name, shape(answers)]));
};

const pathOf = ({ definition }: SelectedField): string => definition.extensions['path'] as string;

const largestMax = (
  info: GraphQLResolveInfo,
  selected: readonly SelectedField[],
): ReadonlyMap<string, number | null> => {
  const largest = new Map<string, number | null>();
  for (const field of selected)
    for (const part of below(info, field).filter(({ name }) => name === 'buckets')) {
      const max = maxOf(part);
      const known = largest.get(pathOf(field));
      largest.set(pathOf(field), max === null || known === null ? null : Math.max(max, known ?? 0));
    }
  return largest;
};

/** Of the lists that stand in one answer the shortest: what is said of keys that are not listed holds for it too. */
const smallestMax = (parts: readonly SelectedField[]): number =>
  Math.min(...parts.filter(({ name }) => name === 'buckets').map((part) => maxOf(part) ?? Infinity));

const maxOf = ({ args }: SelectedField): number | null => {
  const max = (args['max'] as number | null | undefined) ?? null;
  if (max !== null && max <= 0)
    throw new TributaryError('BAD_USER_INPUT', `max must be 1 or more, not ${max}`);
  return max;
};

type Shape = (answers: FacetAnswers) => unknown;

/** Adds what is to be asked, each measure once. */
interface Adding {
  readonly add: (path: string, measure: NetworkMeasure) => number;
  /** The list that all selections of the field share. */
  readonly terms: () => number;
  /** A list beside a number, where no selection asks for one. */
  readonly list: () => void;
  /** How many buckets each list of the selection shows at least. */
  readonly shown: number;
}

const partShape = (
  info: GraphQLResolveInfo,
  part: SelectedField,
  path: string,
  { add, terms: addTerms, list: addList, shown }: Adding,
): Shape => {
  const ofTerms = (read: (terms: MergedTerms) => unknown): Shape => {
    const index = addTerms();
    return ({ facets }) => read(expect(facets[index], 'terms').terms);
  };
  switch (part.name) {
    case 'bucket_count':
      return ofTerms((terms) => terms.bucketCount);
    case 'bucket_count_exact':
      return ofTerms((terms) => terms.complete);
    case 'unlisted_upper_bound':
      return ofTerms((terms) => unlistedUpperBound(terms, shown));
    case 'buckets':
      return ofTerms(shownBuckets(maxOf(part)));
    case 'cardinality':
    case 'cardinality_bounds': {
      const index = add(path, { kind: 'cardinality' });
      addList();
      return ({ facets }) => {
        const { bounds } = expect(facets[index], 'cardinality');
        // a bound in the place of the number would be taken for it
        return part.name === 'cardinality' ? (bounds.exact ? bounds.lower : null) : bounds;
      };
    }
    case 'stats': {
      const index = add(path, { kind: 'stats' });
      const inside = below(info, part);
      return ({ facets }) => {
        const { stats } = expect(facets[index], 'stats');
        return Object.fromEntries(
          inside.map(({ responseName, name }) => [responseName, stats[name as keyof typeof stats]]),
        );
      };
    }
    case 'histogram':
    case 'range': {
      const kind = part.name;
      for (const buckets of below(info, part)) maxOf(buckets);
      const index = add(path, kind === 'histogram' ? histogramMeasure(part) : rangeMeasure(part));
      return ({ facets }) => expect(facets[index], kind).buckets;
    }
    default:
      return ({ coverage }) => coverage(path);
  }
};

/** `max` counts from the top, `__missing__` comes last and on top of it. */
const shownBuckets =
  (max: number | null) =>
  ({ buckets, missing }: MergedTerms): readonly MergedBucket[] => [
    ...(max === null ? buckets : buckets.slice(0, max)),
    ...(missing ? [missing] : []),
  ];

const expect = <Kind extends MergedFacet['kind']>(
  facet: MergedFacet | undefined,
  kind: Kind,
): Extract<MergedFacet, { kind: Kind }> => {
  if (facet?.kind !== kind) throw new TributaryError('INTERNAL_SERVER_ERROR', `facet answer is no ${kind}`);
  return facet as Extract<MergedFacet, { kind: Kind }>;
};
