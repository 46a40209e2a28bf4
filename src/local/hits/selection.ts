import type { GraphQLResolveInfo } from 'graphql';
import { TributaryError } from '../../lib/errors/errors.ts';
import { notACursor } from '../../engines/semantics/cursor.ts';
import type { CursorValue } from '../../engines/engine.ts';
import { parseSqon } from '../../sqon/parse.ts';
import { below, allBelow, type SelectedField } from '../../lib/graphql/execution.ts';
import type { MeasureKind } from '../../engines/measure.ts';
import { facetsFitTypes, kindsByField, measureKinds, measureRow } from '../../search/facets/measures.ts';
import { byName, byProperty, fixed, isInt, type Shaped } from '../../search/facets/row/answer-shape.ts';
import type { SelectionContext, FacetAnswers, Show } from '../../search/facets/row/measure-row.ts';
import type { FacetCoverage } from '../../search/nodes-answer.ts';
import type {
  CatalogueQuery,
  FacetMeasure,
  FacetRequest,
  HitsRequest,
  SortRequest,
  UnshownPart,
} from '../../search/query.ts';
import { unshownByBoth } from '../../search/query.ts';

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
export const hitsSelection = (args: HitsArgs, info: GraphQLResolveInfo): CatalogueQuery => ({
  filters: parseSqon(args.filters),
  filterThemselves: false,
  includeMissing: true,
  facets: [],
  hits: hitsRequest(args, info, {
    definition: info.parentType.getFields()[info.fieldName]!,
    nodes: info.fieldNodes,
  }),
});

