import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Button } from 'react-aria-components';
import type { Row } from '../api/answer.ts';
import { fetchPage } from '../api/questions.ts';
import type { Exploration } from '../explore/exploration.ts';
import { knownSort } from '../explore/table/known-sort.ts';
import { PageLink } from '../frame/page-link.tsx';
import { useLocale } from '../i18n/locale.tsx';
import { shownRecords } from '../look/honest.ts';
import { Trouble } from '../look/trouble.tsx';
import { firstText, namingFields, pictureColumns, picturesOf } from './images.ts';
import { Picture } from './picture.tsx';

const pageSize = 24;

/** The records as their pictures, page by page in the order of the table. */
const Gallery = ({ catalogue, question, view, overview }: Exploration) => {
  const { t, number } = useLocale();
  const sort = useMemo(() => knownSort(catalogue, view.sort), [catalogue, view.sort]);
  const columns = useMemo(() => pictureColumns(catalogue), [catalogue]);
  const naming = useMemo(() => namingFields(catalogue), [catalogue]);
  const pages = useInfiniteQuery({
    queryKey: ['gallery', catalogue.source.id, question, columns, sort],
    queryFn: ({ signal, pageParam }) =>
      fetchPage(catalogue, question, { columns, sort, after: pageParam, size: pageSize }, signal),
    initialPageParam: null as unknown,
    getNextPageParam: ({ rows }) => (rows.length < pageSize ? undefined : rows.at(-1)?.cursor),
    placeholderData: keepPreviousData,
  });
  if (pages.error) return <Trouble error={pages.error} onRetry={() => void pages.refetch()} />;
  if (pages.data === undefined) return <p className="quiet">{t.loading}</p>;
  const rows = pages.data.pages.flatMap((page) => page.rows);
  if (rows.length === 0) return null;
  const titleOf = (row: Row): string => firstText(row, naming.title) ?? t.recordTitle(row.id);
  return (
    <div className={pages.isPlaceholderData ? 'stale' : undefined}>
      <ul className="gallery">
        {rows.map((row, at) => {
          const title = titleOf(row);
          const { id, nodeId, values } = row;
          return (
            <li key={`${nodeId ?? ''}/${id}`}>
              <PageLink page="record" view={{ ...view, record: { id, nodeId, at } }} title={title}>
                <Picture
                  path={picturesOf(catalogue, row, (path) => values[path])[0]?.path}
                  alt=""
                  kind={firstText(row, naming.kind) ?? title}
                />
                <span className="clip">{title}</span>
              </PageLink>
            </li>
          );
        })}
      </ul>
      <div className="pager">
        <span role="status">
          {t.shownOf(number(rows.length), number((overview && shownRecords(overview)) ?? rows.length))}
        </span>
        {pages.hasNextPage && (
          <Button
            className="plain"
            isDisabled={pages.isFetchingNextPage}
            onPress={() => void pages.fetchNextPage()}
          >
            {t.loadMore}
          </Button>
        )}
      </div>
    </div>
  );
};

export default Gallery;
