import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import type { Bucket } from '../api/answer.ts';
import type { Catalogue } from '../api/catalogue.ts';
import type { Field } from '../api/fields.ts';
import { totalQuery } from '../api/queries.ts';
import { fetchSuggestions } from '../api/suggestions.ts';
import { questionOf } from '../explore/view-question.ts';
import { useLocale } from '../i18n/locale.tsx';
import { useRecords } from '../look/counted.ts';
import { countText } from '../look/honest.ts';
import { valueText } from '../look/value-text.ts';
import { withSearch } from '../state/edit.ts';
import { withMore } from '../state/terms.ts';
import type { View } from '../state/view.ts';
import { totalOf, useMeant, useWords } from './meant.ts';
import { readingQuery, withReading, type Place } from './read-text.ts';
import { useParts, useTexts } from './use-parts.ts';
import { useSearchTexts } from './use-search-texts.ts';

interface SuggestionsProps extends Place {
  readonly text: string;
  /** The index of the choice selected by the arrow keys. */
  readonly active: number;
  /** The id of the list; with an index appended, of its options. */
  readonly list: string;
  readonly onChoices: (views: readonly View[]) => void;
  readonly onChoose: (view: View) => void;
}

interface Option {
  readonly key: string;
  readonly text: string;
  /** The conditions that a text means, in place of it. */
  readonly chips?: readonly string[];
  readonly where?: string;
  readonly count: Pick<Bucket, 'count' | 'upper'> | null;
  readonly view: View;
}

interface Section {
  readonly field: Field | null;
  readonly options: readonly Option[];
}

const pauseMs = 120;
const none: readonly string[] = [];

/** Values and terms by field, each with its count; last the words themselves. */
const Suggestions = (props: SuggestionsProps) => {
  const said = useSearchTexts();
  const { catalogue, text, active, list, onChoices, onChoose } = props;
  const sections = useSections(props);
  const views = sections.flatMap(({ options }) => options.map(({ view }) => view));
  useEffect(() => {
    onChoices(views);
  });
  const starts = sections.map((_, at) =>
    sections.slice(0, at).reduce((sum, { options }) => sum + options.length, 0),
  );
  return (
    <div
      className="popover suggestions"
      role="listbox"
      id={list}
      aria-label={said.suggestionsFor(text.trim())}
    >
      {sections.map(({ field, options }, section) => (
        <SectionBox key={field?.path ?? `of words ${section}`} {...{ catalogue, field }}>
          {(counted) =>
            options.map((option, at) => (
              <OptionRow
                key={option.key}
                {...{ option, counted }}
                id={`${list}-${starts[section]! + at}`}
                isActive={active === starts[section]! + at}
                onChoose={() => onChoose(option.view)}
              />
            ))
          }
        </SectionBox>
      ))}
    </div>
  );
};

const useSections = (props: SuggestionsProps): readonly Section[] => {
  const { t } = useLocale();
  const said = useSearchTexts();
  const { catalogue, from, names, text, look } = props;
  const { hiddenFacets: hidden = none } = look;
  const wanted = usePaused(text.trim());
  const read = useRead(props, wanted);
  const withoutWords = useMemo(() => withSearch(from, names, ''), [from, names]);
  // words that are no value may be a part of some
  const { base, words: rest } = read.rest ?? { base: withoutWords, words: wanted };
  const question = useMemo(() => questionOf(base, catalogue), [base, catalogue]);
  const { data: values } = useQuery({
    queryKey: ['suggestions', catalogue.source.id, question, rest, hidden],
    queryFn: ({ signal }) => fetchSuggestions(catalogue, question, rest, hidden, signal),
  });
  const words = useWords(catalogue, withSearch(from, names, wanted));
  const isNothing = read.rest === null ? values?.length === 0 && words?.upper === 0 : read.isNothing;
  const meant = useMeant({ catalogue, view: base, names, text: rest, hidden, isWanted: isNothing });
  const ofFields = (values ?? []).map(({ field, buckets, terms }): Section => ({
    field,
    options: [
      ...buckets.map((bucket) => ({
        key: bucket.key,
        text: valueText(bucket, field, t),
        count: bucket,
        view: withMore(base, field, bucket.key),
      })),
      ...terms.map(({ id, label, path, count }) => ({
        key: id,
        text: label,
        where: path.map((one) => one.label).join(' › '),
        count,
        view: withMore(
          base,
          field,
          id,
          path.map((one) => one.id),
        ),
      })),
    ],
  }));
  const inWords: Section = {
    field: null,
    options: [
      {
        key: 'words',
        text: said.withWords(wanted),
        where: t.searchedIn(names.length),
        count: words,
        view: withSearch(from, names, wanted),
      },
      ...(meant === null
        ? []
        : [
            {
              key: 'meant',
              text: said.didYouMean(meant.text),
              count: meant.count,
              view: withSearch(base, names, meant.text),
            },
          ]),
    ],
  };
  return [...read.sections, ...ofFields, inWords];
};

