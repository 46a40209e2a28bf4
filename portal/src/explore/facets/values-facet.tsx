import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState, type ReactNode } from 'react';
import { Button } from 'react-aria-components';
import type { Bucket, ValuesFacet } from '../../api/answer.ts';
import { MISSING } from '../../../../src/sqon/ast.ts';
import { growing } from '../../api/queries.ts';
import { fetchMatching } from '../../api/questions.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { drawnUpper, isKnown, whyEmpty } from '../../look/honest.ts';
import { chosenOf } from '../../state/chosen.ts';
import { withValues } from '../../state/edit.ts';
import { ArrowList } from '../../look/arrow-list.tsx';
import { useCounted } from '../../look/counted.ts';
import type { Unit } from '../../api/units.ts';
import { useInUnit } from '../../api/use-unit.ts';
import { FindField } from '../../look/find-field.tsx';
import { Trouble } from '../../look/trouble.tsx';
import { valueText } from '../../look/value-text.ts';
import { usePlace } from '../../state/use-place.ts';
import { useMissing } from '../use-missing.ts';
import { questionOf } from '../view-question.ts';
import type { FacetProps } from './facet-props.ts';
import { ValueRow } from './value-row.tsx';

const searchedFrom = 8;
const matchesShown = 50;
/** The limit for selected values that are not among those sent; a pasted list has thousands. */
const unlistedShown = 6;

interface ValuesFacetBoxProps extends FacetProps {
  readonly facet: ValuesFacet;
  /** What is counted. */
  readonly unit: Unit;
}

/** The values of a field: select several, exclude them, search among thousands. */
export const ValuesFacetBox = (props: ValuesFacetBoxProps) => {
  const { t, number } = useLocale();
  const { facet, unit, field, catalogue, view, edit, showMore } = props;
  const nounOf = useCounted(catalogue);
  const [text, setText] = useState('');
  const { values: chosen, isExcluded } = chosenOf(view, field.path);
  const isChosen = new Set(chosen);
  const missing = useMissing(catalogue, view, facet);
  const isSent = new Set(facet.buckets.map(({ key }) => key));
  const texts = facet.buckets.map((bucket) => valueText(bucket, field, t));
  const largest = Math.max(1, ...facet.buckets.map(drawnUpper));
  const toggle = (key: string): void =>
    edit((now) => {
      const { values, isExcluded: isNot } = chosenOf(now, field.path);
      const next = values.includes(key) ? values.filter((each) => each !== key) : [...values, key];
      return withValues(now, field.path, next, isNot);
    });
  const counted = new Map((facet.also ?? []).map((bucket) => [bucket.key, bucket]));
  const unlisted = chosen.filter((key) => key !== MISSING && !isSent.has(key));
  const row = (bucket: Bucket | null, key: string) => (
    <ValueRow
      key={key}
      {...{ bucket, largest, field, texts }}
      counted={(count) => nounOf(unit, count)}
      valueKey={key}
      unlistedUpper={isKnown(facet) ? facet.unlistedUpper : null}
      isChosen={isChosen.has(key)}
      isExcluded={isExcluded}
      onToggle={() => toggle(key)}
    />
  );
  const rest = facet.bucketCount - facet.buckets.length;
  return (
    <>
      {facet.bucketCount > searchedFrom && (
        <FindField
          label={t.findIn(field.name)}
          text={text}
          onText={setText}
          style={{ marginBlock: '8px 4px' }}
        />
      )}
      {text === '' && facet.buckets.length === 0 && <NoValues facet={facet} />}
      <ArrowList role="group" aria-label={field.name} items="input.tick:enabled">
        {text !== '' ? (
          <Matches {...props} text={text} row={row} />
        ) : (
          <>
            {unlisted.slice(0, unlistedShown).map((key) => row(counted.get(key) ?? null, key))}
            {unlisted.length > unlistedShown && (
              <p className="quiet small">{t.moreChosen(number(unlisted.length - unlistedShown))}</p>
            )}
            {facet.buckets.map((bucket) => row(bucket, bucket.key))}
            {((missing?.upper ?? 0) > 0 || isChosen.has(MISSING)) && row(missing, MISSING)}
          </>
        )}
      </ArrowList>
      <div className="row">
        {text === '' && rest > 0 && (
          <Button className="bare" onPress={() => showMore(field.path, facet.buckets.length + 20)}>
            {t.more(facet.isCountExact ? number(rest) : t.noLess(number(rest)))}
          </Button>
        )}
        {chosen.length > 0 && (
          <Button
            className="bare"
            onPress={() => edit((now) => withValues(now, field.path, chosen, !isExcluded))}
          >
            {isExcluded ? t.include : t.exclude}
          </Button>
        )}
      </div>
      {mayHideLarger(facet) && text === '' && (
        <p className="quiet small">{t.notListed(number(facet.unlistedUpper))}</p>
      )}
    </>
  );
};

/** Whether a value that is not listed may occur more often than one that is. */
const mayHideLarger = ({ buckets, unlistedUpper }: ValuesFacet): boolean =>
  unlistedUpper < Infinity && unlistedUpper > Math.min(...buckets.map(({ count }) => count));

interface MatchesProps extends ValuesFacetBoxProps {
  readonly text: string;
  readonly row: (bucket: Bucket, key: string) => ReactNode;
}

/** The values that contain a text, searched on the server. */
const Matches = ({ catalogue, facet, text, row }: MatchesProps) => {
  const { t } = useLocale();
  const { view } = usePlace();
  const question = useMemo(() => questionOf(view, catalogue), [view, catalogue]);
  const wanted = useDeferredValue(text);
  const { data, error, refetch } = useQuery({
    queryKey: ['matching', catalogue.source.id, facet.path, question, wanted],
    queryFn: (context) =>
      fetchMatching(catalogue, question, facet.path, wanted, matchesShown, growing(context)),
    enabled: wanted !== '',
    placeholderData: keepPreviousData,
  });
  if (error !== null) return <Trouble error={error} onRetry={() => void refetch()} />;
  if (data?.kind !== 'values') return null;
  if (data.reason !== undefined)
    return <p className="quiet small">{t.labelled(t.cannotCount, data.reason)}</p>;
  return data.buckets.length === 0 ? (
    <p className="quiet small">{t.noneMatches(text)}</p>
  ) : (
    <MatchRows {...{ catalogue, view, row }} facet={data} />
  );
};

const MatchRows = ({
  catalogue,
  view,
  facet: inOwnUnit,
  row,
}: Pick<MatchesProps, 'catalogue' | 'view' | 'facet' | 'row'>) => {
  const { facet } = useInUnit(catalogue, inOwnUnit, view);
  return facet.kind === 'values' && facet.buckets.map((bucket) => row(bucket, bucket.key));
};

/** Shows why it is empty. */
const NoValues = ({ facet }: { readonly facet: ValuesFacet }) => {
  const { t } = useLocale();
  return <p className="quiet small">{t.zero[whyEmpty(facet)]}</p>;
};
