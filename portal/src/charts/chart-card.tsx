import { useRef, useState, type ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { save } from '../api/download.ts';
import { useLocale } from '../i18n/locale.tsx';
import type { ChartTable } from './chart-table.ts';
import { csvOf, pngOf, svgOf, type Caption } from './export-chart.ts';
import { ChartIcon, CloseIcon, DownloadIcon, TableIcon } from '../look/icons.tsx';

interface ChartCardProps {
  readonly title: string;
  /** Which institutions are in it, beside the title. */
  readonly badge: ReactNode;
  readonly table: ChartTable;
  /** What a press on a row of the table does, as one on its mark in the chart. */
  readonly onChooseRow?: ((at: number) => void) | undefined;
  readonly children: ReactNode;
  readonly isStale?: boolean;
  readonly onRemove?: (() => void) | undefined;
}

/** A chart with its coverage, its twin as a table, and its exports. */
export const ChartCard = ({
  title,
  badge,
  table,
  onChooseRow,
  children,
  isStale = false,
  onRemove,
}: ChartCardProps) => {
  const { t } = useLocale();
  const [isTable, setTable] = useState(false);
  const drawn = useRef<HTMLDivElement>(null);
  const covered = useRef<HTMLSpanElement>(null);
  const name = title.replace(/[^\p{L}\p{N}]+/gu, '-').toLowerCase();
  const coverage = (): string =>
    [...(covered.current?.children ?? [])].map(({ textContent }) => textContent).join(' · ');
  const withDrawn = (act: (chart: SVGSVGElement, caption: Caption) => void): void => {
    const chart = drawn.current?.querySelector<SVGSVGElement>("svg[role='img']");
    if (chart != null) act(chart, { title, coverage: coverage() });
  };
  return (
    <article className="card chart" aria-label={title}>
      <h3>
        {title}{' '}
        <span ref={covered} style={{ display: 'contents' }}>
          {badge}
        </span>
      </h3>
      <div ref={drawn} className={isStale ? 'stale' : undefined}>
        {isTable ? (
          <TwinTable title={`${t.table}: ${title}`} {...table} onChooseRow={onChooseRow} />
        ) : (
          children
        )}
      </div>
      <footer>
        <Button className="bare" onPress={() => setTable(!isTable)}>
          {isTable ? <ChartIcon /> : <TableIcon />}
          {isTable ? t.asChart : t.asTable}
        </Button>
        {!isTable && (
          <>
            <Button
              className="bare"
              aria-label={`PNG: ${title}`}
              onPress={() =>
                withDrawn(
                  (chart, caption) => void pngOf(chart, caption).then((blob) => save(blob, `${name}.png`)),
                )
              }
            >
              <DownloadIcon /> PNG
            </Button>
            <Button
              className="bare"
              aria-label={`SVG: ${title}`}
              onPress={() => withDrawn((chart, caption) => save(svgOf(chart, caption), `${name}.svg`))}
            >
              SVG
            </Button>
          </>
        )}
        <Button
          className="bare"
          aria-label={`CSV: ${title}`}
          onPress={() => save(csvOf(table, { head: t.institutions, text: coverage() }), `${name}.csv`)}
        >
          CSV
        </Button>
        {onRemove !== undefined && (
          <Button
            className="bare"
            style={{ marginInlineStart: 'auto' }}
            aria-label={t.removeChart(title)}
            onPress={onRemove}
          >
            <CloseIcon />
          </Button>
        )}
      </footer>
    </article>
  );
};

type TwinTableProps = ChartTable & { readonly title: string } & Pick<ChartCardProps, 'onChooseRow'>;

const TwinTable = ({ title, head, rows, onChooseRow }: TwinTableProps) => (
  <div className="tablebox" tabIndex={0} role="region" aria-label={title}>
    <table>
      <thead>
        <tr>
          {head.map((name, at) => (
            <th key={name} scope="col" className={at === 0 ? undefined : 'n'}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={String(row[0])}>
            {row.map((cell, at) =>
              at === 0 ? (
                <th key={at} scope="row">
                  {onChooseRow === undefined ? (
                    cell
                  ) : (
                    <Button className="bare" onPress={() => onChooseRow(index)}>
                      {cell}
                    </Button>
                  )}
                </th>
              ) : (
                <td key={at} className="n">
                  {cell}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
