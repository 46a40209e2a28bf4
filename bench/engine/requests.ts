import { facetPaths } from './documents.ts';

const buckets = 'buckets(max: 100) { doc_count key }';

const request = (query: string, variables: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query, variables }),
});

/** Weights differ with `least`, so no answer can come from a cache. */
const filters = (least: number): object => ({
  op: 'and',
  content: [
    { op: 'in', content: { fieldName: 'phase', value: ['ph1', 'ph2'] } },
    { op: 'between', content: { fieldName: 'weight', value: [least, least + 500] } },
  ],
});

/** Ten facets over about a sixth of the documents. */
export const facetsRequest = (least: number): RequestInit =>
  request(
    `query ($filters: JSON) { specimen { aggregations(filters: $filters, include_missing: false, aggregations_filter_themselves: true) {
      ${facetPaths.map((path) => `${path.replaceAll('.', '__')} { ${buckets} }`).join(' ')} } } }`,
    { filters: filters(least) },
  );

/** A sorted page of 20 with its total. */
export const pageRequest = (least: number): RequestInit =>
  request(
    `query ($filters: JSON) { specimen { hits(filters: $filters, first: 20, sort: [{ fieldName: "collected", order: desc }]) {
      total edges { node { id species title collected weight tags donor { country age } } } } } }`,
    { filters: filters(least) },
  );
