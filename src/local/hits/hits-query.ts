import type { HitsQuery, SortKey } from '../../engines/engine.ts';
import { assertPage } from '../../engines/semantics/cursor.ts';
import { assertSortable } from '../../engines/semantics/field-uses.ts';
import { badUserInput, type TributaryError } from '../../errors/errors.ts';
import type { CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import { fieldNamed, type Field, type Fields } from '../../introspection/fields/field.ts';
import { likelyField } from '../../introspection/fields/unknown-fields.ts';
import { limited } from '../../introspection/limit.ts';
import type { Filter } from '../../sqon/filter.ts';
import { engineCursor, type CursorSeal } from './cursor.ts';
import { sortDefaults, type HitsRequest, type SortRequest } from '../../search/query.ts';

/** The deepest page that every engine returns without a cursor. */
const maxPageDepth = 10_000;
/** Every pair of hits may be compared by every key. */
export const maxSortKeys = 100;

export interface HitsContext {
  readonly config: CatalogueConfig;
  readonly fields: Fields;
  /** Present if tiebreakers are sealed. */
  readonly cursors?: CursorSeal | undefined;
  /** Receives changes made to the request: a clamped page, an unusable sort. */
  readonly warn: (message: string) => void;
}

/**
 * A page of hits for the engine.
 *
 * @throws TributaryError BAD_USER_INPUT for a negative page, one too deep for offsets, a cursor combined with an
 *   offset, too many sort keys, or one that is unknown or unsortable
 */
export const hitsQuery = (request: HitsRequest, filter: Filter, context: HitsContext): HitsQuery => {
  const size = pageSize(request, { window: context.config.table.maxResultsWindow, warn: context.warn });
  if (request.sort.length > maxSortKeys)
    throw badUserInput(`sort takes at most ${maxSortKeys} keys, not ${request.sort.length}`);
  const sort = request.sort.flatMap((key) => sortKey(key, context));
  return {
    filter,
    size,
    offset: request.offset,
    sort,
    searchAfter:
      request.searchAfter &&
      engineCursor(context.cursors?.open(request.searchAfter, sort.length) ?? request.searchAfter, sort),
    source: sourcePaths(request.fields, context),
    trackTotal: request.trackTotal,
  };
};

/**
 * How many hits a page holds: as many as requested, at most a results window.
 * @throws TributaryError BAD_USER_INPUT for a negative page, one too deep for offsets, a cursor combined with an offset
 */
export const pageSize = (
  request: HitsRequest,
  { window, warn }: Pick<HitsContext, 'warn'> & { readonly window: number },
): number => {
  const { first, offset, searchAfter } = request;
  rejectNegative('first', first);
  rejectNegative('offset', offset);
  const size = limited(first, window);
  if (size < first)
    warn(`first ${first} is more than this catalogue's results window; ${window} hits are shown`);
  assertPage(offset, size, Math.max(maxPageDepth, window), searchAfter !== null);
  return size;
};

const rejectNegative = (name: string, value: number): void => {
  if (value < 0) throw badUserInput(`${name} must be 0 or more, not ${value}`);
};

/**
 * None for names that portals request but that have no order.
 * @throws TributaryError BAD_USER_INPUT for a field that is unknown or unsortable
 */
export const sortKey = (
  request: SortRequest,
  context: Pick<HitsContext, 'fields' | 'warn'>,
): readonly SortKey[] => {
  const { fieldName } = request;
  if (fieldName === relevance && !context.fields.has(relevance)) {
    context.warn(`sort by ${fieldName} is left out: filters find, they do not rank`);
    return [];
  }
  if (isHitCount(fieldName, context.fields)) {
    context.warn(`sort by ${fieldName} is left out: the number of nested hits has no order`);
    return [];
  }
  const field = sortField(fieldName, context.fields);
  const key = sortDefaults(request);
  assertSortable(field, key.mode);
  return [{ field: field.indexField, ...key }];
};

/** Portal components use this in place of `<nested path>.hits.total`. */
const relevance = '_score';

const hitCountSuffix = '.hits.total';

/** Portals offer `<nested path>.hits.total` as a column that users can sort by. */
const isHitCount = (fieldName: string, fields: Fields): boolean =>
  fieldName.endsWith(hitCountSuffix) &&
  fields.get(fieldName.slice(0, -hitCountSuffix.length))?.kind === 'nested';

const sortField = (fieldName: string, fields: Fields): Field => {
  const field = fieldNamed(fields, fieldName);
  if (field === undefined) throw unknownSort(fieldName, fields);
  return field;
};

const unknownSort = (fieldName: string, fields: Fields): TributaryError => {
  const likely = likelyField(fieldName, fields);
  const hint = likely === undefined ? '' : ` (did you mean "${likely}"?)`;
  return badUserInput(`sort names the unknown field ${fieldName}${hint}`, {
    details: { fieldName, ...(likely !== undefined && { didYouMean: likely }) },
  });
};

const sourcePaths = (
  paths: readonly string[] | null,
  { config, fields }: HitsContext,
): readonly string[] | null => {
  const { nestingPrefix } = config;
  if (paths === null) return nestingPrefix === null ? null : [nestingPrefix];
  const outside = nestingPrefix === null ? '' : `${nestingPrefix}.`;
  return paths.map((path) => fields.get(path)?.indexField.path ?? `${outside}${path}`);
};
