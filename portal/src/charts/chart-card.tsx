import { useRef, useState, type ReactNode } from 'react';
import { Button, ToggleButton } from 'react-aria-components';
import type { Catalogue } from '../api/catalogue.ts';
import { save } from '../api/download.ts';
import type { Messages } from '../i18n/en.ts';
import type { ChartTable } from './chart-table.ts';
import { csvOf, pngOf, svgOf, type Caption, type Fact } from './export-chart.ts';
import { describeView } from '../explore/sentence/describe-filter.ts';
import { useWords } from '../explore/sentence/use-terms.ts';
import { usePlace } from '../state/use-place.ts';
import { ChartIcon, CloseIcon, DownloadIcon, TableIcon } from '../look/icons.tsx';

interface ChartCardProps {
  readonly catalogue: Catalogue;
  readonly title: string;
  /** The condition that the records share; unset: the filter of the page. */
  readonly sentence?: string;
  /** The institutions included, next to the title. */
  readonly badge: ReactNode;
  /** Replaces the title text. */
  readonly heading?: ReactNode;
  readonly table: ChartTable;
  /** All numbers, for its exported file; unset: those of the table. */
  readonly exported?: ChartTable;
  /** The action of a row of the table, equal to that of its mark in the chart. */
  readonly onChooseRow?: ((at: number) => void) | undefined;
  readonly children: ReactNode;
  /** Its numbers belong to the previous filter, and must not be exported. */
  readonly isStale?: boolean;
  readonly onRemove?: (() => void) | undefined;
  /** The alternative way to draw it. */
  readonly other?:
    | { readonly label: string; readonly isOn: boolean; readonly onToggle: () => void }
    | undefined;
}

/** A chart with its coverage, a table of its numbers, and its exports. */
export const ChartCard = ({
  catalogue,
  title,
  sentence,
  badge,
  heading,
  table,
  exported = table,
  onChooseRow,
  children,
  isStale = false,
  onRemove,
  other,
}: ChartCardProps) => {
  const { view } = usePlace();
  const words = useWords(view.filters ?? [], catalogue);
  const { t } = words;
  const [isTable, setTable] = useState(false);
  const drawn = useRef<HTMLDivElement>(null);
  const covered = useRef<HTMLSpanElement>(null);
  const name = title.replace(/[^\p{L}\p{N}]+/gu, '-').toLowerCase();
  const coverage = (): string =>
    [...(covered.current?.children ?? [])].map(({ textContent }) => textContent).join(' · ');
  const withDrawn = (act: (chart: SVGSVGElement, caption: Caption) => void): void => {
    const chart = drawn.current?.querySelector<SVGSVGElement>('svg.drawing');
    if (chart != null) act(chart, { title, coverage: coverage(), about: about() });
  };
  const savePng = (chart: SVGSVGElement, caption: Caption): void =>
    void pngOf(chart, caption).then((blob) => save(blob, `${name}.png`));
  const about = (): readonly Fact[] =>
    factsOf(catalogue, sentence ?? describeView(view, catalogue, words), t);
  return (
    <article className="card chart" aria-label={title}>
      <h3>
        {heading ?? title}{' '}
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
              isDisabled={isStale}
              aria-label={`PNG: ${title}`}
              onPress={() => withDrawn(savePng)}
            >
              <DownloadIcon /> PNG
            </Button>
            <Button
              className="bare"
              isDisabled={isStale}
              aria-label={`SVG: ${title}`}
              onPress={() => withDrawn((chart, caption) => save(svgOf(chart, caption), `${name}.svg`))}
            >
              SVG
            </Button>
          </>
        )}
        <Button
          className="bare"
          isDisabled={isStale}
          aria-label={`CSV: ${title}`}
          onPress={() =>
            save(csvOf(exported, [{ head: t.institutions, text: coverage() }, ...about()]), `${name}.csv`)
          }
        >
          CSV
        </Button>
        {other !== undefined && !isTable && (
          <ToggleButton className="bare" isSelected={other.isOn} onChange={other.onToggle}>
            {other.label}
          </ToggleButton>
        )}
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

/** What the numbers refer to, for readers who see them without the page. */
const factsOf = ({ source }: Catalogue, sentence: string, t: Messages): readonly Fact[] => [
  { head: t.filter, text: sentence },
  { head: t.source, text: source.name },
  { head: t.date, text: new Date().toISOString().slice(0, 10) },
  { head: t.link, text: location.href },
];

type TwinTableProps = ChartTable & { readonly title: string } & Pick<ChartCardProps, 'onChooseRow'>;

const TwinTable = ({ title, head, rows, onChooseRow }: TwinTableProps) => (
  <div className="tablebox" tabIndex={0} role="region" aria-label={title}>
    <table>
      <thead>
        <tr>
          {head.map((name, at) => (
            <th key={at} scope="col" className={at === 0 ? undefined : 'n'}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          // values may have equal texts
          <tr key={index}>
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
