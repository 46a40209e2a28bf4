import type { Catalogue } from '../../api/catalogue.ts';
import { isOfWords, type Filter, type Search } from '../../api/filter.ts';
import { fetchPage, type Question } from '../../api/questions.ts';
import type { Page } from '../../api/answer.ts';
import type { View } from '../../state/view.ts';

const ofNames = /(^|[._ ])(full ?name|names?|artists?|creators?|authors?|makers?|persons?)$/i;
const ofTitles = /(^|[._ ])(titles?|titel|titre|labels?)$/i;

/**
 * The questions that a view's records are found by, the most relevant ones first: words in names, then in titles, then in
 * any other field; each whole before in part. One question where there are no words, or the visitor chose an order.
 */
export const ranksOf = (view: View, question: Question, { fields }: Catalogue): readonly Question[] => {
  const search = view.filters?.find(isOfWords);
  const { filter } = question;
  if (search === undefined || filter === null || view.sort !== undefined || view.join === 'or')
    return [question];
  const { fieldNames, value } = search.content;
  const called = (pattern: RegExp): readonly string[] =>
    fieldNames.filter((path) => pattern.test(path) || pattern.test(fields.get(path)?.name ?? ''));
  const groups = [called(ofNames), called(ofTitles)].filter((names) => names.length > 0);
  const steps = groups.flatMap((names): readonly Filter[] => [
    ...(value.includes('*') ? [] : [inFields('wildcard', names, value)]),
    inFields('search', names, value),
  ]);
  const conditions = [...steps, null].map((step, at): Filter => {
    const before = steps.slice(0, at);
    const others: readonly Filter[] = before.length === 0 ? [] : [{ op: 'not', content: before }];
    return { op: 'and', content: [filter, ...(step === null ? [] : [step]), ...others] };
  });
  return steps.length === 0 ? [question] : conditions.map((one) => ({ ...question, filter: one }));
};

const inFields = (op: Search['op'], fieldNames: readonly string[], value: string): Search => ({
  op,
  content: { fieldNames, value },
});

type RankedRequest = Omit<Parameters<typeof fetchPage>[2], 'after'> & { readonly offset: number };

/** Some records of several questions one after the other. @throws ApiError */
export const fetchRanked = async (
  catalogue: Catalogue,
  ranks: readonly Question[],
  { offset, size, ...request }: RankedRequest,
  signal?: AbortSignal,
): Promise<Page> => {
  let skipped = offset;
  const rows: Page['rows'][number][] = [];
  for (const question of ranks) {
    const page = await fetchPage(
      catalogue,
      question,
      { ...request, after: null, offset: skipped, size: size - rows.length },
      signal,
    );
    rows.push(...page.rows);
    if (rows.length >= size) break;
    skipped = Math.max(0, skipped - (page.total ?? 0));
  }
  return { total: null, rows };
};
