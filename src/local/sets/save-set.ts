import { randomUUID } from 'node:crypto';
import { badUserInput, TributaryError } from '../../lib/errors/errors.ts';
import type { Field, Fields } from '../../introspection/fields/field.ts';
import {
  documentKey,
  fieldNamed,
  hasOwnValues,
  isIntegerType,
  fieldByAggregationName,
} from '../../introspection/fields/field.ts';
import type { JsonObject, JsonValue } from '../../lib/json/json.ts';
import type { Sqon } from '../../sqon/ast.ts';
import { parseSqon } from '../../sqon/parse.ts';
import { accessFilter } from '../search/query-filter.ts';
import type { Catalogue } from '../../search/catalogue.ts';
import { hitPages } from '../download/file-plan.ts';
import { leafValues } from '../download/cell-text.ts';
import { columnPath, valuesAt, type ColumnPath } from '../download/column-path.ts';
import { fieldValue } from '../hits/stored-document.ts';
import type { CatalogueHit } from '../../search/query.ts';
import { auditSteps } from '../../search/audited-search.ts';
import type { RequestContext } from '../../search/request-context.ts';
import { sortRequests, type SortArg } from '../hits/selection.ts';
import { maxSetSize, type SavedSet, type SetOwnership, type SetStore } from '../../search/saved-set.ts';

/** The arguments of `saveSet` as GraphQL passes them. */
export interface SaveSetArgs {
  readonly type: string;
  readonly userId?: string | null;
  readonly sharedWith?: readonly (string | null)[] | null;
  readonly sqon: unknown;
  readonly path: string;
  readonly sort?: readonly (SortArg | null)[] | null;
}

/**
 * Saves the distinct values of a path over all documents that match a filter and are visible to the caller, in sort
 * order.
 * @throws TributaryError BAD_USER_INPUT for a malformed filter, a path without values, or more values than a set can
 *   hold; CONFLICT when the maximum number of sets is reached
 */
export const saveSet = async (
  args: SaveSetArgs,
  catalogue: Catalogue,
  sets: SetStore,
  context: RequestContext,
): Promise<SavedSet> => {
  const { config, fields } = catalogue;
  if (args.type !== config.documentType)
    throw badUserInput(`type must be ${config.documentType}: sets of sets cannot be saved`);
  rejectLongUserId(args.userId ?? '');
  const field = valueField(args.path, fields);
  const access = await accessFilter(config.catalogueId, fields, context);
  const ownership = ownershipOf(args.sharedWith ?? [], context);
  const sqon = parseSqon(args.sqon);
  const steps = auditSteps(context);
  const asSet = { kind: 'set', fields: [field.path] } as const;
  const place = field === documentKey ? null : columnPath(field.path, fields);
  const matching = matches(catalogue, sqon, place, args.sort ?? [], steps.context);
  const ids = await distinctValues(matching, field, place).catch((error: unknown) => {
    steps.write(asSet);
    throw error;
  });
  steps.write({ ...asSet, rows: ids.length });
  const set: SavedSet = {
    setId: randomUUID(),
    createdAt: new Date().toISOString(),
    ids,
    type: config.documentType,
    path: args.path,
    sqon: args.sqon as JsonObject,
    userId: args.userId ?? null,
    size: ids.length,
  };
  await sets.save(set, config, access, ownership, context);
  return set;
};

const maxUserIdLength = 256;
const maxShared = 100;

/** Sets are shared with subjects of the caller's own issuer. */
const ownershipOf = (shared: readonly (string | null)[], { caller }: RequestContext): SetOwnership => {
  const owner = caller.subject?.() ?? null;
  const names = shared.filter((name) => name !== null);
  if (owner === null && names.length > 0)
    throw new TributaryError(
      'UNAUTHENTICATED',
      'sharedWith needs a bearer token: this set would have no owner',
    );
  if (names.length > maxShared || names.some((name) => name.length > maxUserIdLength))
    throw badUserInput(`sharedWith can have ${maxShared} subjects of at most ${maxUserIdLength} characters`);
  const [issuer] = JSON.parse(owner ?? '[null]') as readonly unknown[];
  return {
    owner,
    sharedWith: names.map((name) => (name === '*' ? name : JSON.stringify([issuer, name]))),
  };
};

const rejectLongUserId = (userId: string): void => {
  if (userId.length > maxUserIdLength)
    throw badUserInput(`userId has ${userId.length} characters, at most ${maxUserIdLength} are allowed`);
};

/** The field of a path, in dotted form or as its aggregation name, which portals know. */
const valueField = (path: string, fields: Fields): Field => {
  const field = fieldNamed(fields, path) ?? fieldByAggregationName(fields).get(path);
  if (field !== undefined && hasOwnValues(field.kind)) return field;
  throw badUserInput(
    field === undefined
      ? `path names the unknown field ${path.slice(0, 200)}`
      : `path names ${field.path} of type ${field.type}, which has no values of its own; name a field in it`,
    { details: { path: path.slice(0, 200) } },
  );
};

/** How many documents are read per step. */
const pageSize = 2_000;

const matches = (
  { search, config }: Catalogue,
  filters: Sqon | null,
  place: ColumnPath | null,
  sort: readonly (SortArg | null)[],
  context: RequestContext,
): AsyncGenerator<readonly CatalogueHit[]> => {
  const hits = {
    first: 0,
    offset: 0,
    sort: sortRequests(sort),
    searchAfter: null,
    trackTotal: false,
    fields: place === null ? [] : [place.mapped!],
  };
  const query = { filters, filterThemselves: false, includeMissing: false, facets: [], hits };
  const window = config.table.maxResultsWindow;
  return hitPages({ query, limit: null }, search, context, Math.min(pageSize, window));
};

/**
 * @param place where documents hold the field's values; null: they are the documents' own ids
 * @throws TributaryError BAD_USER_INPUT as soon as there are more than a set can hold
 */
const distinctValues = async (
  pages: AsyncIterable<readonly CatalogueHit[]>,
  field: Field,
  place: ColumnPath | null,
): Promise<readonly string[]> => {
  const ids = new Set<string>();
  for await (const hits of pages) {
    for (const { id, source } of hits) {
      const values = place === null ? [id] : valuesAt(source, place.steps).flatMap(leafValues);
      for (const value of values) ids.add(setValue(value, field));
    }
    if (ids.size > maxSetSize)
      throw badUserInput(
        `the set would hold more than ${maxSetSize} values of ${field.path}; narrow the filter`,
        { details: { accepted: maxSetSize } },
      );
  }
  return [...ids];
};

/** A stored value in one form, however it was written: the one that is searched. */
const setValue = (value: JsonValue, field: Field): string => {
  const hasForms = field.kind === 'number' || field.kind === 'boolean';
  const printed = hasForms ? (fieldValue(value, field) ?? value) : value;
  return String(typeof printed === 'number' && isIntegerType(field.type) ? Math.trunc(printed) : printed);
};
