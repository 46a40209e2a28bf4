import type { Coverage } from '../api/answer.ts';
import type { Catalogue } from '../api/catalogue.ts';
import { inText } from '../i18n/plural.ts';
import { useLocale } from '../i18n/locale.tsx';
import { coveredBy } from './honest.ts';
import { nameOf, shortName } from './node-colours.ts';

interface CoverageBadgeProps {
  readonly catalogue: Catalogue;
  readonly coverage: readonly Coverage[] | null;
  /** Why some counts are ranges; null: none are. */
  readonly ranges?: 'cut' | 'intervals' | null;
  /** Also shown when all institutions are included. */
  readonly saysAll?: boolean;
}

/** The institutions in a chart or facet, and why others are missing: shown next to the numbers. */
export const CoverageBadge = ({
  catalogue,
  coverage,
  ranges = null,
  saysAll = false,
}: CoverageBadgeProps) => {
  const { t, list } = useLocale();
  const covered = coveredBy(coverage);
  const cut = ranges === null ? null : <span className="badge">{t.rangesBecause[ranges]}</span>;
  if (covered === null || (covered.missing.length === 0 && !saysAll)) return cut;
  if (covered.missing.length === 0)
    return (
      <>
        {cut}
        <span className="badge">{t.coveredByAll}</span>
      </>
    );
  const reasonOf = (ids: readonly string[]): string | undefined =>
    coverage?.find(({ nodeId, reason }) => ids.includes(nodeId) && reason)?.reason ?? undefined;
  const why = covered.missing.map(({ state, nodeIds }) =>
    t.labelled(
      `${list(nodeIds.slice(0, 3).map((id) => shortName(nameOf(catalogue, id))))}${nodeIds.length > 3 ? ` +${nodeIds.length - 3}` : ''}`,
      reasonOf(nodeIds) ?? inText(t.zero[state]),
    ),
  );
  return (
    <>
      {cut}
      <span className="badge part">
        {t.coveredBy(covered.answered, covered.all)} · {why.join('; ')}
      </span>
    </>
  );
};
