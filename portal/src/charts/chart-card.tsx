import { lazy, Suspense, useRef, useState, type ReactNode } from 'react';
import { Button } from 'react-aria-components';
import type { Catalogue } from '../api/catalogue.ts';
import { save } from '../api/download.ts';
import { fileNameOf } from '../frame/file-name.ts';
import type { Messages } from '../i18n/en.ts';
import type { MenuEntry } from './chart-menu.tsx';
import type { ChartTable } from './chart-table.ts';
import { csvOf, pngOf, svgOf, type Caption, type Fact } from './export-chart.ts';
import { describeView } from '../explore/sentence/describe-filter.ts';
import { useWords } from '../explore/sentence/use-terms.ts';
import { DataTable } from '../look/data-table.tsx';
import { usePlace } from '../state/use-place.ts';

const ChartMenu = lazy(() => import('./chart-menu.tsx'));

interface ChartCardProps {
  readonly catalogue: Catalogue;
  readonly title: string;
  /** The condition that the records share; unset: the filter of the page. */
  readonly sentence?: string;
  /** The institutions included, next to the title. */
  readonly badge: ReactNode;
  /** Replaces the title text. */
  readonly heading?: ReactNode;
  /** What its numbers count, next to the title. */
  readonly counts?: ReactNode;
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

/** A chart with its coverage, and a menu: its numbers as a table, its files, the other way to draw it. */
export const ChartCard = ({
  catalogue,
  title,
  sentence,
  badge,
  heading,
  counts,
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
  const [isOpen, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const drawn = useRef<HTMLDivElement>(null);
  const covered = useRef<HTMLSpanElement>(null);
  const named = (ending: string): string => fileNameOf(catalogue.source, title, ending);
  const coverage = (): string =>
    [...(covered.current?.children ?? [])].map(({ textContent }) => textContent).join(' · ');
  const withDrawn = (act: (chart: SVGSVGElement, caption: Caption) => void): void => {
    const chart = drawn.current?.querySelector<SVGSVGElement>('svg.drawing');
    if (chart != null) act(chart, { title, coverage: coverage(), about: about() });
  };
  const about = (): readonly Fact[] =>
    factsOf(catalogue, sentence ?? describeView(view, catalogue, words), t);
  const noPicture = isStale || isTable;
  const entries: readonly MenuEntry[] = [
    { id: 'table', label: isTable ? t.asChart : t.asTable, act: () => setTable(!isTable) },
    {
      id: 'png',
      label: t.picture('PNG'),
      isDisabled: noPicture,
      act: () =>
        withDrawn((chart, caption) => void pngOf(chart, caption).then((blob) => save(blob, named('png')))),
    },
    {
      id: 'svg',
      label: t.picture('SVG'),
      isDisabled: noPicture,
      act: () => withDrawn((chart, caption) => save(svgOf(chart, caption), named('svg'))),
    },
    {
      id: 'csv',
      label: t.numbersAs('CSV'),
      isDisabled: isStale,
      act: () =>
        save(csvOf(exported, [{ head: t.institutions, text: coverage() }, ...about()]), named('csv')),
    },
    ...(other === undefined || isTable
      ? []
      : [{ id: 'other', label: other.label, isOn: other.isOn, act: other.onToggle }]),
    ...(onRemove === undefined ? [] : [{ id: 'remove', label: t.removeChart, act: onRemove }]),
  ];
  return (
    <article className="card chart" aria-label={title}>
      <h3>
        {heading ?? title}
        {counts !== undefined && <small>{counts}</small>}{' '}
        <span ref={covered} style={{ display: 'contents' }}>
          {badge}
        </span>
        <Button
          ref={trigger}
          className="bare more"
          aria-label={t.moreOf(title)}
          aria-haspopup="menu"
          aria-expanded={isOpen}
          onPress={() => setOpen(true)}
        >
          ⋯
        </Button>
        {isOpen && (
          <Suspense>
            <ChartMenu {...{ trigger, entries }} label={t.moreOf(title)} onClose={() => setOpen(false)} />
          </Suspense>
        )}
      </h3>
      <div ref={drawn} className={isStale ? 'stale' : undefined}>
        {isTable ? <TwinTable title={`${t.table}: ${title}`} {...{ table, onChooseRow }} /> : children}
      </div>
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

type TwinTableProps = Pick<ChartCardProps, 'title' | 'table' | 'onChooseRow'>;

const TwinTable = ({ title, table, onChooseRow }: TwinTableProps) => (
  <DataTable
    label={title}
    head={table.head}
    isNumber={(at) => at > 0}
    rows={table.rows.map(([first, ...cells], at) => [
      onChooseRow === undefined ? (
        first
      ) : (
        <Button className="bare" onPress={() => onChooseRow(at)}>
          {first}
        </Button>
      ),
      ...cells,
    ])}
  />
);
