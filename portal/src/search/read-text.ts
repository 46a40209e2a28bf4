import type { QueryClient } from '@tanstack/react-query';
import { aggregationName } from '../../../src/introspection/fields/field.ts';
import type { Catalogue } from '../api/catalogue.ts';
import type { Look } from '../api/config.ts';
import type { Field } from '../api/fields.ts';
import { isGroup, isSearch, type Filter } from '../api/filter.ts';
import { getJson } from '../api/server.ts';
import { askFacets, suggesting, valuesWith } from '../api/suggestions.ts';
import { lookUp } from '../api/terms.ts';
import { replaceOn, withFilters, withSearch } from '../state/edit.ts';
import { withMore } from '../state/terms.ts';
import type { View } from '../state/view.ts';
import { askedFor, readWords, vocabularyOf, type Named, type Reading, type Synonyms } from './read-words.ts';

/** Where a text of the search box is read. */
export interface Place {
  readonly catalogue: Catalogue;
  /** The view that the text adds to. */
  readonly from: View;
  /** The fields in which words are searched. */
  readonly names: readonly string[];
  readonly look: Pick<Look, 'hiddenFacets' | 'synonyms'>;
}

const longMs = 300_000;

/** The query for what a text means; values that contain one of its words are asked of the index, word by word. */
export const readingQuery = (client: QueryClient, { catalogue, from, look }: Place, text: string) => {
  const nodes = from.nodes ?? null;
  const { hiddenFacets: hidden = [] } = look;
  return {
    queryKey: ['reading', catalogue.source.id, nodes, text, hidden],
    queryFn: async (): Promise<Reading> => {
      const fields = await client.fetchQuery({
        queryKey: ['categories', catalogue.source.id, hidden],
        queryFn: ({ signal }) => fetchCategories(catalogue, hidden, signal),
        staleTime: longMs,
      });
      const found = await Promise.all(
        askedFor(text).map((word) =>
          client.fetchQuery({
            queryKey: ['vocabulary', catalogue.source.id, nodes, word, hidden],
            queryFn: ({ signal }) => fetchNamed(catalogue, nodes, fields, word, signal),
            staleTime: longMs,
          }),
        ),
      );
      const synonyms =
        look.synonyms ??
        (await client.fetchQuery({
          queryKey: ['synonyms'],
          queryFn: ({ signal }) => getJson<Synonyms>('portal/synonyms.json', signal),
          staleTime: longMs,
        }));
      const known = vocabularyOf(readable(catalogue, fields, hidden), synonyms ?? {}, found.flat());
      return readWords(text, known);
    },
    staleTime: longMs,
  };
};

/** The view that a text asks for. */
export const viewOfText = async (client: QueryClient, place: Place, text: string): Promise<View> =>
  withReading(
    place,
    text === '' ? { filters: [], words: '' } : await client.fetchQuery(readingQuery(client, place, text)),
  );

/** A view with what a text means, in place of the words that were searched. */
export const withReading = (
  { from, names, catalogue }: Pick<Place, 'from' | 'names' | 'catalogue'>,
  { filters, words }: Reading,
): View =>
  filters.reduce((view, filter) => withRead(view, filter, catalogue), withSearch(from, names, words));

const withRead = (view: View, filter: Filter, { fields }: Catalogue): View => {
  if (isGroup(filter) || isSearch(filter)) return withFilters(view, [...(view.filters ?? []), filter]);
  const { op, content } = filter;
  const field = fields.get(content.fieldName);
  if (field !== undefined && (op === 'in' || op === 'under'))
    return [content.value].flat().reduce((next: View, key) => withMore(next, field, String(key)), view);
  return replaceOn(
    view,
    (old) => !isGroup(old) && !isSearch(old) && old.op === op && old.content.fieldName === content.fieldName,
    filter,
  );
};

/** Categories first, then numbers and dates, in the order of the facets. */
const readable = (
  { facets, fields }: Catalogue,
  categories: readonly Field[],
  hidden: readonly string[],
): readonly Field[] => {
  const paths = [...new Set([...facets, ...fields.keys()])].filter((path) => !hidden.includes(path));
  const measured = paths
    .flatMap((path) => fields.get(path) ?? [])
    .filter(({ kind }) => kind === 'numbers' || kind === 'dates');
  return [...categories, ...measured];
};

/** More different values than this share of the records: titles and ids, which are searched in words. */
const mostDistinct = 0.4;
const fewest = 50;

/** The fields whose values are categories. */
const fetchCategories = async (
  catalogue: Catalogue,
  hidden: readonly string[],
  signal: AbortSignal,
): Promise<readonly Field[]> => {
  const fields = suggesting(catalogue, hidden);
  const plain = fields.filter(({ hierarchy }) => hierarchy === undefined);
  const selections = plain.map(
    ({ path }) => `${aggregationName(path)} { cardinality_bounds { lower upper } }`,
  );
  const { aggregations, total } = await askFacets(
    catalogue,
    { filter: null, nodes: null },
    selections,
    signal,
  );
  return fields.filter(({ path }) => {
    const { lower, upper } = aggregations[aggregationName(path)]?.cardinality_bounds ?? {};
    return (upper ?? lower ?? 0) <= Math.max(fewest, (total ?? Infinity) * mostDistinct);
  });
};

const perWord = 25;

/** The values, labels and terms that contain a word. */
const fetchNamed = async (
  catalogue: Catalogue,
  nodes: View['nodes'] | null,
  fields: readonly Field[],
  word: string,
  signal: AbortSignal,
): Promise<readonly Named[]> => {
  const plain = fields.filter(({ hierarchy }) => hierarchy === undefined);
  const selections = plain.map(({ path }) => `${aggregationName(path)} { ${valuesWith(word, perWord)} }`);
  const [{ aggregations }, terms] = await Promise.all([
    askFacets(catalogue, { filter: null, nodes: nodes ?? null }, selections, signal),
    Promise.all(
      fields
        .filter(({ hierarchy }) => hierarchy !== undefined)
        .map((field) => fetchTerms(catalogue, field, word, signal)),
    ),
  ]);
  const values = plain.flatMap((field) => {
    const keys = (aggregations[aggregationName(field.path)]?.buckets ?? []).map(({ key }) => key);
    const shown = Object.entries(field.displayValues).filter(
      ([key, text]) => typeof text === 'string' && key,
    );
    return [
      ...keys.map((key): Named => ({ field, key, texts: [key] })),
      ...shown.map(([key, text]): Named => ({ field, key, texts: [String(text)] })),
    ];
  });
  return [...values, ...terms.flat()];
};

const fetchTerms = async (
  catalogue: Catalogue,
  field: Field,
  word: string,
  signal: AbortSignal,
): Promise<readonly Named[]> => {
  const parameters = [
    ['search', word],
    ['limit', String(perWord)],
  ] as const;
  const terms = await lookUp(catalogue, field, parameters, signal);
  return terms.map(({ id, label, synonyms }) => ({ field, key: id, texts: [id, label, ...synonyms] }));
};
