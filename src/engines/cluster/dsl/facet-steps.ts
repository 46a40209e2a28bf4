import type { JsonObject } from '../../../json.ts';
import type { FacetQuery } from '../../engine.ts';
import { filterQuery } from './filter-query.ts';

/**
 * The nested and filter aggregations, without anything in them, that lead to the objects a facet looks at: down to the
 * innermost nested path; those above it only where their objects are restricted. None for a field of the document.
 */
export const facetSteps = ({ field, objects }: FacetQuery): readonly JsonObject[] =>
  field.nestedIn.flatMap((path, depth): readonly JsonObject[] => {
    const condition = objects[path];
    const restricted = condition !== undefined && condition.kind !== 'all';
    if (restricted) return [{ nested: { path } }, { filter: filterQuery(condition) }];
    return depth < field.nestedIn.length - 1 ? [] : [{ nested: { path } }];
  });
