import type { JsonObject } from '../../json.ts';
import type { FacetQuery } from '../engine.ts';
import { objectIn } from './answer.ts';
import { filterQuery } from './filter-query.ts';

/** Puts aggregations on the nested objects a facet looks at. */
type Step = (aggregations: JsonObject) => JsonObject;

/**
 * The aggregations of a facet on what it looks at. Of a field of the document they stand beside those of other facets,
 * each under `name` and its own; of a nested field inside a chain of nested and filter aggregations.
 */
export const scopedAggregations = (name: string, facet: FacetQuery, aggregations: JsonObject): JsonObject => {
  const steps = stepsOf(facet);
  if (steps.length === 0)
    return Object.fromEntries(Object.entries(aggregations).map(([key, value]) => [`${name}_${key}`, value]));
  const inside = steps.reduceRight((inner, step, depth) => {
    const aggregation = step(inner);
    return depth === 0 ? { [name]: aggregation } : { in: aggregation };
  }, aggregations);
  return inside;
};

/** The answers to scopedAggregations by their own names. */
export const scopedAnswers = (name: string, facet: FacetQuery, answers: JsonObject): JsonObject => {
  const { length } = stepsOf(facet);
  if (length === 0)
    return Object.fromEntries(
      Object.entries(answers).flatMap(([key, value]) =>
        key.startsWith(`${name}_`) ? [[key.slice(name.length + 1), value]] : [],
      ),
    );
  let inside = objectIn(answers, name);
  for (let depth = 1; depth < length; depth += 1) inside = objectIn(inside, 'in');
  return inside;
};

/** Down to the innermost nested path; those above it only where their objects are restricted. */
const stepsOf = ({ field, objects }: FacetQuery): readonly Step[] =>
  field.nestedIn.flatMap((path, depth): readonly Step[] => {
    const condition = objects[path];
    const restricted = condition !== undefined && condition.kind !== 'all';
    if (!restricted && depth < field.nestedIn.length - 1) return [];
    const enter: Step = (aggregations) => ({ nested: { path }, aggs: aggregations });
    if (!restricted) return [enter];
    return [enter, (aggregations) => ({ filter: filterQuery(condition), aggs: aggregations })];
  });
