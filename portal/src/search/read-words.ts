import { fold } from '../../../src/lib/text/fold.ts';
import { isSpokenUnit } from '../../../src/lib/text/units.ts';
import { wordsOf, type Field } from '../api/fields.ts';
import { isGroup, isSearch, type Filter } from '../api/filter.ts';
import { choiceOf, negation } from '../state/edit.ts';
import { readQuantity } from './quantities.ts';

/** A value of a field, or a term of its hierarchy, with the texts that mean it. */
export interface Named {
  readonly field: Field;
  readonly key: string;
  readonly texts: readonly string[];
}

/** By field and value: other words for it, in any language. */
export type Synonyms = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** What words may mean. */
export interface Vocabulary {
  /** In the order of their importance. */
  readonly fields: readonly Field[];
  readonly names: ReadonlyMap<string, Field>;
  readonly values: ReadonlyMap<string, readonly Named[]>;
}

/** What a text means: conditions, and the words that are none. */
export interface Reading {
  readonly filters: readonly Filter[];
  readonly words: string;
}

/** Everyday words for values that are called the same in most catalogues. */
const everyday: readonly { readonly values: readonly string[]; readonly words: readonly string[] }[] = [
  {
    values: ['female', 'f', 'woman'],
    words: ['woman', 'women', 'femme', 'feminin', 'Frau', 'Frauen', 'weiblich'],
  },
  { values: ['male', 'm', 'man'], words: ['man', 'men', 'homme', 'masculin', 'Mann', 'Männer', 'männlich'] },
];
const ofEveryday = new Set(['sex', 'gender', 'sexe', 'genre', 'geschlecht']);

/** @param known values and terms that contain words of the text */
export const vocabularyOf = (
  fields: readonly Field[],
  synonyms: Synonyms,
  known: readonly Named[],
): Vocabulary => {
  const values = new Map<string, Named[]>();
  const add = (named: Named, texts: readonly string[]): void => {
    for (const text of new Set(texts.map(normal)))
      if (!values.get(text)?.some((one) => one.key === named.key && one.field.path === named.field.path))
        values.set(text, [...(values.get(text) ?? []), named]);
  };
  for (const field of fields) {
    for (const named of known.filter((one) => one.field.path === field.path)) {
      add(named, named.texts);
      const texts = named.texts.map(normal);
      if (labelsOf(field).some((name) => ofEveryday.has(name)))
        for (const group of everyday)
          if (group.values.some((value) => texts.includes(value))) add(named, group.words);
    }
    for (const [key, texts] of Object.entries(synonyms[field.path] ?? {})) add({ field, key, texts }, texts);
  }
  const names = fields.flatMap((field) => namesOf(field).map((name) => [name, field] as const));
  return { fields, names: new Map(names.toReversed()), values };
};

const labelsOf = ({ name, names = {} }: Field): readonly string[] =>
  [name, ...Object.values(names)].map(normal);

const namesOf = (field: Field): readonly string[] => [
  ...labelsOf(field),
  normal(wordsOf(field.path.split('.').at(-1)!)),
  ...(/birth|naiss|geburt/i.test(field.path) ? ['born', 'ne', 'nee', 'nes', 'nees', 'geboren'] : []),
];

