import { z } from 'zod';
import type { MeasureKind } from '../../engines/measure.ts';
import { measureRow } from '../../search/facets/measures.ts';
import { badUserInput, type TributaryError } from '../../lib/errors/errors.ts';
import type { WithheldStatement } from '../../introspection/fields/catalogue-config.ts';
import type { FacetAnswer, TermsAnswer } from '../../search/nodes-answer.ts';
import { releasedFacet } from '../../search/released-facet.ts';
import { isJsonObject, isWholeText, putAt, type JsonObject, type JsonValue } from '../../lib/json/json.ts';
import type {
  CatalogueResult,
  CatalogueQuery,
  FacetMeasure,
  FacetRequest,
  CatalogueHit,
} from '../../search/query.ts';
import { isIntegerType, type Field } from '../../introspection/fields/field.ts';
import { datesInIso } from '../../local/hits/stored-document.ts';
import { isNetwork, type RemoteCatalogue } from './remote-catalogue.ts';
import type { RemoteSource } from '../config/nodes.ts';
import type { Dialect } from '../../lib/graphql/protocol.ts';
import { noCursors } from './established.ts';
import { readReach } from './network-node.ts';
import { originOf, plainLine, withheldStatement } from './node-statements.ts';
import { boundedCount, malformedAnswer, isCount, isKey, tooMany } from '../../search/facets/row/wire.ts';
import { assertNoErrors, isOfWholeQuery } from './answer-errors.ts';
import type { PrintedQuery } from './print-query.ts';
import { columnValues, type Column } from './hit-columns.ts';
import { replacedWarning } from './established-filter.ts';
import type { GraphqlAnswer, GraphqlAnswerError } from './http-executor.ts';
import type { CursorValue } from '../../engines/engine.ts';

/**
 * Reads a remote node's GraphQL response as a catalogue's answer. Nothing in it is trusted.
 * @throws TributaryError NODE_REFUSED or NODE_BAD_RESPONSE with a reason safe to show
 */
export const readAnswer = (
  answer: GraphqlAnswer,
  remote: Pick<RemoteCatalogue, 'fields' | 'dialect' | 'facts'>,
  { documentType }: Pick<RemoteSource, 'documentType'>,
  query: CatalogueQuery,
  printed: PrintedQuery,
): CatalogueResult => {
  const { fields } = remote;
  const places = errorsByPlace(answer, remote.dialect, documentType, printed);
  if (places.others.length > 0) assertNoErrors({ ...answer, errors: places.others });
  const document = objectAt(answer.data, documentType);
  const page = query.hits
    ? readHits(
        document['hits'],
        printed.columns,
        query.hits.sort.map(({ fieldName }) => isDouble(fields.get(fieldName))),
        (path, value) => shownDates(value, fields.get(path)),
      )
    : { total: null, hits: [] };
  const reach = isNetwork(remote) ? readReach(document['hits']) : null;
  const withheld = withheldIn(answer);
  const rows = page.hits.length;
  if (query.hits && rows > query.hits.first) throw tooMany(rows, 'rows', query.hits.first);
  return {
    ...page,
    facets: readFacets(document, remote, query, printed, places, withheld !== undefined),
    ...(reach && { reach }),
    warnings: [
      ...printed.unselectable.map(({ path, why }) => `"${path}" is null: ${why}`),
      ...[...places.unshown].map(
        (path) =>
          `"${path}" is null in some hits: this node cannot show their values in its type of the field`,
      ),
      ...[...printed.replaced].map(replacedWarning),
      ...(printed.lacksCursors ? [noCursors] : []),
      ...remoteWarningsOf(answer.extensions),
    ],
    ...originOf(answer.extensions),
    ...(withheld && { withheld }),
  };
};

const readFacets = (
  document: Readonly<Record<string, unknown>>,
  remote: Pick<RemoteCatalogue, 'fields' | 'facts'>,
  query: CatalogueQuery,
  printed: PrintedQuery,
  { failed, allFailed }: ErrorsByPlace,
  isWithheld: boolean,
): CatalogueResult['facets'] => {
  if (query.facets.length === 0) return [];
  if (allFailed !== null) return query.facets.map(() => ({ kind: 'failed', error: allFailed }));
  const aggregations = objectAt(document, 'aggregations');
  return query.facets.map(({ field: path, measure }, index): CatalogueResult['facets'][number] => {
    const { field, key } = printed.facets[index]!;
    const error = failed.get(`${field}.${key}`) ?? failed.get(field);
    if (error !== undefined) return { kind: 'failed', error };
    const facet = objectAt(aggregations, field);
    const read = readFacet(measure, facet, index, query, printed);
    if (isNetwork(remote) && read.kind === 'terms')
      return { ...read, ...listBounds(isBounded(measure, field, query, printed) ? facet : {}) };
    return isWithheld ? releasedFacet(read, measure, remote.fields.get(path)!) : read;
  });
};

/**
 * Whether the bounds that a network reports next to its lists of a field, of values that match a text and of all, apply to
 * this list.
 */
