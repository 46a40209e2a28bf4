import type { Filter } from '../api/filter.ts';
import type { Sort } from '../api/catalogue.ts';

/** Everything about a page that a link restores. Plain JSON; absent parts have their initial state. */
export interface View {
  readonly source?: string;
  readonly tab?: 'table' | 'gallery' | 'charts' | 'compare';
  readonly join?: 'and' | 'or';
  readonly filters?: readonly Filter[];
  /** The institutions to query; absent: all. */
  readonly nodes?: readonly string[];
  readonly columns?: readonly string[];
  readonly sort?: readonly Sort[];
  readonly charts?: readonly string[];
  /** The fields whose charts are drawn in the alternative way: bars by name, histograms by powers of ten. */
  readonly altered?: readonly string[];
  /** The term whose children the chart of a field with a hierarchy shows, by path; absent: the first level. */
  readonly levels?: Readonly<Record<string, string>>;
  /** What the counts of a field are, where it is not what the server counts: records (''), or a nested list; by path. */
  readonly units?: Readonly<Record<string, string>>;
  /** The field of the histogram above the table; absent: the main one. */
  readonly timeline?: string;
  readonly cohorts?: readonly Cohort[];
  /** Facets that are open in addition to those that always are. */
  readonly opened?: readonly string[];
  readonly record?: RecordKey;
  /** The institution whose page is shown. */
  readonly node?: string;
  /** The names that the previous source had and this source lacks: until the next change. */
  readonly dropped?: readonly string[];
}

export interface Cohort {
  readonly name: string;
  readonly filter: Filter | null;
}

export interface RecordKey {
  readonly id: string;
  readonly nodeId: string | null;
  /** Its key, for an institution that is a network: records of several institutions in it may share an id. */
  readonly key?: string;
  /** Its index in the list that led to it, from 0. */
  readonly at?: number;
}

/** The key of a record alone, without its place in a list. */
export const recordKey = ({ id, nodeId, key }: RecordKey): RecordKey => ({
  ...{ id, nodeId },
  ...(key !== undefined && { key }),
});

/** Equal for one record only. */
export const rowKey = ({ id, nodeId, key }: RecordKey): string => key ?? `${nodeId ?? ''}/${id}`;

/** The filter of a view in the server's form. */
export const filterOf = ({ filters = [], join = 'and' }: View): Filter | null =>
  filters.length === 0 ? null : { op: join, content: filters };

/** The parts of a cohort that a link contains. */
export const linkedCohort = ({ name, filter }: Cohort): Cohort => ({ name, filter });

/** A view of Explore with the records of a cohort. */
export const viewOfCohort = ({ filter }: Pick<Cohort, 'filter'>): Pick<View, 'filters' | 'join'> => {
  if (filter === null) return {};
  if (filter.op !== 'and' && filter.op !== 'or') return { filters: [filter] };
  if (filter.op === 'and' && filter.pivot !== undefined) return { filters: [filter] };
  const { op, content } = filter;
  return content.length === 0 ? {} : { filters: content, ...(op === 'or' && { join: op }) };
};

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const oneOf =
  (...known: readonly unknown[]): Check =>
  (value) =>
    known.includes(value);

const isScalar: Check = (value) => ['string', 'number', 'boolean'].includes(typeof value);

const isFilter: Check = (value) => {
  if (!isObject(value) || !isText(value['op'])) return false;
  const { op, content } = value;
  if (op === 'and' || op === 'or' || op === 'not') return listOf(isFilter)(content);
  if (!isObject(content)) return false;
  return op === 'search' || op === 'wildcard'
    ? listOf(isText)(content['fieldNames']) && isText(content['value'])
    : isText(content['fieldName']) &&
        (isScalar(content['value']) || listOf(isScalar)(content['value'])) &&
        (content['except'] === undefined || listOf(isScalar)(content['except']));
};

/** Whether a value read from a link, a file or the browser's storage has the form of a cohort. */
export const isCohort = (value: unknown): value is Cohort =>
  isObject(value) && isText(value['name']) && (value['filter'] === null || isFilter(value['filter']));

const checks: Readonly<Record<keyof View, Check>> = {
  source: isText,
  tab: oneOf('table', 'gallery', 'charts', 'compare'),
  join: oneOf('and', 'or'),
  filters: listOf(isFilter),
  nodes: listOf(isText),
  columns: listOf(isText),
  sort: listOf((one) => isObject(one) && isText(one['fieldName']) && oneOf('asc', 'desc')(one['order'])),
  charts: listOf(isText),
  altered: listOf(isText),
  levels: (one) => isObject(one) && Object.values(one).every(isText),
  units: (one) => isObject(one) && Object.values(one).every(isText),
  timeline: isText,
  cohorts: listOf(isCohort),
  opened: listOf(isText),
  record: (one) =>
    isObject(one) &&
    isText(one['id']) &&
    (one['nodeId'] === null || isText(one['nodeId'])) &&
    (one['key'] === undefined || isText(one['key'])) &&
    (one['at'] === undefined || Number.isSafeInteger(one['at'])),
  node: isText,
  dropped: listOf(isText),
};

/** Whether a value read from a link or a file has the form of a view. Unknown parts, such as from a later version, are allowed. */
export const isView = (value: unknown): value is View =>
  isObject(value) &&
  Object.entries(checks).every(([part, check]) => value[part] === undefined || check(value[part]));
