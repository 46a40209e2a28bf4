import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { titleOf } from '../api/fields.ts';
import { extentsQuery, growing } from '../api/queries.ts';
import { fetchOverview } from '../api/questions.ts';
import { FacetChart } from '../charts/facet-chart.tsx';
import { useBoxWidth } from '../charts/use-chart-width.ts';
import { Choice } from '../frame/choices.tsx';
import { useLocale } from '../i18n/locale.tsx';
import type { Exploration } from './exploration.ts';
import { timelinePath, timelinePaths } from './timeline-path.ts';

const maxBins = 70;

/** The main date or number of the records over the full width, by institution: drag over it to filter. */
const Timeline = ({ catalogue, config, question, view, change }: Exploration) => {
  const { t } = useLocale();
  const box = useRef<HTMLDivElement>(null);
  const width = useBoxWidth(box);
  const path = timelinePath(config, catalogue, view)!;
  const paths = useMemo(() => [path], [path]);
  const { data: extents } = useQuery(extentsQuery(catalogue, paths));
  const fine = useMemo(
    () => new Map([...(extents ?? [])].map(([key, extent]) => [key, { ...extent, bins: maxBins }])),
    [extents],
  );
  const { data: overview, isPlaceholderData } = useQuery({
    queryKey: ['timeline', catalogue.source.id, question, path],
    queryFn: (context) =>
      fetchOverview(catalogue, question, paths, { asUsual: 0 }, { ...growing(context), extents: fine }),
    enabled: fine.size > 0,
    placeholderData: keepPreviousData,
  });
  const facet = overview?.facets.get(path);
  return (
    <div className="timelinebox" ref={box}>
      {facet !== undefined && facet.kind !== 'values' && facet.bins.length > 0 && (
        <FacetChart
          {...{ catalogue, facet, view }}
          heading={
            <Choice
              label={t.timelineOf}
              value={path}
              options={timelinePaths(catalogue).map((each) => [each, titleOf(catalogue.fields.get(each)!)])}
              onChange={(timeline) => change({ ...view, timeline })}
            />
          }
          size={{ width, height: 130, maxBins }}
          total={overview?.total ?? null}
          isStale={isPlaceholderData}
          action={t.filterByRange}
          onLook={change}
          onFilter={change}
        />
      )}
    </div>
  );
};

export default Timeline;
