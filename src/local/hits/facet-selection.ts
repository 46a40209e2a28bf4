import type { GraphQLResolveInfo } from 'graphql';
import type { MeasureKind } from '../../engines/measure.ts';
import { facetsFitTypes, kindsByField, measureKinds, measureRow } from '../../facets/measures.ts';
import type { Shaped } from '../../facets/row/answer-shape.ts';
import { byName, byProperty, fixed, isInt } from '../../facets/row/answer-shape.ts';
import type { SelectionContext, FacetAnswers, Show } from '../../facets/row/measure-row.ts';
import type { SelectedField } from '../../graphql/execution.ts';
import { allBelow } from '../../graphql/execution.ts';
import type { FacetCoverage } from '../../search/nodes-answer.ts';
import type { FacetMeasure, FacetRequest, UnshownPart } from '../../search/query.ts';
import { unshownByBoth } from '../../search/query.ts';

/** What `aggregations` selections request, and how to shape the answers. */
export interface FacetPlan {
  readonly requests: readonly FacetRequest[];
  /** The fields whose coverage is shown: how many documents match at each node. */
  readonly coverageOf: readonly string[];
  /** Turns the answers into the GraphQL value of one of the selections: everything selected, in selection order. */
  readonly shapes: readonly ((answers: FacetAnswers) => Shaped)[];
}

/**
 * The facets selected below one `aggregations` field: what to request, each distinct field and measure once, and where
 * each answer goes, by response name. A facet's type identifies its field: `extensions.path`.
 *
 * @throws TributaryError BAD_USER_INPUT for a malformed filter, or an invalid max or interval
 */
export const facetSelection = (info: GraphQLResolveInfo): FacetPlan => {
  const definition = info.parentType.getFields()[info.fieldName]!;
  return facetPlan(info, [{ definition, nodes: info.fieldNodes }]);
};

/** The facets of several `aggregations` fields as one request. @throws as facetSelection does */
export const facetPlan = (
  info: GraphQLResolveInfo,
  aggregations: readonly Pick<SelectedField, 'definition' | 'nodes'>[],
): FacetPlan => {
  const requests = newFacetRequests();
  const coverageOf = new Set<string>();
  const shapes = aggregations.map((one) =>
    byName<FacetAnswers>(allBelow(info, one), (facet) => {
      const { path, kind = 'keyword' } = facet.definition.extensions as Partial<SelectionContext['field']>;
      if (path === undefined) return fixed(facet);
      const selected = allBelow(info, facet);
      const lists = bucketLists(info, selected);
      const isShown = (field: string): boolean => lists.some((names) => names.has(field));
      const wanted = {
        unshown: onlyShown.filter((part) => !isShown(part)),
        ...(isShown('nodes') && { parted: true as const }),
      };
      const bounded = lists.length === 0 ? null : isBounded(lists);
      const ask = (measure: FacetMeasure): number =>
        requests.add({ field: path, measure, ...wanted }, bounded);
      if (selected.some(({ name }) => name === 'coverage')) coverageOf.add(path);
      return facetShape(path, selected, { info, field: { path, kind }, ask });
    }),
  );
  return { requests: requests.list, coverageOf: [...coverageOf], shapes };
};

/**
 * Whether GraphQL's types can represent the answers unchanged; otherwise an executor must refuse the values, each at its
 * place.
 */
export const fitTypes = (
  { coverageOf }: Pick<FacetPlan, 'coverageOf'>,
  { facets, coverage }: FacetAnswers,
): boolean =>
  facetsFitTypes(facets) && coverageOf.every((path) => coverage(path).every(({ docs }) => isInt(docs ?? 0)));

const onlyShown: readonly UnshownPart[] = ['key_as_string', 'estimate'];

/** The names of the fields that each list of buckets shows. */
const bucketLists = (
  info: GraphQLResolveInfo,
  selected: readonly SelectedField[],
): readonly ReadonlySet<string>[] =>
  selected
    .flatMap((field) => (field.name === 'buckets' ? [field] : allBelow(info, field)))
    .filter(({ name }) => name === 'buckets')
    .map((list) => new Set(allBelow(info, list).map(({ name }) => name)));

/** Whether no list of buckets shows counts without showing how far they can be trusted. */
const isBounded = (lists: readonly ReadonlySet<string>[]): boolean =>
  lists.every((names) => !names.has('doc_count') || names.has('upper_bound'));

const facetShape = (path: string, selected: readonly SelectedField[], asking: SelectionContext): Show => {
  const shows = new Map<MeasureKind, (field: SelectedField) => Show>();
  for (const kind of measureKinds) {
    const own = selected.filter(({ name }) => kindsByField.get(name) === kind);
    if (own.length > 0) shows.set(kind, measureRow(kind).select(own, asking));
  }
  return byName(selected, (field) => {
    if (field.name === 'coverage') return coverageShape(path, field, asking);
    const kind = kindsByField.get(field.name);
    return kind === undefined ? fixed(field) : shows.get(kind)!(field);
  });
};

const coverageShape = (path: string, field: SelectedField, { info }: SelectionContext): Show => {
  const shape = byProperty<FacetCoverage>(allBelow(info, field));
  return ({ coverage }) => coverage(path).map(shape);
};

/**
 * Collects and deduplicates requests: two are equal if they request the same of the same field. A list that is not
 * shown is the same as one that is, an optional sample the same as a required one, and so are requests that
 * differ in what is not shown. One without lists of buckets, whose bounds nobody sees, equals any other.
 */
const newFacetRequests = () => {
  const list: FacetRequest[] = [];
  /** By request, whether its lists show bounds; null: it has none. */
  const bounds: (boolean | null)[] = [];
  const indexes = new Map<string, number[]>();
  const add = (request: FacetRequest, bounded: boolean | null): number => {
    const { measure } = request;
    const isLess =
      (measure.kind === 'terms' && measure.listed === false) ||
      (measure.kind === 'distinct_sample' && measure.optional === true);
    const key = JSON.stringify({
      ...request,
      unshown: undefined,
      measure: { ...measure, listed: true, optional: undefined },
    });
    const alike = indexes.get(key) ?? [];
    const known = alike.find((at) => bounded === null || bounds[at] === null || bounds[at] === bounded);
    const index = known ?? list.push(request) - 1;
    if (known === undefined) indexes.set(key, [...alike, index]);
    bounds[index] = bounded ?? bounds[index] ?? null;
    const unshown = unshownByBoth(list[index]!.unshown, request.unshown);
    list[index] = {
      ...(isLess ? list[index]! : request),
      unshown,
      ...(bounds[index] === true && { bounded: true }),
    };
    return index;
  };
  return { list, add };
};
