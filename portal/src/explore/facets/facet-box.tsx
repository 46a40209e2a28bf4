import { lazy, memo, Suspense } from 'react';
import type { Facet } from '../../api/answer.ts';
import { nameWithin } from '../../api/nouns.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useCounted } from '../../look/counted.ts';
import { CoverageBadge } from '../../look/coverage-badge.tsx';
import { isKnown, whyRanges } from '../../look/honest.ts';
import { conditionsOn } from '../../state/edit.ts';
import type { FacetProps } from './facet-props.ts';
import { ValuesFacetBox } from './values-facet.tsx';

const TreeFacet = lazy(() => import('./tree-facet.tsx'));

/** Its slider is loaded after the first counts. */
const RangeFacet = lazy(() => import('./range-facet.tsx'));

/** Why there are no numbers. */
export type Nothing = 'loading' | 'failed' | 'withheld' | 'none';

interface FacetBoxProps extends FacetProps {
  readonly facet: Facet | undefined;
  readonly nothing: Nothing;
}

const FacetBoxItself = ({ facet, nothing, ...props }: FacetBoxProps) => {
  const { t } = useLocale();
  const { path, object = null, field, catalogue } = props;
  const counted = useCounted(path, catalogue);
  const ranges = facet === undefined ? null : whyRanges(facet.kind === 'values' ? facet.buckets : facet.bins);
  return (
    <section className="card facet" aria-label={field.name}>
      <h3 title={field.description ?? path}>
        {nameWithin(field, object)}
        {field.unit !== null && <small className="unit">{field.unit}</small>}
        <small>
          {facet?.kind === 'values' && facet.reason === undefined && isKnown(facet) && (
            <>
              <ValuesCount {...facet} /> ·{' '}
            </>
          )}
          {counted(2)}
        </small>
      </h3>
      {facet !== undefined && (
        <CoverageBadge catalogue={catalogue} coverage={facet.coverage} ranges={ranges} />
      )}
      {facet === undefined ? (
        <p
          className={nothing === 'loading' && field.kind !== 'values' ? 'quiet small awaited' : 'quiet small'}
        >
          {nothing === 'loading' ? t.loading : nothing === 'none' ? t.noNumbers : t.zero[nothing]}
        </p>
      ) : facet.reason !== undefined ? (
        <p className="quiet small">{t.labelled(t.cannotCount, facet.reason)}</p>
      ) : field.hierarchy !== undefined ? (
        <Suspense fallback={<p className="quiet small awaited">{t.loading}</p>}>
          <TreeFacet {...props} />
        </Suspense>
      ) : facet.kind === 'values' ? (
        <ValuesFacetBox facet={facet} {...props} />
      ) : (
        <Suspense fallback={<p className="quiet small awaited">{t.loading}</p>}>
          <RangeFacet facet={facet} {...props} />
        </Suspense>
      )}
    </section>
  );
};

/** Whether other facets' conditions leave it unchanged: there may be dozens of boxes, and a click changes one. */
const isDrawn = (
  { view: before, facet, nothing, ...drawn }: FacetBoxProps,
  { view: now, ...next }: FacetBoxProps,
): boolean =>
  facet === next.facet &&
  (facet !== undefined || nothing === next.nothing) &&
  (Object.keys(drawn) as (keyof typeof drawn)[]).every((name) => drawn[name] === next[name]) &&
  areSame(conditionsOn(before, drawn.path), conditionsOn(now, drawn.path));

const areSame = (some: readonly unknown[], others: readonly unknown[]): boolean =>
  some.length === others.length && some.every((one, at) => one === others[at]);

/** A facet with its coverage: its values or its range, or the reason why there are none. */
export const FacetBox = memo(FacetBoxItself, isDrawn);

const ValuesCount = ({
  bucketCount,
  isCountExact,
}: {
  readonly bucketCount: number;
  readonly isCountExact: boolean;
}) => {
  const { t, number } = useLocale();
  return (
    <>{isCountExact ? t.valuesOf(number(bucketCount), bucketCount) : t.atLeastValues(number(bucketCount))}</>
  );
};