const isBounded = (
  measure: FacetMeasure,
  field: string,
  { facets }: CatalogueQuery,
  printed: PrintedQuery,
): boolean =>
  measure.kind !== 'terms' ||
  measure.matching === undefined ||
  facets.every(
    ({ measure: other }, at) =>
      other.kind !== 'terms' || other.matching === measure.matching || printed.facets[at]!.field !== field,
  );

/** How far a network's list can be trusted. */
const listBounds = ({
  bucket_count_exact: complete,
  unlisted_upper_bound: most,
}: Readonly<Record<string, unknown>>): Pick<TermsAnswer, 'complete'> & {
  readonly unlistedUpperBound: number | null;
} => ({
  ...(typeof complete === 'boolean' && { complete }),
  unlistedUpperBound: isCount(most) ? most : null,
});

const disclosed = z.object({ disclosure: withheldStatement });

/** What our own nodes state about answers to callers who see no records. */
const withheldIn = ({ extensions }: GraphqlAnswer): WithheldStatement | undefined => {
  // most answers have none, and rejecting them takes longer than reading them
  if (!isJsonObject(extensions) || extensions['disclosure'] === undefined) return undefined;
  return disclosed.safeParse(extensions).data?.disclosure;
};

/** The errors of an answer, by the part that they concern, and all others. */
interface ErrorsByPlace {
  /** The columns that are null in some hits: the established server has a 32-bit type for some numbers. */
  readonly unshown: ReadonlySet<string>;
  /** Why a facet, or a measure of it, could not be computed, by `facet` or `facet.key`. */
  readonly failed: ReadonlyMap<string, TributaryError>;
  /** Why all facets could not be: the established server computes them in one search. */
  readonly allFailed: TributaryError | null;
  readonly others: readonly GraphqlAnswerError[];
}

const errorsByPlace = (
  { errors = [] }: GraphqlAnswer,
  dialect: Dialect,
  documentType: string,
  { columns }: PrintedQuery,
): ErrorsByPlace => {
  const unshown = new Set<string>();
  const failed = new Map<string, TributaryError>();
  let allFailed: TributaryError | null = null;
  const others: GraphqlAnswerError[] = [];
  const values = errors.length === 0 ? [] : columnValues(columns);
  for (const error of errors) {
    const path: readonly unknown[] = Array.isArray(error.path) ? error.path : [];
    const [root, part, facet, key] = path;
    const names = path.filter((step) => typeof step === 'string').slice(2);
    const isOf = (names_: readonly string[]): boolean =>
      JSON.stringify(['edges', 'node', ...names_]) === JSON.stringify(names);
    const column = part === 'hits' ? values.find((value) => isOf(value.names)) : undefined;
    const isOfFacets = root === documentType && part === 'aggregations' && !isOfWholeQuery(error);
    if (root === documentType && column !== undefined) unshown.add(column.path);
    else if (isOfFacets && typeof facet === 'string')
      failed.set(
        typeof key === 'string' ? `${facet}.${key}` : facet,
        facetError(error, dialect === 'tributary'),
      );
    else if (isOfFacets && dialect === 'established')
      allFailed = badUserInput('its search server does not compute this facet');
    else others.push(error);
  }
  return { unshown, failed, allFailed, others };
};

/** Only error details of our own nodes are shown: others could contain anything. */
const facetError = ({ message, extensions }: GraphqlAnswerError, isOwn: boolean): TributaryError => {
  const isShown = isOwn && extensions?.['code'] === 'BAD_USER_INPUT' && typeof message === 'string';
  return badUserInput(isShown ? plainLine(message).slice(0, 300) : 'it cannot compute this facet');
};

const objectAt = (parent: unknown, key: string): Readonly<Record<string, unknown>> => {
  const value = (parent as Record<string, unknown> | null | undefined)?.[key];
  if (isJsonObject(value)) return value;
  throw malformedAnswer([key]);
};

const readFacet = <Kind extends MeasureKind>(
  measure: FacetMeasure<Kind>,
  facet: Readonly<Record<string, unknown>>,
  index: number,
  { facets, includeMissing }: CatalogueQuery,
  printed: PrintedQuery,
): FacetAnswer => {
  const { field, key } = printed.facets[index]!;
  const list = () => {
    const isList = ({ measure: asked }: FacetRequest, other: number): boolean =>
      asked.kind === 'terms' && asked.matching === undefined && printed.facets[other]!.field === field;
    const index = facets.findIndex(isList);
    const listed = facets[index]?.measure;
    return listed?.kind === 'terms' ? { measure: listed, value: facet[printed.facets[index]!.key] } : null;
  };
  const row = measureRow<Kind>(measure.kind);
  return row.read(facet[key], { measure, field, includeMissing, list, facet });
};

const maxWarnings = 10;
const maxWarningLength = 200;

const withWarnings = z.object({ warnings: z.array(z.unknown()) });

/**
 * A remote node's warnings to its caller, from the `extensions` of its response: at most a few short lines of plain text.
 */
export const remoteWarningsOf = (extensions: unknown): readonly string[] => {
  // most answers have none, and rejecting them takes longer than reading them
  if (!isJsonObject(extensions) || extensions['warnings'] === undefined) return [];
  const parsed = withWarnings.safeParse(extensions);
  if (!parsed.success) return [];
  const lines = parsed.data.warnings.slice(0, maxWarnings).flatMap((line) => warningText(line) ?? []);
  return [...new Set(lines)];
};

