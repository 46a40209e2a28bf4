import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Button } from 'react-aria-components';
import type { Bucket, ValuesFacet } from '../../api/answer.ts';
import type { Field } from '../../api/fields.ts';
import { MISSING } from '../../../../src/sqon/ast.ts';
import { askMatching } from '../../api/questions.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { drawnUpper, isKnown, whyEmpty } from '../../look/honest.ts';
import { chosenOf, withValues } from '../../state/edit.ts';
import type { Exploration } from '../exploration.ts';
import { ValueRow } from './value-row.tsx';

const searchedFrom = 8;
const matchesShown = 50;
/** Of chosen values that are not among those sent; a pasted list has thousands. */
const unlistedShown = 6;

interface ValuesFacetBoxProps extends Exploration {
  readonly facet: ValuesFacet;
  readonly field: Field;
}

/** The values of a field: choose several, exclude them, search among thousands. */
export const ValuesFacetBox = (props: ValuesFacetBoxProps) => {
  const { t, number } = useLocale();
  const { facet, field, view, change, showMore } = props;
  const [text, setText] = useState('');
  const found = useMatching(props, text);
  const { values: chosen, isExcluded } = chosenOf(view, field.path);
  const isChosen = new Set(chosen);
  const isSent = new Set(facet.buckets.map(({ key }) => key));
  const shown = text === '' ? facet.buckets : found;
  const largest = Math.max(1, ...facet.buckets.map(drawnUpper));
  const toggle = (key: string): void => {
    const next = isChosen.has(key) ? chosen.filter((each) => each !== key) : [...chosen, key];
    change(withValues(view, field.path, next, isExcluded));
  };
  const unlisted = text === '' ? chosen.filter((key) => key !== MISSING && !isSent.has(key)) : [];
  const row = (bucket: Bucket | null, key: string) => (
    <ValueRow
      key={key}
      {...{ bucket, largest, field }}
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
        <input
          className="field"
          style={{ marginBlock: '8px 4px' }}
          type="search"
          aria-label={t.findIn(field.name)}
          placeholder={t.findIn(field.name)}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {text === '' && facet.buckets.length === 0 && <NoValues facet={facet} />}
      <div role="group" aria-label={field.name}>
        {unlisted.slice(0, unlistedShown).map((key) => row(null, key))}
        {unlisted.length > unlistedShown && (
          <p className="quiet small">{t.moreChosen(number(unlisted.length - unlistedShown))}</p>
        )}
        {shown?.map((bucket) => row(bucket, bucket.key))}
        {text === '' &&
          facet.missing !== null &&
          (facet.missing.upper > 0 || isChosen.has(MISSING)) &&
          row(facet.missing, MISSING)}
      </div>
      {text !== '' && shown?.length === 0 && <p className="quiet small">{t.noneMatches(text)}</p>}
      <div className="row">
        {text === '' && rest > 0 && (
          <Button className="bare" onPress={() => showMore(field.path, facet.buckets.length + 20)}>
            {t.more(facet.isCountExact ? number(rest) : t.noLess(number(rest)))}
          </Button>
        )}
        {chosen.length > 0 && (
          <Button className="bare" onPress={() => change(withValues(view, field.path, chosen, !isExcluded))}>
            {isExcluded ? t.include : t.exclude}
          </Button>
        )}
      </div>
      {facet.unlistedUpper > 0 && text === '' && (
        <p className="quiet small">{t.notListed(number(facet.unlistedUpper))}</p>
      )}
    </>
  );
};

/** The values that contain a text, asked of the server; null until it answered for the first time. */
const useMatching = (
  { catalogue, question, facet }: ValuesFacetBoxProps,
  text: string,
): readonly Bucket[] | null => {
  const wanted = useDeferredValue(text);
  const { data } = useQuery({
    queryKey: ['matching', catalogue.source.id, facet.path, question, wanted],
    queryFn: ({ signal }) => askMatching(catalogue, question, facet.path, wanted, matchesShown, signal),
    enabled: wanted !== '',
    placeholderData: keepPreviousData,
  });
  return data?.kind === 'values' ? data.buckets : null;
};

/** Says why there is nothing. */
const NoValues = ({ facet }: { readonly facet: ValuesFacet }) => {
  const { t } = useLocale();
  return <p className="quiet small">{t.zero[whyEmpty(facet)]}</p>;
};
