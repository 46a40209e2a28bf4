import type { GraphQLResolveInfo } from 'graphql';
import { notACursor } from '../../engines/semantics/cursor.ts';
import type { CursorValue } from '../../engines/engine.ts';
import { parseSqon } from '../../sqon/parse.ts';
import type { CatalogueQuery, HitsRequest, SortRequest } from '../../search/query.ts';
import { below, type SelectedField } from '../../graphql/execution.ts';

/** The arguments of `hits` as GraphQL passes them. */
export interface HitsArgs {
  readonly filters?: unknown;
  readonly first?: number | null;
  readonly offset?: number | null;
  readonly sort?: readonly (SortArg | null)[] | null;
  readonly searchAfter?: unknown;
  readonly trackTotalHits?: boolean | null;
}

export interface SortArg {
  readonly fieldName: string;
  readonly order?: SortRequest['order'] | null;
  readonly mode?: SortRequest['mode'] | null;
  readonly missing?: SortRequest['missing'] | null;
}

const defaultPage = 10;

/** The query of one `hits` field: its arguments, and only the selected paths of each document. */
export const hitsSelection = (args: HitsArgs, info: GraphQLResolveInfo): CatalogueQuery => {
  const { edges, total, bounded, nodes, fields, shown } = hitsPlan(info);
  const first = args.first ?? defaultPage;
  const request: HitsRequest = {
    // rows that are not selected are not fetched; a negative number remains an error
    first: edges ? first : Math.min(first, 0),
    offset: args.offset ?? 0,
    sort: sortRequests(args.sort ?? []),
    searchAfter: readCursor(args.searchAfter),
    trackTotal: ((args.trackTotalHits ?? true) && total) || nodes,
    ...(bounded && { bounded }),
    fields,
    shown,
  };
  return {
    filters: parseSqon(args.filters),
    filterThemselves: false,
    includeMissing: true,
    facets: [],
    hits: request,
  };
};

/** The selected parts of a page, and the selected paths of its documents: null for whole ones. */
interface HitsPlan {
  readonly edges: boolean;
  readonly total: boolean;
  /** Whether the number of matching documents at each node is selected. */
  readonly nodes: boolean;
  /** Whether the bounds of the total are selected too. */
  readonly bounded: boolean;
  readonly fields: readonly string[] | null;
  readonly shown: readonly string[];
}

const hitsPlan = (info: GraphQLResolveInfo): HitsPlan => {
  const connection = below(info, {
    definition: info.parentType.getFields()[info.fieldName]!,
    nodes: info.fieldNodes,
  });
  const edges = connection.filter((field) => field.name === 'edges');
  return {
    edges: edges.length > 0,
    total: connection.some(({ name }) => totalFields.has(name)),
    bounded: isBounded(info, connection),
    nodes: connection.some((field) => field.name === 'nodes'),
    fields: wantedPaths(info, edges),
    shown: shownPaths(info, edges),
  };
};

/** Whether the number of matches is shown with its upper bound. */
const isBounded = (info: GraphQLResolveInfo, connection: readonly SelectedField[]): boolean => {
  const names = new Set(connection.map(({ name }) => name));
  if (names.has('upper_bound') || (names.has('exists') && !names.has('total'))) return true;
  const nodes = connection.filter(({ name }) => name === 'nodes').map((field) => below(info, field));
  return (
    !names.has('total') &&
    nodes.length > 0 &&
    nodes.every((shown) => shown.some(({ name }) => name === 'upper_bound' || name === 'withheld'))
  );
};

/** The sort keys of an argument as requests, skipping empty entries. */
export const sortRequests = (sort: readonly (SortArg | null)[]): readonly SortRequest[] =>
  sort
    .filter((key) => key !== null)
    .map(({ fieldName, order, mode, missing }) => ({
      fieldName,
      order: order ?? 'asc',
      ...(mode == null ? {} : { mode }),
      ...(missing == null ? {} : { missing }),
    }));

/** Clients that requested no sort hold an empty list: it means the first page. */
const readCursor = (value: unknown): readonly CursorValue[] | null => {
  if (value === undefined || value === null) return null;
  const isCursor = Array.isArray(value) && value.every((item) => item === null || typeof item !== 'object');
  if (!isCursor) throw notACursor(value);
  return value.length === 0 ? null : (value as CursorValue[]);
};

/** The dotted paths selected below some fields; null if the whole document is among them. */
const wantedPaths = (
  info: GraphQLResolveInfo,
  fields: readonly SelectedField[],
): readonly string[] | null => {
  const paths = new Set<string>();
  const visit = (field: SelectedField): boolean => {
    const { path, whole, document } = field.definition.extensions as FieldExtensions;
    if (document === true) {
      const requested = field.args['paths'] as readonly (string | null)[] | null | undefined;
      for (const wanted of requested ?? []) if (wanted !== null) paths.add(wanted);
      return requested != null;
    }
    if (path !== undefined && whole === true) {
      paths.add(path);
      return true;
    }
    return below(info, field).every(visit);
  };
  return fields.every(visit) ? [...paths] : null;
};

/** The dotted paths of all values selected below some fields, those of nested objects too. */
const shownPaths = (info: GraphQLResolveInfo, fields: readonly SelectedField[]): readonly string[] => {
  const paths = new Set<string>();
  const visit = (field: SelectedField): void => {
    const { path } = field.definition.extensions as FieldExtensions;
    const children = below(info, field);
    if (path !== undefined && children.length === 0) paths.add(path);
    children.forEach(visit);
  };
  fields.forEach(visit);
  return [...paths];
};

/** The metadata that node-fields.ts attaches to a field. */
interface FieldExtensions {
  readonly path?: string;
  /** Requested as a whole, whatever is selected below. */
  readonly whole?: boolean;
  /** The field is the document itself. */
  readonly document?: boolean;
}

/** The fields that say how far a total can be trusted. */
export const boundsFields = ['upper_bound', 'exists', 'exact', 'estimate'] as const;

/** What is read from the total: it is counted where one of these is selected. */
export const totalFields: ReadonlySet<string> = new Set(['total', ...boundsFields]);
