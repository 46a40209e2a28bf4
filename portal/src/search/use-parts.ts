import { useQuery } from '@tanstack/react-query';
import type { Catalogue } from '../api/catalogue.ts';
import { countsQuery, type Counted } from '../api/counts.ts';
import { isOfWords, linkNested, type Filter } from '../api/filter.ts';
import { describeFilter, textOf } from '../explore/sentence/describe-filter.ts';
import { useTermsOf } from '../explore/sentence/use-terms.ts';
import { useLocale } from '../i18n/locale.tsx';
import { withFilters } from '../state/edit.ts';
import { filterOf, type View } from '../state/view.ts';

/** Conditions as texts. */
export const useTexts = (filters: readonly Filter[], catalogue: Catalogue): readonly string[] => {
  const locale = useLocale();
  const termOf = useTermsOf(filters, catalogue);
  return filters.map((filter) => textOf(describeFilter(filter, catalogue, { ...locale, termOf })));
};

/** A condition or a word of a view that finds nothing. */
interface Part {
  readonly text: string;
  /** How many records it finds alone, and the view finds without it; null: not known. */
  readonly alone: Counted | null;
  readonly without: Counted | null;
  readonly rest: View;
}

/** Enough for what people type. */
const maxParts = 8;

/** The conditions and the words of a view one by one: which finds nothing, and what would without it. */
export const useParts = (catalogue: Catalogue, view: View, isWanted: boolean): readonly Part[] => {
  const { t } = useLocale();
  const { nodes = null } = view;
  const parts = isWanted ? partsOf(view).slice(0, maxParts) : [];
  const texts = useTexts(
    parts.map(({ part }) => part),
    catalogue,
  );
  const linked = (filter: Filter): Filter => linkNested(filter, catalogue.fields);
  const asked = parts.flatMap(({ part, rest }) => [part, filterOf(rest) ?? everything]).map(linked);
  const { data = [] } = useQuery(countsQuery(catalogue, asked, nodes));
  return parts.map(({ part, rest }, at) => ({
    text: isOfWords(part) ? t.quoted(part.content.value) : texts[at]!,
    alone: data[2 * at] ?? null,
    without: parts.length > 1 ? (data[2 * at + 1] ?? null) : null,
    rest,
  }));
};

const everything: Filter = { op: 'and', content: [] };

const partsOf = (view: View): readonly { readonly part: Filter; readonly rest: View }[] =>
  (view.filters ?? []).flatMap((filter, at, all) => {
    const others = (...instead: readonly Filter[]): View =>
      withFilters(view, [...all.slice(0, at), ...instead, ...all.slice(at + 1)]);
    if (!isOfWords(filter)) return [{ part: filter, rest: others() }];
    const words = filter.content.value.split(/\s+/);
    const ofWords = (text: string): Filter => ({ ...filter, content: { ...filter.content, value: text } });
    return words.map((word, index) => ({
      part: ofWords(word),
      rest: words.length === 1 ? others() : others(ofWords(words.toSpliced(index, 1).join(' '))),
    }));
  });
