import type { JsonObject } from '../../../json/json.ts';
import type { FacetQuery } from '../../engine.ts';
import { filterQuery } from './filter/filter-query.ts';

/**
 * The empty nested and filter aggregations that lead to the objects a facet covers: down to the innermost nested path;
 * outer paths only where their objects are restricted. None for a non-nested field.
 */
export const facetSteps = ({ field, objects }: FacetQuery): readonly JsonObject[] =>
  field.nestedIn.flatMap((path, depth): readonly JsonObject[] => {
    const condition = objects[path];
    const restricted = condition !== undefined && condition.kind !== 'all';
    if (restricted) return [{ nested: { path } }, { filter: filterQuery(condition) }];
    return depth < field.nestedIn.length - 1 ? [] : [{ nested: { path } }];
  });