interface Read {
  readonly sections: readonly Section[];
  /** The words that mean nothing, and the view with the rest; null: nothing in the text means anything. */
  readonly rest: { readonly base: View; readonly words: string } | null;
  readonly isNothing: boolean;
}

/** What a text means as conditions, with the number of records that have them all. */
const useRead = (place: Place, text: string): Read => {
  const { t, list } = useLocale();
  const said = useSearchTexts();
  const { catalogue } = place;
  const { data: reading } = useQuery(readingQuery(useQueryClient(), place, text));
  const { filters, words } = reading ?? { filters: [], words: '' };
  const view = useMemo(
    () => (reading === undefined ? place.from : withReading(place, reading)),
    [reading, place.from, place.names, catalogue],
  );
  const texts = useTexts(filters, catalogue);
  const { data } = useQuery({
    ...totalQuery(catalogue, questionOf(view, catalogue)),
    enabled: filters.length > 0,
  });
  const count = data === undefined ? null : totalOf(data);
  const parts = useParts(catalogue, view, count?.upper === 0);
  if (filters.length === 0) return { sections: [], rest: null, isNothing: false };
  const lacking = parts.filter(({ alone }) => alone?.upper === 0).map((part) => part.text);
  const option: Option = {
    key: 'read',
    text: words === '' ? '' : t.quoted(words),
    chips: texts,
    ...(lacking.length > 0 && { where: said.noneHas(list(lacking)) }),
    count,
    view,
  };
  const rest = words.length < 2 ? null : { base: withReading(place, { filters, words: '' }), words };
  return { sections: [{ field: null, options: [option] }], rest, isNothing: count?.upper === 0 };
};

/** A text after a short pause in typing. */
const usePaused = (text: string): string => {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
};

interface SectionBoxProps {
  readonly catalogue: Catalogue;
  readonly field: Field | null;
  readonly children: (counted: (count: number) => string) => ReactNode;
}

const SectionBox = ({ catalogue, field, children }: SectionBoxProps) => {
  const records = useRecords(catalogue);
  if (field === null) return children(records);
  return (
    <div role="group" aria-label={field.name}>
      <div className="small quiet" role="presentation">
        {field.name}
      </div>
      {children(records)}
    </div>
  );
};

interface OptionRowProps {
  readonly option: Option;
  readonly id: string;
  readonly isActive: boolean;
  readonly counted: (count: number) => string;
  readonly onChoose: () => void;
}

const OptionRow = ({ option, id, isActive, counted, onChoose }: OptionRowProps) => {
  const { t, number } = useLocale();
  const { text, chips, where, count } = option;
  return (
    <div
      role="option"
      id={id}
      aria-selected={isActive}
      data-focused={isActive ? '' : undefined}
      // the search box keeps the focus
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <span className="text">
        {chips?.map((chip) => (
          <span key={chip} className="chip plainly">
            <span>{chip}</span>
          </span>
        ))}
        <bdi>{text}</bdi>
        {where !== undefined && where !== '' && <small className="where">{where}</small>}
      </span>
      <span className="n small quiet">
        {count === null ? '…' : `${countText(count, number, t)} ${counted(count.count)}`}
      </span>
    </div>
  );
};

export default Suggestions;