/** One line, truncated to the maximum length. */
const warningText = (value: unknown): string | null => {
  if (typeof value !== 'string') return null;
  const text = plainLine(value.slice(0, maxWarningLength * 4));
  if (text === '') return null;
  return text.length > maxWarningLength ? `${text.slice(0, maxWarningLength - 1).trimEnd()}…` : text;
};

type Columns = readonly Column[];

/** Converts a value of a hit for display, by its raw path. */
type ShowValue = (path: string, value: JsonValue) => JsonValue;

/** Our own nodes show dates in ISO 8601; for others the formats are known if they expose their mapping. */
const shownDates = (value: JsonValue, field: Field | undefined): JsonValue =>
  field?.format === undefined ? value : datesInIso(field.format)(value);

/**
 * Reads and checks a remote's page of hits in one pass.
 * @param hits the value of its field `hits`
 * @param doubles for each sort key: whether its values are fractional, which JSON writes like integers if they are large
 * @throws TributaryError NODE_BAD_RESPONSE naming the place
 */
export const readHits = (
  hits: unknown,
  columns: Columns,
  doubles: readonly boolean[] = [],
  show: ShowValue = (_, value) => value,
): Pick<CatalogueResult, 'total' | 'hits'> => {
  if (!isJsonObject(hits)) throw malformedAnswer(['hits']);
  const { total = null, edges } = hits;
  if (total !== null && !isCount(total)) throw malformedAnswer(['hits', 'total']);
  const counted = total === null ? null : boundedCount(total, hits);
  if (total !== null && counted === null) throw malformedAnswer(['hits', 'upper_bound']);
  if (!Array.isArray(edges ?? [])) throw malformedAnswer(['hits', 'edges']);
  const rows = (edges ?? []) as readonly unknown[];
  return {
    total: counted,
    hits: rows.map((edge, index) => readEdge(edge, index, columns, doubles, show)),
  };
};

const isDouble = (field: Field | undefined): boolean =>
  field?.kind === 'number' && !isIntegerType(field.type);

const readEdge = (
  edge: unknown,
  index: number,
  columns: Columns,
  doubles: readonly boolean[],
  show: ShowValue,
): CatalogueHit => {
  if (!isJsonObject(edge)) throw malformedAnswer(['hits', 'edges', index]);
  const { node, searchAfter } = edge;
  const sorted = searchAfter ?? [];
  if (!isCursor(sorted)) throw malformedAnswer(['hits', 'edges', index, 'searchAfter']);
  const cursor = doubles.includes(true)
    ? sorted.map((value, at) => (doubles[at] && isWholeText(String(value)) ? Number(value) : value))
    : sorted;
  if (!isJsonObject(node)) throw malformedAnswer(['hits', 'edges', index, 'node']);
  const { id, _source: whole } = node;
  const { _key: key } = edge;
  if (!isKey(id)) throw malformedAnswer(['id']);
  if (key !== undefined && !isKey(key)) throw malformedAnswer(['hits', 'edges', index, '_key']);
  const source = isJsonObject(whole) ? whole : sourceOf(node, columns, show);
  return { id, source, cursor, ...(key !== undefined && { key }) };
};

const isCursor = (value: unknown): value is readonly CursorValue[] =>
  Array.isArray(value) &&
  value.every(
    (part) => part === null || ['string', 'boolean'].includes(typeof part) || Number.isFinite(part),
  );

/** The selected GraphQL values by their raw paths; nested objects are placed where they are stored. */
const sourceOf = (node: JsonObject, columns: Columns, show: ShowValue): JsonObject => {
  const source: Record<string, JsonValue> = {};
  for (const { path, names, below } of columns) {
    let value: JsonValue | undefined = node;
    for (const name of names) value = isJsonObject(value) ? value[name] : undefined;
    // a dotted key reads the same as the nested form
    if (below === undefined) source[path] = show(path, value ?? null);
    else {
      const showBelow: ShowValue = (inner, nested) => show(`${path}.${inner}`, nested);
      putAt(source, path.split('.'), nestedObjects(value, names, below, showBelow));
    }
  }
  return source;
};

/** The objects of a connection; null if there are none: a single object stored without a list shows no hits. */
const nestedObjects = (
  value: JsonValue | undefined,
  names: readonly string[],
  columns: Columns,
  show: ShowValue,
): JsonValue => {
  const hits = isJsonObject(value) ? (value['hits'] ?? null) : null;
  if (hits === null) return null;
  const at = ['hits', 'edges', 'node', ...names, 'hits', 'edges'];
  const edges = isJsonObject(hits) ? (hits['edges'] ?? []) : null;
  if (!Array.isArray(edges)) throw malformedAnswer(at);
  return (edges as readonly JsonValue[]).map((edge, index) => {
    const node = isJsonObject(edge) ? edge['node'] : undefined;
    if (!isJsonObject(node)) throw malformedAnswer([...at, index]);
    return sourceOf(node, columns, show);
  });
};
