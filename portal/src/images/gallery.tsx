import { useMemo } from 'react';
import type { Row } from '../api/answer.ts';
import type { Exploration } from '../explore/exploration.ts';
import { Pager, usePages } from '../explore/table/pages.tsx';
import { PageLink } from '../frame/page-link.tsx';
import { useLocale } from '../i18n/locale.tsx';
import { Trouble } from '../look/trouble.tsx';
import { recordKey, rowKey } from '../state/view.ts';
import { firstText, namingFields, pictureColumns, picturesOf } from './images.ts';
import { Picture, useBroken } from './picture.tsx';

const pageSize = 24;

/** The records as pictures, page by page in the order of the table; those whose picture is broken are left out. */
const Gallery = (exploration: Exploration) => {
  const { t } = useLocale();
  const { catalogue, view, overview } = exploration;
  const columns = useMemo(() => pictureColumns(catalogue), [catalogue]);
  const naming = useMemo(() => namingFields(catalogue), [catalogue]);
  const { pages } = usePages(exploration, columns, pageSize);
  const { isBroken, onBroken } = useBroken();
  if (pages.error) return <Trouble error={pages.error} onRetry={() => void pages.refetch()} />;
  if (pages.data === undefined) return <p className="quiet">{t.loading}</p>;
  const rows = pages.data.pages.flatMap((page) => page.rows);
  if (rows.length === 0) return null;
  const tiles = rows.flatMap((row, at) => {
    const [address] = picturesOf(catalogue, (path) => row.values[path]);
    return address !== undefined && isBroken(address) ? [] : [{ row, at, address }];
  });
  const titleOf = (row: Row): string => firstText(row, naming.title) ?? t.recordTitle(row.id);
  return (
    <div className={pages.isPlaceholderData ? 'stale' : undefined}>
      <ul className="gallery">
        {tiles.map(({ row, at, address }) => {
          const title = titleOf(row);
          return (
            <li key={rowKey(row)}>
              <PageLink page="record" view={{ ...view, record: { ...recordKey(row), at } }} title={title}>
                {address === undefined ? (
                  <span className="picture none" aria-hidden>
                    {firstText(row, naming.kind) ?? title}
                  </span>
                ) : (
                  <Picture {...{ address, onBroken }} alt="" />
                )}
                <span className="clip">{title}</span>
              </PageLink>
            </li>
          );
        })}
      </ul>
      <div className="pager">
        <Pager {...{ pages, overview }} shown={tiles.length} />
      </div>
    </div>
  );
};

export default Gallery;
