import { editDistance } from '../../../src/lib/text/edit-distance.ts';
import { aggregationName } from '../../../src/introspection/fields/field.ts';
import { fold } from '../../../src/lib/text/fold.ts';
import { MISSING, OTHER } from '../../../src/sqon/ast.ts';
import type { Bucket } from './answer.ts';
import type { Catalogue } from './catalogue.ts';
import type { Field } from './fields.ts';
import { queryRoot, totalSelection, type Question } from './questions.ts';
import { readBucket, type Root } from './read-answer.ts';
import { findTerms, type FoundTerm } from './terms.ts';

/** Values of one field that contain a text, or its terms. */
export interface Suggested {
  readonly field: Field;
  readonly buckets: readonly Bucket[];
  readonly terms: readonly FoundTerm[];
}

const fieldsSearched = 24;
const perField = 3;
const fieldsShown = 5;
const waitFor = '{ share: 1, ms: 1500 }';

/** The fields whose values are suggested, those with facets first. @param hidden fields deliberately without facets */
export const suggesting = ({ facets, fields }: Catalogue, hidden: readonly string[]): readonly Field[] => {
  const others = [...fields.values()].filter(
    ({ path, type }) => type === 'keyword' && !facets.includes(path),
  );
  return [...facets.flatMap((path) => fields.get(path) ?? []), ...others]
    .filter(
      ({ path, kind, type }) =>
        kind === 'values' && type !== 'boolean' && type !== 'id' && !hidden.includes(path),
    )
    .slice(0, fieldsSearched);
};

/**
 * Values and terms that contain a text, by field: fields where one begins with it first, then by count.
 * @param hidden fields deliberately without facets
 */
export const fetchSuggestions = async (
  catalogue: Catalogue,
  question: Question,
  text: string,
  hidden: readonly string[],
  signal?: AbortSignal,
): Promise<readonly Suggested[]> => {
  const fields = suggesting(catalogue, hidden);
  const plain = fields.filter(({ hierarchy }) => hierarchy === undefined);
  const [values, terms] = await Promise.all([
    fetchValues(catalogue, question, plain, text, signal),
    Promise.all(
      fields
        .filter(({ hierarchy }) => hierarchy !== undefined)
        .map((field) => termsOf(catalogue, question, field, text, signal)),
    ),
  ]);
  return [...values, ...terms]
    .filter(({ buckets, terms: found }) => buckets.length + found.length > 0)
    .sort((one, other) => weightOf(other, text) - weightOf(one, text))
    .slice(0, fieldsShown);
};

const termsOf = async (
  catalogue: Catalogue,
  question: Question,
  field: Field,
  text: string,
  signal?: AbortSignal,
): Promise<Suggested> => {
  const found = await findTerms(catalogue, question, field, text, perField * 2, { signal, waitFor });
  return { field, buckets: [], terms: found.filter(({ count }) => count.upper > 0).slice(0, perField) };
};

const fetchValues = async (
  catalogue: Catalogue,
  question: Question,
  fields: readonly Field[],
  text: string,
  signal?: AbortSignal,
): Promise<readonly Suggested[]> => {
  const selections = fields.map((field) => {
    const sets = shownWith(field, text).map((key) => {
      const value = JSON.stringify(key);
      return `{ key: ${value}, values: [${value}] }`;
    });
    const shown =
      sets.length === 0 ? '' : `groups(sets: [${sets.join(', ')}]) { buckets { ${bucketSelection} } }`;
    return `${aggregationName(field.path)} { ${valuesWith(text, perField)} ${shown} }`;
  });
  const { aggregations, isPartial } = await askFacets(catalogue, question, selections, signal);
  return fields.map((field) => {
    const { buckets = [], groups } = aggregations[aggregationName(field.path)] ?? {};
    const found = [...buckets, ...(groups?.buckets ?? [])].map(readBucket);
    const named = found
      .filter(({ key, upper }) => key !== MISSING && key !== OTHER && upper > 0)
      .map((bucket) => (isPartial ? { ...bucket, upper: Infinity } : bucket));
    const once = [...new Map(named.map((bucket) => [bucket.key, bucket])).values()];
    once.sort((one, other) => other.count - one.count);
    return { field, buckets: once.slice(0, perField), terms: [] };
  });
};

const bucketSelection = 'key key_as_string doc_count upper_bound estimate';

