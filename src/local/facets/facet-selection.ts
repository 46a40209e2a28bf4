import type { GraphQLResolveInfo } from 'graphql';
import type { FacetResult, MeasureKind } from '../../engines/measure.ts';
import { kindsByField, measureKinds, measureRow } from '../../facets/measures.ts';
import { byName, fixed, type Shaped } from '../../facets/row/by-name.ts';
import type { Asking, Show } from '../../facets/row/measure-row.ts';
import { memoizePerDocument } from '../../graphql/memoize-per-document.ts';
import type { SelectedField } from '../../graphql/selected-fields.ts';
import { allBelow } from '../../graphql/selected-fields.ts';
import type { FacetMeasure, FacetRequest } from '../../search/query.ts';

/** What an `aggregations` selection requests, and how to shape the result. */
export interface FacetPlan {
  readonly requests: readonly FacetRequest[];
  /** Turns the answers, in request order, into the GraphQL result: everything selected, in selection order. */
  readonly shape: (results: readonly FacetResult[]) => Shaped;
}

/**
 * The facets selected below one `aggregations` field: what to request, each distinct field and measure once, and where
 * each answer goes, by response name. A facet's type identifies its field: `extensions.path`.
 *
 * @throws TributaryError BAD_USER_INPUT for a malformed filter, or an invalid max or interval
 */
export const facetSelection = memoizePerDocument((info: GraphQLResolveInfo): FacetPlan => {
  const requests = newFacetRequests();
  const definition = info.parentType.getFields()[info.fieldName]!;
  const selected = allBelow(info, { definition, nodes: info.fieldNodes });
  const shape = byName<readonly FacetResult[]>(selected, (facet) => {
    const { path } = facet.definition.extensions as { readonly path?: string };
    if (path === undefined) return fixed(facet);
    const ask = (measure: FacetMeasure): number => requests.add({ field: path, measure });
    return facetShape(allBelow(info, facet), { info, ask });
  });
  return { requests: requests.list, shape };
});

const kinds = kindsByField('fields');

const facetShape = (selected: readonly SelectedField[], asking: Asking): Show => {
  const shows = new Map<MeasureKind, (field: SelectedField) => Show>();
  for (const kind of measureKinds) {
    const own = selected.filter(({ name }) => kinds.get(name) === kind);
    if (own.length > 0) shows.set(kind, measureRow(kind).select(own, asking));
  }
  return byName(selected, (field) => {
    const kind = kinds.get(field.name);
    return kind === undefined ? fixed(field) : shows.get(kind)!(field);
  });
};

/** Collects and deduplicates requests: two are equal if they request the same of the same field. */
const newFacetRequests = () => {
  const list: FacetRequest[] = [];
  const places = new Map<string, number>();
  const add = (request: FacetRequest): number => {
    const key = JSON.stringify(request);
    const place = places.get(key) ?? list.push(request) - 1;
    places.set(key, place);
    return place;
  };
  return { list, add };
};
