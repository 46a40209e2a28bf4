import { lazy, useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { Row } from '../../api/answer.ts';
import { chosenColumns } from '../../api/catalogue.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { ColumnsIcon } from '../../look/icons.tsx';
import { Opening } from '../../look/opening.tsx';
import { Trouble } from '../../look/trouble.tsx';
import type { Exploration } from '../exploration.ts';
import { Grid, type GridProps } from './grid.tsx';
import { Pager, usePages } from './pages.tsx';

const ColumnWindow = lazy(() => import('./column-window.tsx'));

const pageSize = 20;
const noRows: readonly Row[] = [];
const patienceMs = 300;

/** The records, page by page with a cursor. */
const RecordTable = (exploration: Exploration) => {
  const { t } = useLocale();
  const { catalogue, view, change, overview } = exploration;
  const columns = useMemo(() => chosenColumns(catalogue, view), [catalogue, view.columns]);
  const { pages, sort } = usePages(exploration, columns, pageSize);
  const answered = useMemo(() => pages.data?.pages.flatMap((page) => page.rows) ?? noRows, [pages.data]);
  const areCountsIn = useInOrSoon(overview !== null);
  const rows = areCountsIn ? answered : noRows;
  const next = useMemo(
    () => ({ catalogue, columns, rows, sort, view }),
    [catalogue, columns, rows, sort, view],
  );
  const drawn = useDrawn(next, pages.isPlaceholderData);
  if (pages.error) return <Trouble error={pages.error} onRetry={() => void pages.refetch()} />;
  if (pages.data === undefined) return <p className="quiet">{t.loading}</p>;
  if (drawn.rows.length === 0) return null;
  return (
    <div className={pages.isPlaceholderData || drawn.rows !== rows ? 'stale' : undefined}>
      <Grid {...drawn} />
      <div className="pager">
        <Pager {...{ pages, overview }} shown={drawn.rows.length} />
        <Opening label={t.columns} icon={<ColumnsIcon />}>
          {(close) => (
            <ColumnWindow
              {...{ catalogue, columns }}
              onChange={(next) => change({ ...view, columns: next })}
              onClose={close}
            />
          )}
        </Opening>
      </div>
    </div>
  );
};

/** Rows take longest to render, so they wait briefly for the first counts. */
const useInOrSoon = (isIn: boolean): boolean => {
  const [isSoon, setSoon] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSoon(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  return isIn || isSoon;
};

/** The displayed table: the previous one until its new rows have arrived, rendered after user actions. */
const useDrawn = (next: GridProps, isWaiting: boolean): GridProps => {
  const [settled, setSettled] = useState(next);
  if (!isWaiting && settled !== next) setSettled(next);
  const first = useMemo(() => ({ ...next, rows: noRows }), []);
  return useDeferredValue(settled, first);
};

export default RecordTable;