/** The page that a `hits` field requests. */
export const hitsRequest = (
  args: Omit<HitsArgs, 'filters'>,
  info: GraphQLResolveInfo,
  hits: Pick<SelectedField, 'definition' | 'nodes'>,
): HitsRequest => {
  const { edges, total, bounded, nodes, fields, shown } = hitsPlan(info, hits);
  const first = args.first ?? defaultPage;
  return {
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

const hitsPlan = (info: GraphQLResolveInfo, hits: Pick<SelectedField, 'definition' | 'nodes'>): HitsPlan => {
  const connection = below(info, hits);
  const edges = connection.filter((field) => field.name === 'edges');
  return {
    edges: edges.length > 0,
    total: connection.some(({ name }) => totalFields.has(name)),
    bounded: areTotalsBounded(info, [connection]),
    nodes: connection.some((field) => field.name === 'nodes'),
    fields: wantedPaths(info, edges),
    shown: shownPaths(info, edges),
  };
};

/** Whether every number of matches that is shown has its upper bound beside it. */
export const areTotalsBounded = (
  info: GraphQLResolveInfo,
  connections: readonly (readonly SelectedField[])[],
): boolean => {
  const names = connections.map((fields) => new Set(fields.map(({ name }) => name)));
  const isBounded = names.some((selected) => selected.has('upper_bound'));
  const nodes = connections
    .flatMap((fields) => fields.filter(({ name }) => name === 'nodes'))
    .map((field) => new Set(below(info, field).map(({ name }) => name)));
  return (
    names.every((selected) => !selected.has('total') || selected.has('upper_bound')) &&
    nodes.every(
      (selected) =>
        isBounded || !selected.has('hits') || selected.has('upper_bound') || selected.has('withheld'),
    )
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

/** The dotted paths of all values selected below some fields, including values of nested objects. */
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

/** The fields that show the total: it is counted where one of these is selected. */
export const totalFields: ReadonlySet<string> = new Set(['total', ...boundsFields]);

/** What `aggregations` selections request, and how to shape the answers. */
export interface FacetPlan {
  readonly requests: readonly FacetRequest[];
  /** The fields whose coverage is shown: how many documents match at each node. */
  readonly coverageOf: readonly string[];
  /** Turns the answers into the GraphQL value of one of the selections: everything selected, in selection order. */
  readonly shapes: readonly ((answers: FacetAnswers) => Shaped)[];
}

/**
 * The facets selected below one `aggregations` field: what to request, each distinct field and measure once, and where
 * each answer goes, by response name. A facet's type identifies its field: `extensions.path`.
 *
 * @throws TributaryError BAD_USER_INPUT for a malformed filter, or an invalid max or interval
 */
export const facetSelection = (info: GraphQLResolveInfo): FacetPlan => {
  const definition = info.parentType.getFields()[info.fieldName]!;
  return facetPlan(info, [{ definition, nodes: info.fieldNodes }]);
};

/** The facets of several `aggregations` fields as one request. @throws as facetSelection does */
export const facetPlan = (
  info: GraphQLResolveInfo,
  aggregations: readonly Pick<SelectedField, 'definition' | 'nodes'>[],
): FacetPlan => {
  const requests = newFacetRequests();
  const coverageOf = new Set<string>();
  const shapes = aggregations.map((aggregation) =>
    byName<FacetAnswers>(allBelow(info, aggregation), (facet) => {
      const extensions = facet.definition.extensions as Partial<SelectionContext['field']>;
      const { path, kind = 'keyword', hierarchy } = extensions;
      if (path === undefined) return fixed(facet);
      const selected = allBelow(info, facet);
      const lists = bucketLists(info, selected);
      const isShown = (field: string): boolean => lists.some((names) => names.has(field));
      const wanted = {
        unshown: onlyShown.filter((part) => !isShown(part)),
        ...(isShown('nodes') && { parted: true as const }),
      };
      const bounded = lists.length === 0 ? null : areBounded(lists);
      const addRequest = (measure: FacetMeasure): number =>
        requests.add({ field: path, measure, ...wanted }, bounded);
      if (selected.some(({ name }) => name === 'coverage')) coverageOf.add(path);
      return facetShape(path, selected, {
        info,
        field: { path, kind, ...(hierarchy && { hierarchy }) },
        addRequest,
      });
    }),
  );
  return { requests: requests.list, coverageOf: [...coverageOf], shapes };
};

/**
 * Whether GraphQL's types can represent the answers unchanged; otherwise an executor must refuse the values, each at its
 * place.
 */
export const fitTypes = (
  { coverageOf }: Pick<FacetPlan, 'coverageOf'>,
  { facets, coverage }: FacetAnswers,
): boolean =>
  facetsFitTypes(facets) && coverageOf.every((path) => coverage(path).every(({ docs }) => isInt(docs ?? 0)));

const onlyShown: readonly UnshownPart[] = ['key_as_string', 'estimate'];

/** The names of the fields that each list of buckets shows. */
const bucketLists = (
  info: GraphQLResolveInfo,
  selected: readonly SelectedField[],
): readonly ReadonlySet<string>[] =>
  selected
    .flatMap((field) => (field.name === 'buckets' ? [field] : [field, ...allBelow(info, field)]))
    .filter(({ name }) => name === 'buckets' || name === 'tree' || name === 'other')
    .map((list) => new Set(allBelow(info, list).map(({ name }) => name)));

/** Whether no list of buckets shows counts without showing how far they can be trusted. */
const areBounded = (lists: readonly ReadonlySet<string>[]): boolean =>
  lists.every((names) => !names.has('doc_count') || names.has('upper_bound'));

const facetShape = (path: string, selected: readonly SelectedField[], context: SelectionContext): Show => {
  const shows = new Map<MeasureKind, (field: SelectedField) => Show>();
  for (const kind of measureKinds) {
    const ofKind = selected.filter(({ name }) => kindsByField.get(name) === kind);
    if (ofKind.length > 0) shows.set(kind, measureRow(kind).select(ofKind, context));
  }
  const measured = selected.filter(({ name }) => kindsByField.has(name));
  const shape = byName<FacetAnswers>(selected, (field) => {
    if (field.name === 'coverage') return coverageShape(path, field, context);
    const kind = kindsByField.get(field.name);
    return kind === undefined ? fixed(field) : orError(shows.get(kind)!(field));
  });
  return (answers) => {
    const shaped = shape(answers);
    const values = measured.map(({ responseName }) => shaped[responseName]);
    const isShown = selected.some(({ name }) => name === 'coverage');
    return !isShown && values.length > 0 && values.every((value) => value instanceof Error)
      ? values[0]
      : shaped;
  };
};

/** A measure that could not be computed is an error at its place, or at its facet's, if there is nothing else in it. */
const orError =
  (show: Show): Show =>
  (answers) => {
    try {
      return show(answers);
    } catch (error) {
      if (error instanceof TributaryError) return error;
      throw error;
    }
  };

const coverageShape = (path: string, field: SelectedField, { info }: SelectionContext): Show => {
  const shape = byProperty<FacetCoverage>(allBelow(info, field));
  return ({ coverage }) => coverage(path).map(shape);
};

/**
 * Collects facet requests. Requests for the same measure of the same field are sent once, even if only some of them select
 * the list of values or the optional parts of a bucket. Requests with lists of buckets share only if all of them select
 * bounds, or none does; a request without lists shares with either.
 */
const newFacetRequests = () => {
  const list: FacetRequest[] = [];
  /** By request, whether its lists show bounds; null: it has none. */
  const bounds: (boolean | null)[] = [];
  const indexes = new Map<string, number[]>();
  const add = (request: FacetRequest, bounded: boolean | null): number => {
    const { measure } = request;
    const isLess = measure.kind === 'terms' && measure.listed === false;
    const key = JSON.stringify({
      ...request,
      unshown: undefined,
      measure: { ...measure, listed: true },
    });
    const alike = indexes.get(key) ?? [];
    const known = alike.find((at) => bounded === null || bounds[at] === null || bounds[at] === bounded);
    const index = known ?? list.push(request) - 1;
    if (known === undefined) indexes.set(key, [...alike, index]);
    bounds[index] = bounded ?? bounds[index] ?? null;
    const unshown = unshownByBoth(list[index]!.unshown, request.unshown);
    list[index] = {
      ...(isLess ? list[index]! : request),
      unshown,
      ...(bounds[index] === true && { bounded: true }),
    };
    return index;
  };
  return { list, add };
};
