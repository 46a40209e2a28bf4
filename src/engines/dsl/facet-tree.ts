import type { JsonObject } from '../../json.ts';
import { objectIn } from './answer.ts';

/** The aggregations of one facet, and the steps to what it looks at. */
export interface FacetBranch {
  readonly steps: readonly JsonObject[];
  readonly aggregations: JsonObject;
}

export interface FacetTree {
  readonly aggs: JsonObject;
  /** For each facet the names of the aggregations on the way to its own. */
  readonly ways: readonly (readonly string[])[];
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
  const ways = facets.map(({ steps, aggregations }, at) => {
    const way: string[] = [];
    let node = root;
    for (const step of steps) {
      const taken = stepInto(node, step);
      way.push(taken.name);
      node = taken.node;
    }
    for (const [name, aggregation] of Object.entries(aggregations))
      node.own[`${facetName(at)}_${name}`] = aggregation as JsonObject;
    return way;
  });
  return { aggs: printed(root), ways };
};

const facetName = (at: number): string => `f${at}`;

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

/** The answers to a facet's aggregations by their own names. */
export const facetAnswers = ({ ways }: FacetTree, at: number, aggregations: JsonObject): JsonObject => {
  const answers = ways[at]!.reduce(objectIn, aggregations);
  const prefix = `${facetName(at)}_`;
  return Object.fromEntries(
    Object.entries(answers).flatMap(([name, answer]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), answer]] : [],
    ),
  );
};
