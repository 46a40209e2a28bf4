import { useQuery } from '@tanstack/react-query';
import type { Overview } from '../api/answer.ts';
import type { Catalogue } from '../api/catalogue.ts';
import { countsQuery } from '../api/counts.ts';
import type { PortalConfig } from '../api/config.ts';
import { PageLink } from '../frame/page-link.tsx';
import { useLocale } from '../i18n/locale.tsx';
import { canBeChosen, countText } from '../look/honest.ts';
import { valueText } from '../look/value-text.ts';
import { withValues } from '../state/edit.ts';
import { filterOf, type View } from '../state/view.ts';

const questionsShown = 4;

interface QuestionsProps {
  readonly config: PortalConfig;
  readonly catalogue: Catalogue;
  readonly answer: Overview;
  readonly charts: readonly string[];
  readonly view: View;
}

/** Initial questions: the consortium's, else the most frequent value of each chart. */
export const Questions = ({ config, catalogue, answer, charts, view }: QuestionsProps) => {
  const { t, pick, number } = useLocale();
  const own = config.look.questions?.map(({ text, filters }) => ({
    text: pick(text),
    view: { ...view, filters },
  }));
  const guessed = charts.flatMap((path) => {
    const facet = answer.facets.get(path);
    const bucket = facet?.kind === 'values' ? facet.buckets.find(canBeChosen) : undefined;
    const field = catalogue.fields.get(path)!;
    if (
      bucket === undefined ||
      field.hierarchy !== undefined ||
      bucket.count === 0 ||
      bucket.count === answer.total
    )
      return [];
    const text = t.labelled(field.name, valueText(bucket, field, t));
    return [{ text, view: withValues(view, path, [bucket.key]) }];
  });
  const questions = own ?? guessed.slice(0, questionsShown);
  const { data: counts } = useQuery(
    countsQuery(
      catalogue,
      questions.map(({ view: linked }) => filterOf(linked)!),
    ),
  );
  return questions.length === 0 ? null : (
    <ul aria-label={t.exampleQuestions}>
      {questions.map(({ text, view: linked }, at) => (
        <li key={text}>
          <PageLink page="explore" view={linked}>
            {text} {counts?.[at] && <small>{countText(counts[at], number, t)}</small>}
          </PageLink>
        </li>
      ))}
    </ul>
  );
};
