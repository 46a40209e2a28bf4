import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { rangeEndsOf, timeOf, titleOf } from '../api/fields.ts';
import { extentsQuery, into } from '../api/queries.ts';
import { fetchOverview } from '../api/questions.ts';
import { ofRecords } from '../api/units.ts';
import { ChartCard } from '../charts/chart-card.tsx';
import { NoValue, tableOf } from '../charts/facet-chart.tsx';
import Histogram from '../charts/histogram.tsx';
import { useBoxWidth } from '../charts/use-chart-width.ts';
import { Choice } from '../frame/choices.tsx';
import { capital } from '../i18n/plural.ts';
import { useLocale } from '../i18n/locale.tsx';
import { useRecords } from '../look/counted.ts';
import { CoverageBadge } from '../look/coverage-badge.tsx';
import { coveredRecords, whyRanges } from '../look/honest.ts';
import { rangeOf, withAltered, withRange } from '../state/edit.ts';
import type { Exploration } from './exploration.ts';
import { timelinePath, timelinePaths } from './timeline-path.ts';

const maxBins = 70;

/** The main date or number of the records over the full width, by institution: drag over it to filter. */
const Timeline = ({ catalogue, config, question, view, change }: Exploration) => {
  const locale = useLocale();
  const { t } = locale;
  const records = useRecords(catalogue);
  const box = useRef<HTMLDivElement>(null);
  const width = useBoxWidth(box);
  const path = timelinePath(config, catalogue, view)!;
  const field = catalogue.fields.get(path)!;
  const paths = useMemo(() => [path], [path]);
  const { data: extents } = useQuery(extentsQuery(catalogue, paths));
  const fine = useMemo(
    () => new Map([...(extents ?? [])].map(([key, extent]) => [key, { ...extent, bins: maxBins }])),
    [extents],
  );
  const { data: overview, isPlaceholderData } = useQuery({
    queryKey: ['timeline', catalogue.source.id, question, path],
    queryFn: (context) =>
      fetchOverview(
        catalogue,
        question,
        paths,
        fine,
        { asUsual: 0, more: {} },
        context.signal,
        into(context),
      ),
    enabled: fine.size > 0,
    placeholderData: keepPreviousData,
  });
  const facet = overview?.facets.get(path);
  const ranges = facet?.kind === 'dates' || facet?.kind === 'numbers' ? facet : undefined;
  const [low, high] = rangeOf(view, path);
  const isOpen = low === null && high === null;
  const toNumber = (value: string | number): number =>
    field.kind === 'dates' ? timeOf(String(value)) : Number(value);
  const set = (from: string | number | null, to: string | number | null): void =>
    change(withRange(view, path, from, to));
  return (
    <div className="timelinebox" ref={box}>
      {ranges !== undefined && ranges.bins.length > 0 && (
        <ChartCard
          catalogue={catalogue}
          title={titleOf(field)}
          counts={records(2)}
          badge={
            <CoverageBadge
              catalogue={catalogue}
              coverage={ranges.coverage}
              ranges={whyRanges(ranges.bins)}
              saysAll
            />
          }
          heading={
            <Choice
              label={t.timelineOf}
              value={path}
              options={timelinePaths(catalogue).map((each) => [each, titleOf(catalogue.fields.get(each)!)])}
              onChange={(timeline) => change({ ...view, timeline })}
            />
          }
          table={tableOf(ranges, null, field, capital(records(2)), locale)}
          onChooseRow={(at) => set(...rangeEndsOf(field, ranges.bins[at]!.from, ranges.bins[at]!.to))}
          other={{
            label: t.logScale,
            isOn: view.altered?.includes(path) ?? false,
            onToggle: () => change(withAltered(view, path)),
          }}
          isStale={isPlaceholderData}
          onRemove={() => change({ ...view, timeline: '' })}
        >
          <Histogram
            {...{ catalogue, field, width, maxBins }}
            unit={ofRecords}
            facet={ranges}
            label={titleOf(field)}
            height={130}
            of={isOpen ? coveredRecords(ranges, overview?.total ?? null) : null}
            isLog={view.altered?.includes(path) ?? false}
            isStacked
            chosen={
              isOpen
                ? undefined
                : [low === null ? -Infinity : toNumber(low), high === null ? Infinity : toNumber(high)]
            }
            action={t.filterByRange}
            onRange={(from, to) => set(...rangeEndsOf(field, from, to))}
            onClear={() => set(null, null)}
          />
          <NoValue {...{ catalogue, view }} facet={ranges} />
        </ChartCard>
      )}
    </div>
  );
};

export default Timeline;