export const valuesWith = (text: string, max: number): string =>
  `buckets(max: ${max}, matching: ${JSON.stringify(text)}) { ${bucketSelection} }`;

interface Values {
  readonly aggregations: NonNullable<Root['aggregations']>;
  /** Some institution has not answered: counts are lower bounds. */
  readonly isPartial: boolean;
  /** How many records the question finds. */
  readonly total: number | null;
}

export const askFacets = async (
  catalogue: Catalogue,
  question: Question,
  selections: readonly string[],
  signal?: AbortSignal,
): Promise<Values> => {
  if (selections.length === 0) return { aggregations: {}, isPartial: false, total: null };
  const selection = `${totalSelection(catalogue)} aggregations ARGUMENTS { ${selections.join(' ')} }`;
  const read = ({ aggregations, partial, hits, total = hits?.total ?? null }: Root): Values => ({
    aggregations: aggregations ?? {},
    isPartial: partial === true,
    total,
  });
  return queryRoot(catalogue, question, selection, read, { signal, waitFor });
};

/** The values whose display text contains a text: the server searches values only. */
const shownWith = ({ displayValues }: Field, text: string): readonly string[] =>
  Object.entries(displayValues)
    .filter(([, shown]) => typeof shown === 'string' && fold(shown).includes(fold(text)))
    .slice(0, perField)
    .map(([key]) => key);

const weightOf = ({ field, buckets, terms }: Suggested, text: string): number => {
  const names = [
    ...buckets.map(({ key }) => String(field.displayValues[key] ?? key)),
    ...terms.map(({ label }) => label),
  ];
  const isBegun = names.flatMap(wordsOf).some((word) => word.startsWith(fold(text).split(' ')[0] ?? ''));
  const counts = [...buckets, ...terms.map(({ count }) => count)].map(({ count }) => count);
  return (isBegun ? 1e12 : 0) + Math.max(...counts);
};

const maxPieces = 6;

/** Words of values with almost the same spelling; known words are kept. null: none is similar. */
export const fetchMeant = async (
  catalogue: Catalogue,
  nodes: Question['nodes'],
  text: string,
  hidden: readonly string[],
  signal?: AbortSignal,
): Promise<string | null> => {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const fields = suggesting(catalogue, hidden).slice(0, fieldsSearched / 2);
  const pieces = [...new Set(words.flatMap(piecesOf))].slice(0, maxPieces);
  const answers = await Promise.all(
    pieces.map((piece) => {
      const selections = fields.map(({ path }) => `${aggregationName(path)} { ${valuesWith(piece, 100)} }`);
      return askFacets(catalogue, { filter: null, nodes }, selections, signal);
    }),
  );
  const known = new Map<string, number>();
  for (const { path, displayValues } of fields)
    for (const { key, doc_count } of answers.flatMap(
      (one) => one.aggregations[aggregationName(path)]?.buckets ?? [],
    ))
      for (const word of [key, displayValues[key]].flatMap(wordsOf))
        known.set(word, (known.get(word) ?? 0) + doc_count);
  const meant = words.map((word) => nearest(fold(word), known) ?? word);
  return meant.every((word, at) => fold(word) === fold(words[at]!)) ? null : meant.join(' ');
};

/** The beginning, the middle and the end of a word: a typing error leaves one of them unchanged. */
const piecesOf = (word: string): readonly string[] => {
  if (word.length < 4) return [];
  const middle = Math.floor(word.length / 2) - 1;
  return [word.slice(0, 3), word.slice(-3), word.slice(middle, middle + 3)];
};

const wordsOf = (text: unknown): readonly string[] =>
  typeof text === 'string' ? (fold(text).match(/[\p{L}\p{N}\p{M}]{2,}/gu) ?? []) : [];

/** The most similar word, with at most a third of its letters different; among equals the most frequent. */
export const nearest = (word: string, known: ReadonlyMap<string, number>): string | null => {
  if (known.has(word)) return word;
  const near = [...known]
    .filter(([other]) => Math.abs(other.length - word.length) <= 2)
    .map(([other, count]) => ({ other, count, distance: editDistance(word, other) }))
    .filter(({ distance }) => distance <= Math.min(2, Math.floor(word.length / 3)))
    .sort((one, another) => one.distance - another.distance || another.count - one.count);
  return near[0]?.other ?? null;
};
