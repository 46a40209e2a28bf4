import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Catalogue } from '../api/catalogue.ts';
import { totalQuery } from '../api/queries.ts';
import { fetchPage } from '../api/questions.ts';
import { knownSort } from '../explore/table/pages.tsx';
import { isRanked, questionOf } from '../explore/view-question.ts';
import { PageLink } from '../frame/page-link.tsx';
import { useLocale } from '../i18n/locale.tsx';
import { recordKey, rowKey, type RecordKey, type View } from '../state/view.ts';

/** The previous and the next record in the list that led to it. */
export const Steps = ({ catalogue, view }: { readonly catalogue: Catalogue; readonly view: View }) => {
  const { t, number } = useLocale();
  const key = view.record!;
  const { at } = key;
  const question = useMemo(
    () => questionOf(view, catalogue),
    [view.filters, view.join, view.nodes, catalogue],
  );
  const sort = useMemo(() => knownSort(catalogue, view.sort), [catalogue, view.sort]);
  const isByRank = isRanked(view);
  const first = Math.max(0, (at ?? 0) - 1);
  const { data } = useQuery({
    queryKey: ['steps', catalogue.source.id, question, sort, first, isByRank],
    queryFn: async ({ signal }) => {
      const request = { columns: [], sort, size: 3 };
      const ranks = isByRank ? await import('../explore/table/ranks.ts') : null;
      const ranking = ranks?.rankingOf(view, catalogue);
      return ranks && ranking
        ? ranks.fetchRanked(catalogue, ranking, { ...request, from: ranks.placeAt(first) }, signal)
        : fetchPage(catalogue, question, { ...request, after: null, offset: first }, { signal });
    },
    enabled: at !== undefined,
  });
  const { data: whole } = useQuery({
    ...totalQuery(catalogue, question),
    enabled: at !== undefined && isByRank,
  });
  const total = data?.total ?? whole?.total ?? null;
  const place = data?.rows.findIndex((row) => rowKey(row) === rowKey(key)) ?? -1;
  // records were added or removed since
  if (at === undefined || data === undefined || place !== at - first) return null;
  const step = (by: -1 | 1): RecordKey | null => {
    const row = data.rows[place + by];
    return row === undefined ? null : { ...recordKey(row), at: at + by };
  };
  return (
    <>
      <Step label={`‹ ${t.previous}`} view={view} to={step(-1)} />
      <Step label={`${t.next} ›`} view={view} to={step(1)} />
      <span className="small quiet">
        {total === null ? number(at + 1) : t.shownOf(number(at + 1), number(total))}
      </span>
    </>
  );
};

const Step = ({
  label,
  view,
  to,
}: {
  readonly label: string;
  readonly view: View;
  readonly to: RecordKey | null;
}) =>
  to === null ? null : (
    <PageLink className="plain" page="record" view={{ ...view, record: to }}>
      {label}
    </PageLink>
  );
