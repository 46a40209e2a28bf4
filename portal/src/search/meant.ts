import { useQuery } from '@tanstack/react-query';
import type { Bucket } from '../api/answer.ts';
import type { Catalogue } from '../api/catalogue.ts';
import { fetchOverview } from '../api/questions.ts';
import { fetchMeant } from '../api/suggestions.ts';
import { questionOf } from '../explore/view-question.ts';
import { withSearch } from '../state/edit.ts';
import type { View } from '../state/view.ts';

type Count = Pick<Bucket, 'count' | 'upper'>;

const totalOf = async (catalogue: Catalogue, view: View, signal: AbortSignal): Promise<Count | null> => {
  const sizes = { asUsual: 0, more: {} };
  const answer = await fetchOverview(catalogue, questionOf(view, catalogue), [], new Map(), sizes, signal);
  return answer.total === null ? null : { count: answer.total, upper: answer.upper };
};

/** How many records a view finds; null: not known yet. */
export const useWords = (catalogue: Catalogue, view: View): Count | null => {
  const { data = null } = useQuery({
    queryKey: ['total', catalogue.source.id, questionOf(view, catalogue)],
    queryFn: ({ signal }) => totalOf(catalogue, view, signal),
  });
  return data;
};

interface MeantInput {
  readonly catalogue: Catalogue;
  readonly view: View;
  /** The fields that words are looked for in. */
  readonly names: readonly string[];
  readonly text: string;
  readonly hidden: readonly string[];
  readonly isWanted: boolean;
}

/** Words that are spelled almost like these and find something; null: there are none, or it is not known yet. */
export const useMeant = ({ catalogue, view, names, text, hidden, isWanted }: MeantInput) => {
  const { data = null } = useQuery({
    queryKey: ['meant', catalogue.source.id, view, text],
    queryFn: async ({ signal }) => {
      const meant = await fetchMeant(catalogue, view.nodes ?? null, text, hidden, signal);
      const count = meant === null ? null : await totalOf(catalogue, withSearch(view, names, meant), signal);
      return meant === null || count === null || count.upper === 0 ? null : { text: meant, count };
    },
    enabled: isWanted && text !== '',
  });
  return isWanted ? data : null;
};
