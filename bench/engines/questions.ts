import type { JsonObject } from '../../src/lib/json/json.ts';
import { facetPaths } from '../engine/documents.ts';
import { at, listAt, pageRows } from './answers.ts';
import type { Sent, Way } from './connections.ts';
import { bodiesOfFacets, bodiesOfOwnFacets, bodiesOfPage } from './bodies.ts';
import { facetsOfPort, pageOfPort, type PortQuestion } from './port-queries.ts';
import { everyTicked, plain, sqonOf, ticked, type Selection, type SelectionOf } from './selections.ts';

/** A question of a portal, put to a node by GraphQL and to the search server by hand. */
export interface Question {
  readonly name: string;
  readonly selectionOf: SelectionOf;
  readonly node: Way<Selection>;
  readonly port: PortQuestion;
  /** The quickest of these is the measure. */
  readonly bodies: readonly Way<Selection>[];
  readonly targets: Targets;
}

export interface Targets {
  /** The node's median on the search server is at most so many times the body's. */
  readonly slower: number;
  /** At 8 connections the node answers at least this share of what the bare server answers. */
  readonly throughput: number;
  /** The body's median is at least so many times the embedded engine's, called through its port. */
  readonly embedded: number;
}

const everyPath = facetPaths.map((path) => (path === 'collector' ? 'category' : path));
const facetSize = 100;

const graphql = (query: string, selection: Selection): Sent => ({
  path: '/graphql',
  body: JSON.stringify({ query, variables: { filters: sqonOf(selection) } }),
});

const nameOf = (path: string): string => path.replaceAll('.', '__');

const facetsFromNode = (paths: readonly string[], filterThemselves: boolean): Way<Selection> => {
  const query = `query ($filters: JSON) { specimen { aggregations(filters: $filters, include_missing: false,
    aggregations_filter_themselves: ${filterThemselves}) {
    ${paths.map((path) => `${nameOf(path)} { buckets(max: ${facetSize}) { doc_count key } }`).join(' ')} } } }`;
  return {
    name: 'node',
    sent: (selection) => graphql(query, selection),
    read: (answer) => {
      const facets = at(answer, 'data', 'specimen', 'aggregations') as JsonObject;
      return paths.map((path) =>
        listAt(facets[nameOf(path)], 'buckets').map((bucket) => [at(bucket, 'key'), at(bucket, 'doc_count')]),
      );
    },
  };
};

const pageQuery = `query ($filters: JSON) { specimen {
  hits(filters: $filters, first: 20, sort: [{ fieldName: "collected", order: desc }]) {
    total edges { node { id species title collected weight tags donor { country age } } } } } }`;

const pageFromNode: Way<Selection> = {
  name: 'node',
  sent: (selection) => graphql(pageQuery, selection),
  read: (answer) => {
    const hits = at(answer, 'data', 'specimen', 'hits');
    return pageRows(
      at(hits, 'total'),
      listAt(hits, 'edges').map((edge) => at(edge, 'node')),
    );
  },
};

const facetTargets: Targets = { slower: 1.1, throughput: 0.85, embedded: 8 };

export const questions: readonly Question[] = [
  {
    name: 'a page of 20',
    selectionOf: plain,
    node: pageFromNode,
    port: pageOfPort,
    bodies: bodiesOfPage,
    targets: { slower: 1.25, throughput: 0.6, embedded: 1 },
  },
  {
    name: '10 facets',
    selectionOf: plain,
    node: facetsFromNode(facetPaths, true),
    port: facetsOfPort(facetPaths, facetSize, true),
    bodies: bodiesOfFacets(facetPaths, facetSize),
    targets: facetTargets,
  },
  {
    name: '10 facets, 3 with own clauses',
    selectionOf: ticked,
    node: facetsFromNode(facetPaths, false),
    port: facetsOfPort(facetPaths, facetSize, false),
    bodies: bodiesOfOwnFacets(facetPaths, facetSize),
    targets: facetTargets,
  },
  {
    name: '10 facets, 10 with own clauses',
    selectionOf: everyTicked,
    node: facetsFromNode(everyPath, false),
    port: facetsOfPort(everyPath, facetSize, false),
    bodies: bodiesOfOwnFacets(everyPath, facetSize),
    targets: facetTargets,
  },
];