/** Articles and prepositions that French joins to a word. */
const elisions = /(?<![\p{L}\p{N}])(?:[cdjlmnst]|qu)['’](?=\p{L})/gu;

/** Folded, without punctuation, elisions and the s of a plural. */
const normal = (text: string): string =>
  (
    fold(text)
      .replaceAll(elisions, '')
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  )
    .map((word) => (word.length > 3 ? word.replace(/(?<!s)s$/, '') : word))
    .join(' ');

const maxAsked = 8;

/** The words whose values are looked up for a text: of everyday words the values that they may mean. */
export const askedFor = (text: string): readonly string[] => {
  const words = wordsIn(text).flatMap(({ folded }) => normal(folded).split(' '));
  const asked = words
    .filter((word) => word.length > 1 && !/^\d+$/.test(word) && !stopWords.has(word) && !negations.has(word))
    .flatMap((word) => [
      word,
      ...everyday.filter((group) => group.words.map(normal).includes(word)).map(({ values }) => values[0]!),
    ]);
  return [...new Set(asked)].slice(0, maxAsked);
};

interface Word {
  /** Empty where it stands in quotation marks. */
  readonly folded: string;
  readonly from: number;
  readonly to: number;
}

const wordsIn = (text: string): readonly Word[] =>
  [...text.matchAll(/["“„«]([^"“”„«»]+)["“”»]|[<>]=?|[≤≥]|[^\s<>≤≥]+/g)].flatMap(
    ({ 0: whole, 1: quoted, index }) => {
      if (quoted !== undefined) return [{ folded: '', from: index + 1, to: index + 1 + quoted.length }];
      const [, start = '', inner = ''] = /^([("'“„«,;:]*)(.*?)[)"'”“»,;:.!?]*$/su.exec(whole) ?? [];
      const from = index + start.length;
      const folded = fold(inner).replaceAll(elisions, '');
      return inner === '' ? [] : [{ folded, from, to: from + inner.length }];
    },
  );

const stops =
  'a an and or the of with in on at from by for who which that is are has have having et ou de des du la le les un une avec dans chez qui a au aux sur par und oder mit der die das den dem ein eine einen im in am an aus von vom bei mit zu';
const stopWords = new Set(stops.split(' '));
/** What people call records, and how they relate to what they have. */
const fillers = new Set(
  'patient patients patiente patientes patientin patientinnen patienten donor donors cases records works œuvres oeuvres werke atteint atteinte atteints atteintes diagnosed'.split(
    ' ',
  ),
);
const orWords = new Set(['or', 'ou', 'oder']);
const andWords = new Set(['and', 'et', 'und', ...orWords]);
const negations = new Set(
  'not no without except sans pas hors sauf ohne nicht kein keine keinen ausser'.split(' '),
);
/** Between the name of a field and its value. */
const joints = new Set(['is', 'are', '=', 'of', 'est', 'ist', 'de', 'von']);
/** Values that mean nothing without the name of their field. */
const vague = new Set(
  'unknown|other|others|none|never|former|current|always|all|any|yes|no|true|false|missing|various|not recorded|inconnu|autre|oui|non|unbekannt|andere|sonstige|ja|nein'.split(
    '|',
  ),
);
const longestValue = 6;

/** A part of the text that means something, and how many words it took. */
interface Step {
  readonly filter: Filter;
  readonly count: number;
}

/**
 * Reads values, names of fields and comparisons out of a text; whatever is none of these stays as it was typed. Only whole
 * values, labels and synonyms count: a part of one is for the search in words. A text in quotation marks is words.
 */
export const readWords = (text: string, vocabulary: Vocabulary): Reading => {
  const quoted = /^\s*["“„«](.*)["”“»]\s*$/su.exec(text)?.[1];
  if (quoted !== undefined) return { filters: [], words: quoted.trim() };
  const words = wordsIn(text);
  const filters: Filter[] = [];
  const left: Word[][] = [[]];
  for (let at = 0; at < words.length;) {
    const step = stepAt(words, at, vocabulary);
    if (step === null) left.at(-1)!.push(words[at]!);
    else {
      const isOr = left.at(-1)!.length === 1 && orWords.has(left.at(-1)![0]!.folded);
      add(filters, step.filter, isOr);
      left.push([]);
    }
    at += step?.count ?? 1;
  }
  if (filters.length === 0) return { filters, words: text.trim() };
  const rest = left.map(withoutStops).filter((part) => part.length > 0);
  return {
    filters,
    words: rest
      .flat()
      .map(({ from, to }) => text.slice(from, to).trim())
      .join(' '),
  };
};

const withoutStops = (words: readonly Word[]): readonly Word[] => {
  const kept = words.map(({ folded }) => !stopWords.has(folded) && !fillers.has(folded));
  return kept.includes(true) ? words.slice(kept.indexOf(true), kept.lastIndexOf(true) + 1) : [];
};

const stepAt = (words: readonly Word[], at: number, vocabulary: Vocabulary): Step | null =>
  ofField(words, at, vocabulary) ??
  quantityAt(words, at, vocabulary, null) ??
  valueAt(words, at, vocabulary, null) ??
  negatedAt(words, at, vocabulary);

/** The name of a field, followed by one of its values or an amount. */
const ofField = (words: readonly Word[], at: number, vocabulary: Vocabulary): Step | null => {
  for (let length = longestValue; length > 0; length -= 1) {
    const field = at + length >= words.length ? null : fieldNamed(textOf(words, at, length), vocabulary);
    if (field === null) continue;
    const joined = joints.has(words[at + length]!.folded) && words.length > at + length + 1 ? 1 : 0;
    for (const skipped of new Set([0, joined])) {
      const start = at + length + skipped;
      const step = listAt(words, start, vocabulary, field) ?? quantityAt(words, start, vocabulary, field);
      if (step !== null) return { ...step, count: step.count + length + skipped };
    }
  }
  return null;
};

/** Values of a field whose name was read, one after the other. */
const listAt = (words: readonly Word[], at: number, vocabulary: Vocabulary, field: Field): Step | null => {
  const first = valueAt(words, at, vocabulary, field);
  if (first === null) return null;
  const joined = andWords.has(words[at + first.count]?.folded ?? '') ? 1 : 0;
  const more = listAt(words, at + first.count + joined, vocabulary, field);
  if (more === null) return first;
  return { filter: together(first.filter, more.filter), count: first.count + joined + more.count };
};

/** A field by its name, or by the beginning or the end of that of a number or date, which is no value. */
const fieldNamed = (name: string, { names, fields, values }: Vocabulary): Field | null => {
  const isPart = (other: string): boolean => other.startsWith(`${name} `) || other.endsWith(` ${name}`);
  const isMeant = (field: Field): boolean =>
    (field.kind === 'numbers' || field.kind === 'dates') && namesOf(field).some(isPart);
  return names.get(name) ?? (name === '' || values.has(name) ? null : (fields.find(isMeant) ?? null));
};

const quantityAt = (
  words: readonly Word[],
  at: number,
  { fields }: Vocabulary,
  field: Field | null,
): Step | null =>
  readQuantity(
    words.slice(at).map(({ folded }) => folded),
    fields,
    field,
  );

const valueAt = (
  words: readonly Word[],
  at: number,
  { values }: Vocabulary,
  field: Field | null,
): Step | null => {
  for (let count = Math.min(longestValue, words.length - at); count > 0; count -= 1) {
    const text = textOf(words, at, count);
    const all = (values.get(text) ?? []).filter((one) => field === null || one.field.path === field.path);
    const first = all.find((one) => one.field.hierarchy === undefined) ?? all[0];
    if (first === undefined || (field === null && !saysEnough(text))) continue;
    const keys = all.filter((one) => one.field.path === first.field.path).map(({ key }) => key);
    return { filter: chosen(first.field, keys), count };
  }
  return null;
};

const negatedAt = (words: readonly Word[], at: number, vocabulary: Vocabulary): Step | null => {
  if (!negations.has(words[at]!.folded) || at + 1 >= words.length) return null;
  const step = ofField(words, at + 1, vocabulary) ?? valueAt(words, at + 1, vocabulary, null);
  return step === null ? null : { filter: negation(step.filter), count: step.count + 1 };
};

/** '' if one of them is a sign. */
const textOf = (words: readonly Word[], at: number, count: number): string => {
  const texts = words.slice(at, at + count).map(({ folded }) => normal(folded));
  return texts.includes('') ? '' : texts.join(' ');
};

const saysEnough = (text: string): boolean =>
  text.length > 1 &&
  !vague.has(text) &&
  !stopWords.has(text) &&
  !isSpokenUnit(text) &&
  !/^[\divx ]+$/.test(text);

const chosen = ({ path, hierarchy }: Field, keys: readonly string[]): Filter =>
  hierarchy === undefined ? choiceOf(path, keys) : { op: 'under', content: { fieldName: path, value: keys } };

/** Values of one field are alternatives; of several fields only where "or" stands between them. */
const add = (filters: Filter[], filter: Filter, isOr: boolean): void => {
  const before = filters.findIndex((one) => isAlike(one, filter));
  const last = filters.at(-1);
  if (before >= 0) filters[before] = together(filters[before]!, filter);
  else if (isOr && last !== undefined) filters[filters.length - 1] = { op: 'or', content: [last, filter] };
  else filters.push(filter);
};

const isAlike = (one: Filter, other: Filter): boolean =>
  !isGroup(one) &&
  !isSearch(one) &&
  !isGroup(other) &&
  !isSearch(other) &&
  one.op === other.op &&
  ['in', 'not-in', 'under'].includes(one.op) &&
  one.content.fieldName === other.content.fieldName;

const together = (one: Filter, other: Filter): Filter => {
  if (isGroup(one) || isSearch(one) || isGroup(other) || isSearch(other)) return one;
  const value = [...new Set([one.content.value, other.content.value].flat())];
  return { ...one, content: { ...one.content, value } };
};
