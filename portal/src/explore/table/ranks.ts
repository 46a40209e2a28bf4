import { fold } from '../../../../src/lib/text/fold.ts';
import type { Page, Row } from '../../api/answer.ts';
import type { Catalogue } from '../../api/catalogue.ts';
import { isOfWords, type Filter, type Search } from '../../api/filter.ts';
import { fetchPage, type Question } from '../../api/questions.ts';
import { withFilters } from '../../state/edit.ts';
import type { View } from '../../state/view.ts';
import { questionOf } from '../view-question.ts';

/** Records of equal importance, or of several ranks, which follow it in the list. */
export interface Rank {
  readonly question: Question;
  /** The rank after it and those it consists of. */
  readonly next: number;
}

/** The words of a view, the fields they are found in, names before titles, and the ranks of what they find. */
export interface Ranking {
  readonly words: string;
  readonly groups: readonly (readonly string[])[];
  readonly ranks: readonly Rank[];
}

/** Where a page begins: in a rank, after a record or so many of them. */
export interface Place {
  readonly at: number;
  readonly after: unknown;
  readonly skipped: number;
}

const ofNames = /^(\S+[._ ])?(full ?name|names?|artists?|creators?|authors?|makers?|persons?)$/i;
const ofTitles = /^(\S+[._ ])?(titles?|titel|titre|labels?)$/i;

/** By how many words more than those searched names and titles are told apart. */
const steps = [1, 2, 3, 5, 8, 13];

/** More records than these are told apart by the server. */
const maxSorted = 100;

/**
 * The order of what words find: in names, then in titles, then in any other field; whole values first, then those of few
 * words. Few records are one rank, which is sorted here; null: neither names nor titles are searched.
 */
export const rankingOf = (view: View, catalogue: Catalogue): Ranking | null => {
  const search = view.filters?.find(isOfWords);
  if (search === undefined) return null;
  const { fieldNames, value: words } = search.content;
  const called = (pattern: RegExp): readonly string[] =>
    fieldNames.filter((path) => pattern.test(path) || pattern.test(catalogue.fields.get(path)?.name ?? ''));
  const groups = [called(ofNames), called(ofTitles)].filter((names) => names.length > 0);
  if (groups.length === 0) return null;
  const others = view.filters!.filter((filter) => filter !== search);
  const asked = (...filters: readonly Filter[]): Question =>
    questionOf(withFilters(view, [...others, ...filters]), catalogue);
  const ranks: Rank[] = [];
  const before: Filter[] = [];
  for (const names of groups) {
    const found = inFields('search', names, words);
    const parts = partsOf(names, words).map((part) => asked(...part, ...before));
    const first = ranks.length + 1;
    ranks.push({ question: asked(found, ...before), next: first + 1 + parts.length });
    for (const question of parts) ranks.push({ question, next: ranks.length + 2 });
    before.push(not(found));
  }
  ranks.push({ question: asked(search, ...before), next: ranks.length + 2 });
  return { words, groups, ranks: [{ question: asked(search), next: ranks.length + 1 }, ...ranks] };
};

/** Whole values, then those of few words, then of more. */
const partsOf = (names: readonly string[], words: string): readonly (readonly Filter[])[] => {
  const whole = inFields('wildcard', names, words.replaceAll(/[\\*?]/g, String.raw`\$&`));
  const part = [inFields('search', names, words), not(whole)];
  const moreThan = (step: number): Filter =>
    inFields(
      'wildcard',
      names,
      Array.from({ length: lettersOf(words).length + step + 1 }, () => '*').join(' '),
    );
  const few = steps.map((step, at) => [
    ...part,
    not(moreThan(step)),
    ...(at === 0 ? [] : [moreThan(steps[at - 1]!)]),
  ]);
  return [[whole], ...few, [...part, moreThan(steps.at(-1)!)]];
};

const inFields = (op: Search['op'], fieldNames: readonly string[], value: string): Search => ({
  op,
  content: { fieldNames, value },
});

const not = (filter: Filter): Filter => ({ op: 'not', content: [filter] });

type RankedRequest = Pick<Parameters<typeof fetchPage>[2], 'columns' | 'sort' | 'size'> & {
  readonly from: Place | null;
};

/** Where the record after so many others is. */
export const placeAt = (skipped: number): Place => ({ at: 0, after: null, skipped });

/** At least a page of records, if there are as many. @param request without `from` from the first record @throws ApiError */
export const fetchRanked = async (
  catalogue: Catalogue,
  { words, groups, ranks }: Ranking,
  { from, size, ...request }: RankedRequest,
  signal?: AbortSignal,
): Promise<Page> => {
  const columns = [...request.columns, ...groups.flat().map((path) => ({ path }))];
  const rows: Row[] = [];
  let { at, after, skipped } = from ?? placeAt(0);
  while (rows.length < size && at < ranks.length) {
    const { question, next } = ranks[at]!;
    const isLast = next === at + 1;
    const wanted = isLast ? size - rows.length : maxSorted;
    const place = isLast && skipped > 0 ? { after: null, offset: skipped } : { after };
    const page = await fetchPage(
      catalogue,
      question,
      { ...request, ...place, columns: isLast ? request.columns : columns, size: wanted },
      { signal },
    );
    const isWhole = page.rows.length < wanted;
    if (isLast) {
      rows.push(...page.rows);
      skipped = page.rows.length > 0 ? 0 : Math.max(0, skipped - (page.total ?? 0));
    } else if (isWhole) {
      rows.push(...sorted(page.rows, groups, words).slice(skipped));
      skipped = Math.max(0, skipped - page.rows.length);
    }
    after = isLast && !isWhole ? page.rows.at(-1)!.cursor : null;
    if (isWhole || !isLast) at = isWhole ? next : at + 1;
  }
  return { total: null, rows, next: at < ranks.length ? { at, after, skipped } : null };
};

const lettersOf = (text: string): readonly string[] => fold(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

const sorted = (rows: readonly Row[], groups: Ranking['groups'], words: string): readonly Row[] => {
  const wanted = lettersOf(words);
  const ranks = new Map(rows.map((row) => [row, rankOf(row, groups, wanted)]));
  return rows.toSorted((one, other) => ranks.get(one)! - ranks.get(other)!);
};

const perGroup = 1e6;

/** The number of words of the shortest value that has some of those wanted, in the first group of fields that has all of them. */
const rankOf = ({ values }: Row, groups: Ranking['groups'], wanted: readonly string[]): number => {
  const isIn = (text: readonly string[], word: string): boolean =>
    text.some((one) => (word === wanted.at(-1) ? one.startsWith(word) : one === word));
  for (const [at, names] of groups.entries()) {
    const texts = names
      .flatMap((path) => [values[path]].flat(2))
      .flatMap((value) => (typeof value === 'string' ? [lettersOf(value)] : []));
    if (!wanted.every((word) => isIn(texts.flat(), word))) continue;
    const found = texts.filter((text) => wanted.some((word) => isIn(text, word)));
    const lengths = found.map((text) => (text.join(' ') === wanted.join(' ') ? 0 : text.length));
    return at * perGroup + Math.min(...lengths);
  }
  return groups.length * perGroup;
};
