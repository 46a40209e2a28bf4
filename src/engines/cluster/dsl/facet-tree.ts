import type { JsonObject } from '../../../json.ts';
import { objectIn } from './answer.ts';

/** The aggregations of one facet, and the steps to what it looks at. */
export interface FacetBranch {
  readonly steps: readonly JsonObject[];
  readonly aggregations: JsonObject;
}

export interface FacetTree {
  readonly aggs: JsonObject;
  /** Where the answers to each facet stand. */
  readonly places: readonly FacetPlace[];
}

interface FacetPlace {
  /** The names of the aggregations on the way to its own. */
  readonly way: readonly string[];
  /** Its own aggregations. */
  readonly names: readonly string[];
}

interface Node {
  readonly own: Record<string, JsonObject>;
  /** By the text of the step, in the order they came. */
  readonly below: Map<string, { readonly name: string; readonly step: JsonObject; readonly node: Node }>;
}

const newNode = (): Node => ({ own: {}, below: new Map() });

/** Facets in one tree of aggregations: those that begin with the same steps share them. */
export const facetTree = (facets: readonly FacetBranch[]): FacetTree => {
  const root = newNode();
  const places = facets.map(({ steps, aggregations }, at): FacetPlace => {
    const way: string[] = [];
    let node = root;
    for (const step of steps) {
      const taken = stepInto(node, step);
      way.push(taken.name);
      node = taken.node;
    }
    for (const [name, aggregation] of Object.entries(aggregations))
      node.own[nameOf(at, name)] = aggregation as JsonObject;
    return { way, names: Object.keys(aggregations) };
  });
  return { aggs: printed(root), places };
};

const nameOf = (at: number, name: string): string => `f${at}_${name}`;

const stepInto = ({ below }: Node, step: JsonObject): { readonly name: string; readonly node: Node } => {
  const text = JSON.stringify(step);
  const taken = below.get(text) ?? { name: `in${below.size}`, step, node: newNode() };
  below.set(text, taken);
  return taken;
};

const printed = ({ own, below }: Node): JsonObject => ({
  ...own,
  ...Object.fromEntries(
    [...below.values()].map(({ name, step, node }) => [name, { ...step, aggs: printed(node) }]),
  ),
});

/** The answers to a facet's aggregations by their own names; those that are absent are left out. */
export const facetAnswers = ({ places }: FacetTree, at: number, aggregations: JsonObject): JsonObject => {
  const { way, names } = places[at]!;
  const answers = way.reduce(objectIn, aggregations);
  return Object.fromEntries(
    names.flatMap((name) => {
      const answer = answers[nameOf(at, name)];
      return answer === undefined ? [] : [[name, answer]];
    }),
  );
};
