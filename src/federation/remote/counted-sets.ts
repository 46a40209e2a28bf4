import { badUserInput, type TributaryError } from '../../errors/errors.ts';
import type { CountedBucket } from '../../engines/measure.ts';
import { isCount, malformedAnswer } from '../../facets/row/wire.ts';
import { isJsonObject, type JsonObject } from '../../json/json.ts';
import type { FacetAnswer, FailedFacet } from '../../search/nodes-answer.ts';
import type { CatalogueQuery, CatalogueResult, FacetMeasure, FacetRequest } from '../../search/query.ts';
import { group, isSpecialValue, leaf, type Sqon } from '../../sqon/ast.ts';
import { printSqon } from '../../sqon/parse.ts';
import { fieldNamesIn, withoutField } from '../../sqon/rewrite.ts';
import { assertNoErrors } from './answer-errors.ts';
import type { GraphqlAnswer } from './http-executor.ts';
import { establishedFilter, supportedFilter, wireFilter } from './node-filter.ts';
import type { RemoteCatalogue } from './remote-catalogue.ts';

/** Sends a document with its variables. */
export type SendDocument = (
  query: string,
  variables: Readonly<Record<string, unknown>>,
) => Promise<GraphqlAnswer>;

/** The most characters of filters in one request. */
const maxCharacters = 2 ** 19;

/**
 * Answers facets on sets of values at the established server, which has none, by the totals of one filter per set.
 * @param search answers the rest of a query
 */
export const withCountedSets = async (
  query: CatalogueQuery,
  remote: RemoteCatalogue,
  maxAliases: number,
  send: SendDocument,
  search: (query: CatalogueQuery) => Promise<CatalogueResult>,
): Promise<CatalogueResult> => {
  const isCounted = (facet: FacetRequest): boolean => isCountedByTotals(facet, remote);
  if (!query.facets.some(isCounted)) return search(query);
  const others = query.facets.filter((facet) => !isCounted(facet));
  const asksMore = others.length > 0 || query.hits !== null;
  const [rest, ...counted] = await Promise.all([
    asksMore ? search({ ...query, facets: others }) : nothingElse,
    ...query.facets.filter(isCounted).map((facet) => countSets(query, facet, remote, maxAliases, send)),
  ]);
  const [found, sets] = [[...rest.facets], [...counted]];
  return {
    ...rest,
    facets: query.facets.map((facet) => (isCounted(facet) ? sets.shift()! : found.shift()!)),
  };
};

const nothingElse: CatalogueResult = { total: null, hits: [], facets: [], warnings: [] };

const isCountedByTotals = ({ measure }: FacetRequest, { dialect }: RemoteCatalogue): boolean =>
  measure.kind === 'groups' && dialect === 'established';

const countSets = async (
  query: CatalogueQuery,
  { field, measure }: FacetRequest,
  remote: RemoteCatalogue,
  maxAliases: number,
  send: SendDocument,
): Promise<FacetAnswer<'groups'> | FailedFacet> => {
  const { sets } = measure as FacetMeasure<'groups'>;
  const filter = query.filterThemselves ? query.filters : withoutField(query.filters, field);
  if (restrictsObjects(filter, field, remote)) return { kind: 'failed', error: ofObjects(field) };
  const filters = sets.map(({ values = [] }) =>
    values.length === 0 ? null : JSON.stringify(writtenFilter(filter, field, values, remote)),
  );
  const requested = filters.flatMap((text, index) => (text === null ? [] : [{ index, text }]));
  const counts: CountedBucket[] = sets.map(({ key }) => ({ key, count: 0 }));
  for (const part of batches(requested, maxAliases)) {
    const answer = await send(documentOf(part, remote), variablesOf(part));
    for (const { index } of part)
      counts[index] = { ...counts[index]!, count: totalIn(answer, `s${index}`, remote.documentType) };
  }
  return { kind: 'groups', buckets: counts };
};

/** Whether a filter has conditions on the objects that hold the field: totals count documents, whichever object matches. */
const restrictsObjects = (filter: Sqon | null, path: string, { fields }: RemoteCatalogue): boolean => {
  const own = fields.get(path)?.nestedIn ?? [];
  return (
    filter !== null &&
    fieldNamesIn(filter).some((name) => fields.get(name)?.nestedIn.some((outer) => own.includes(outer)))
  );
};

const ofObjects = (field: string): TributaryError =>
  badUserInput(
    `its server counts documents only, not those of nested objects that a filter leaves of "${field}"`,
  );

const writtenFilter = (
  filter: Sqon | null,
  field: string,
  values: readonly string[],
  { fields }: RemoteCatalogue,
): JsonObject | null => {
  const own = leaf(values.some(isSpecialValue) ? 'is' : 'in', field, values);
  const whole = filter === null ? own : group('and', [filter, own]);
  const supported = supportedFilter(whole, () => undefined);
  const wired = wireFilter(supported, (path) => fields.get(path)?.nestedIn.at(-1) ?? null);
  return printSqon(establishedFilter(wired, { fields, facets: new Set() }));
};

interface SetFilter {
  readonly index: number;
  readonly text: string;
}

const batches = (requested: readonly SetFilter[], maxAliases: number): readonly (readonly SetFilter[])[] => {
  const found: SetFilter[][] = [];
  let characters = Infinity;
  for (const one of requested) {
    characters += one.text.length;
    if (characters > maxCharacters || found.at(-1)!.length === maxAliases) {
      found.push([]);
      characters = one.text.length;
    }
    found.at(-1)!.push(one);
  }
  return found;
};

const documentOf = (part: readonly SetFilter[], { documentType }: RemoteCatalogue): string => {
  const declared = part.map(({ index }) => `$f${index}: JSON`).join(', ');
  const selected = part.map(({ index }) => `s${index}: hits(filters: $f${index}, first: 0) { total }`);
  return `query nodeQuery(${declared}) { ${documentType} { ${selected.join(' ')} } }`;
};

const variablesOf = (part: readonly SetFilter[]): JsonObject =>
  Object.fromEntries(part.map(({ index, text }) => [`f${index}`, JSON.parse(text) as JsonObject]));

/** @throws TributaryError NODE_REFUSED, NODE_BAD_RESPONSE */
const totalIn = (answer: GraphqlAnswer, name: string, documentType: string): number => {
  assertNoErrors(answer);
  const at = [documentType, name, 'total'];
  const { total } = at.slice(0, 2).reduce<JsonObject>(
    (object, key) => {
      const inner = object[key];
      return isJsonObject(inner) ? inner : {};
    },
    isJsonObject(answer.data) ? answer.data : {},
  );
  if (!isCount(total)) throw malformedAnswer(at);
  return total;
};
