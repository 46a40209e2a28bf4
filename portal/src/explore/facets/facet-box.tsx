import { lazy, memo, Suspense, type ReactNode } from 'react';
import type { Facet } from '../../api/answer.ts';
import { nameWithin } from '../../api/nouns.ts';
import { useInUnit } from '../../api/use-unit.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { CoverageBadge } from '../../look/coverage-badge.tsx';
import { isKnown, whyRanges } from '../../look/honest.ts';
import { UnitChoice } from '../../look/unit-choice.tsx';
import { conditionsOn, withUnit } from '../../state/edit.ts';
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

const FacetBoxItself = (props: FacetBoxProps) => {
  const { facet, nothing, field } = props;
  const { t } = useLocale();
  if (facet !== undefined) return <Counted {...props} facet={facet} />;
  return (
    <Frame {...props}>
      <p className={nothing === 'loading' && field.kind !== 'values' ? 'quiet small awaited' : 'quiet small'}>
        {nothing === 'loading' ? t.loading : nothing === 'none' ? t.noNumbers : t.zero[nothing]}
      </p>
    </Frame>
  );
};

/** A facet with numbers, in the unit of the view. */
const Counted = ({ facet: inOwnUnit, ...props }: FacetBoxProps & { readonly facet: Facet }) => {
  const { t, number } = useLocale();
  const { field, catalogue, view, edit } = props;
  const { facet, unit, isAwaited } = useInUnit(catalogue, inOwnUnit, view);
  const ranges = whyRanges(facet.kind === 'values' ? facet.buckets : facet.bins);
  const sent = facet.kind === 'values' ? number(facet.bucketCount) : '';
  return (
    <Frame
      {...props}
      isStale={isAwaited}
      counts={
        <small>
          {facet.kind === 'values' && facet.reason === undefined && isKnown(facet) && (
            <>{t.valuesOf(facet.isCountExact ? sent : t.noLess(sent), facet.bucketCount)} · </>
          )}
          <UnitChoice
            {...{ catalogue, field, unit }}
            onUnit={(next) => edit((now) => withUnit(now, field.path, next))}
          />
        </small>
      }
    >
      <CoverageBadge catalogue={catalogue} coverage={facet.coverage} ranges={ranges} />
      {facet.reason !== undefined ? (
        <p className="quiet small">{t.labelled(t.cannotCount, facet.reason)}</p>
      ) : field.hierarchy !== undefined ? (
        <Suspense fallback={<p className="quiet small awaited">{t.loading}</p>}>
          <TreeFacet {...props} />
        </Suspense>
      ) : facet.kind === 'values' ? (
        <ValuesFacetBox {...props} {...{ facet, unit }} />
      ) : (
        <Suspense fallback={<p className="quiet small awaited">{t.loading}</p>}>
          <RangeFacet {...props} {...{ facet, unit }} />
        </Suspense>
      )}
    </Frame>
  );
};

interface FrameProps extends Pick<FacetProps, 'path' | 'object' | 'field'> {
  readonly counts?: ReactNode;
  readonly isStale?: boolean;
  readonly children: ReactNode;
}

/** The name of a facet above its content. */
const Frame = ({ path, object = null, field, counts, isStale = false, children }: FrameProps) => (
  <section className={isStale ? 'card facet stale' : 'card facet'} aria-label={field.name}>
    <h3 title={field.description ?? path}>
      {nameWithin(field, object)}
      {field.unit !== null && <small className="unit">{field.unit}</small>}
      {counts}
    </h3>
    {children}
  </section>
);

/** Whether other facets' conditions leave it unchanged: there may be dozens of boxes, and a click changes one. */
const isDrawn = (
  { view: before, facet, nothing, ...drawn }: FacetBoxProps,
  { view: now, ...next }: FacetBoxProps,
): boolean =>
  facet === next.facet &&
  (facet !== undefined || nothing === next.nothing) &&
  (Object.keys(drawn) as (keyof typeof drawn)[]).every((name) => drawn[name] === next[name]) &&
  before.units?.[drawn.path] === now.units?.[drawn.path] &&
  areSame(conditionsOn(before, drawn.path), conditionsOn(now, drawn.path));

const areSame = (some: readonly unknown[], others: readonly unknown[]): boolean =>
  some.length === others.length && some.every((one, at) => one === others[at]);

/** A facet with its coverage: its values or its range, or the reason why there are none. */
export const FacetBox = memo(FacetBoxItself, isDrawn);
