import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Button } from 'react-aria-components';
import { isGrowing, type Page } from '../../api/answer.ts';
import type { Catalogue, Column, Sort } from '../../api/catalogue.ts';
import { intoFirst } from '../../api/queries.ts';
import { fetchPage } from '../../api/questions.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { shownRecords } from '../../look/honest.ts';
import type { Exploration } from '../exploration.ts';
import { isRanked } from '../view-question.ts';
import type { Place } from './ranks.ts';

/** The sort order of a view, as far as its fields still exist and sort; else the owners' order. */
export const knownSort = (
  { fields, sort }: Catalogue,
  wanted: readonly Sort[] | undefined,
): readonly Sort[] => {
  const known =
    wanted?.filter(({ fieldName }) => fields.has(fieldName) && fields.get(fieldName)!.sortable !== false) ??
    [];
  return wanted === undefined || (known.length === 0 && wanted.length > 0) ? sort : known;
};

/** The records in the order of a view, page by page with a cursor. */
export const usePages = (
  { catalogue, question, view }: Exploration,
  columns: readonly Pick<Column, 'path' | 'own'>[],
  size: number,
) => {
  const sort = useMemo(() => knownSort(catalogue, view.sort), [catalogue, view.sort]);
  const isByRank = isRanked(view);
  const pages = useInfiniteQuery({
    queryKey: ['page', catalogue.source.id, question, columns, sort, size, isByRank],
    queryFn: async ({ pageParam, ...context }): Promise<Page> => {
      const request = { columns, sort, size };
      const ranks = isByRank ? await import('./ranks.ts') : null;
      const ranking = ranks?.rankingOf(view, catalogue);
      if (ranks && ranking)
        return ranks.fetchRanked(
          catalogue,
          ranking,
          { ...request, from: pageParam as Place | null },
          context.signal,
        );
      return fetchPage(
        catalogue,
        question,
        { ...request, after: pageParam },
        { signal: context.signal, soon: pageParam === null ? intoFirst(context) : undefined },
      );
    },
    initialPageParam: null as unknown,
    getNextPageParam: ({ rows, next }) => {
      if (next !== undefined) return next;
      return rows.length < size ? undefined : rows.at(-1)?.cursor;
    },
    placeholderData: keepPreviousData,
  });
  return { pages, sort };
};

interface PagerProps extends Pick<ReturnType<typeof usePages>, 'pages'>, Pick<Exploration, 'overview'> {
  readonly shown: number;
}

/** How many of the records are shown, and the button for the next page. */
export const Pager = ({ pages, overview, shown }: PagerProps) => {
  const { t, number } = useLocale();
  const all = number((overview && shownRecords(overview)) ?? shown);
  return (
    <>
      <span role="status">
        {t.shownOf(number(shown), overview && isGrowing(overview) ? t.noLess(all) : all)}
        {isPart(pages) && <> · {t.rowsToCome}</>}
      </span>
      {pages.hasNextPage && (
        <Button
          className="plain"
          // a page after fast institutions' rows would skip earlier rows of the others
          isDisabled={pages.isFetching}
          onPress={() => void pages.fetchNextPage()}
        >
          {t.loadMore}
        </Button>
      )}
    </>
  );
};

/** Whether the rows are those of fast institutions, while the others are awaited: these are stored as never updated. */
const isPart = ({ data, dataUpdatedAt, isFetching, isPlaceholderData }: PagerProps['pages']): boolean =>
  data !== undefined && !isPlaceholderData && isFetching && dataUpdatedAt === 0;
