import { useQuery } from '@tanstack/react-query';
import type { Bucket, Overview } from '../api/answer.ts';
import type { Catalogue } from '../api/catalogue.ts';
import { totalQuery } from '../api/queries.ts';
import { fetchTotal } from '../api/questions.ts';
import { fetchMeant } from '../api/suggestions.ts';
import { questionOf } from '../explore/view-question.ts';
import { withSearch } from '../state/edit.ts';
import type { View } from '../state/view.ts';

type Count = Pick<Bucket, 'count' | 'upper'>;

export const totalOf = ({ total, upper }: Pick<Overview, 'total' | 'upper'>): Count | null =>
  total === null ? null : { count: total, upper };

/** How many records a view finds; null: not known yet. */
export const useWords = (catalogue: Catalogue, view: View): Count | null => {
  const { data } = useQuery(totalQuery(catalogue, questionOf(view, catalogue)));
  return data === undefined ? null : totalOf(data);
};

interface MeantInput {
  readonly catalogue: Catalogue;
  readonly view: View;
  /** The fields in which words are searched. */
  readonly names: readonly string[];
  readonly text: string;
  readonly hidden: readonly string[];
  readonly isWanted: boolean;
}

/** Words with almost the same spelling that find something; null: there are none, or it is not known yet. */
export const useMeant = ({ catalogue, view, names, text, hidden, isWanted }: MeantInput) => {
  const { data = null } = useQuery({
    queryKey: ['meant', catalogue.source.id, view, text],
    queryFn: async ({ signal }) => {
      const meant = await fetchMeant(catalogue, view.nodes ?? null, text, hidden, signal);
      if (meant === null) return null;
      const question = questionOf(withSearch(view, names, meant), catalogue);
      const count = totalOf(await fetchTotal(catalogue, question, { signal }));
      return count === null || count.upper === 0 ? null : { text: meant, count };
    },
    enabled: isWanted && text !== '',
  });
  return isWanted ? data : null;
};
