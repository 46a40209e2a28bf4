import type { GraphQLResolveInfo } from 'graphql';
import { getNamedType } from 'graphql';
import type { MeasureKind } from '../../engines/measure.ts';
import { kindsByField, measureKinds, measureRow } from '../../facets/measures.ts';
import { networkAggregationsType } from '../../facets/network-types.ts';
import { byName } from '../../facets/row/by-name.ts';
import type { MergedFacet, NetworkAsking, ShowMerged } from '../../facets/row/measure-row.ts';
import type { NetworkMeasure } from '../../facets/row/network-measure.ts';
import type { SelectedField } from '../../graphql/selected-fields.ts';
import { below } from '../../graphql/selected-fields.ts';
import type { FacetCoverage } from '../merge/answers.ts';
import type { NetworkFacet } from '../query/network-query.ts';

/** The input for shaping a facet. */
export interface FacetAnswers {
  readonly facets: readonly MergedFacet[];
  readonly coverage: (path: string) => readonly FacetCoverage[];
}

export interface FacetSelection {
  /** Each measure of each field once. */
  readonly facets: readonly NetworkFacet[];
  /** The GraphQL value of the `aggregations` field with that response name, keyed by response name itself. */
  readonly shape: (as: string, answers: FacetAnswers) => unknown;
}

/**
 * The facets selected below `aggregations`: what to request and where each answer goes.
 * @throws TributaryError BAD_USER_INPUT for an invalid max or interval
 */
export const facetSelection = (
  info: GraphQLResolveInfo,
  aggregations: readonly SelectedField[],
): FacetSelection => {
  const facets: NetworkFacet[] = [];
  const everywhere = selectedByPath(info, aggregations);
  const add = (path: string, measure: NetworkMeasure): number => {
    const same = JSON.stringify({ path, measure });
    const known = facets.findIndex((facet) => JSON.stringify(facet) === same);
    return known >= 0 ? known : facets.push({ path, measure }) - 1;
  };
  const facetShape = (field: SelectedField): ((answers: FacetAnswers) => unknown) => {
    const path = pathOf(field);
    const isOfValues = getNamedType(field.definition.type) === networkAggregationsType;
    return measuresShape(path, below(info, field), {
      info,
      type: isOfValues ? 'values' : 'numbers',
      everywhere: everywhere.get(path)!,
      ask: (measure) => add(path, measure),
    });
  };
  const shapes = new Map(aggregations.map((one) => [one.responseName, byName(below(info, one), facetShape)]));
  return { facets, shape: (as, answers) => shapes.get(as)?.(answers) };
};

const kinds = kindsByField('networkFields');

const measuresShape = (path: string, selected: readonly SelectedField[], asking: NetworkAsking) => {
  const shows = new Map<MeasureKind, (field: SelectedField) => ShowMerged>();
  for (const kind of measureKinds) {
    const own = selected.filter(({ name }) => kinds.get(name) === kind);
    if (own.length > 0) shows.set(kind, measureRow(kind).selectNetwork(own, asking));
  }
  return byName<FacetAnswers>(selected, (field) => {
    const kind = kinds.get(field.name);
    if (kind === undefined) return ({ coverage }) => coverage(path);
    const show = shows.get(kind)!(field);
    return ({ facets }) => show(facets);
  });
};

const pathOf = ({ definition }: SelectedField): string => definition.extensions['path'] as string;

/** The selections below its facets by path, wherever they occur. */
const selectedByPath = (
  info: GraphQLResolveInfo,
  aggregations: readonly SelectedField[],
): ReadonlyMap<string, readonly SelectedField[]> => {
  const byPath = new Map<string, SelectedField[]>();
  for (const field of aggregations.flatMap((one) => below(info, one))) {
    const known = byPath.get(pathOf(field)) ?? [];
    byPath.set(pathOf(field), known);
    for (const part of below(info, field)) known.push(part);
  }
  return byPath;
};
