import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import type { Bucket } from '../api/answer.ts';
import type { Catalogue } from '../api/catalogue.ts';
import type { Field } from '../api/fields.ts';
import { fetchSuggestions } from '../api/suggestions.ts';
import { questionOf } from '../explore/view-question.ts';
import { useLocale } from '../i18n/locale.tsx';
import { useRecords } from '../look/counted.ts';
import { countText } from '../look/honest.ts';
import { valueText } from '../look/value-text.ts';
import { withSearch } from '../state/edit.ts';
import { withMore } from '../state/terms.ts';
import type { View } from '../state/view.ts';
import { useMeant, useWords } from './meant.ts';

interface SuggestionsProps {
  readonly catalogue: Catalogue;
  /** The view that the choice is added to. */
  readonly from: View;
  /** The fields in which words are searched. */
  readonly names: readonly string[];
  readonly text: string;
  readonly hidden: readonly string[];
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
  readonly where?: string;
  readonly count: Pick<Bucket, 'count' | 'upper'> | null;
  readonly view: View;
}

interface Section {
  readonly field: Field | null;
  readonly options: readonly Option[];
}

const pauseMs = 120;

/** Values and terms by field, each with its count; last the words themselves. */
const Suggestions = (props: SuggestionsProps) => {
  const { t } = useLocale();
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
    <div className="popover suggestions" role="listbox" id={list} aria-label={t.suggestionsFor(text.trim())}>
      {sections.map(({ field, options }, section) => (
        <SectionBox key={field?.path ?? ''} {...{ catalogue, field }}>
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

const useSections = ({ catalogue, from, names, text, hidden }: SuggestionsProps): readonly Section[] => {
  const { t } = useLocale();
  const wanted = usePaused(text.trim());
  const withoutWords = useMemo(() => withSearch(from, names, ''), [from, names]);
  const question = useMemo(() => questionOf(withoutWords, catalogue), [withoutWords, catalogue]);
  const { data: values } = useQuery({
    queryKey: ['suggestions', catalogue.source.id, question, wanted, hidden],
    queryFn: ({ signal }) => fetchSuggestions(catalogue, question, wanted, hidden, signal),
  });
  const words = useWords(catalogue, withSearch(from, names, wanted));
  const isNothing = values?.length === 0 && words?.upper === 0;
  const meant = useMeant({ catalogue, view: from, names, text: wanted, hidden, isWanted: isNothing });
  const ofFields = (values ?? []).map(({ field, buckets, terms }): Section => ({
    field,
    options: [
      ...buckets.map((bucket) => ({
        key: bucket.key,
        text: valueText(bucket, field, t),
        count: bucket,
        view: withMore(withoutWords, field, bucket.key),
      })),
      ...terms.map(({ id, label, path, count }) => ({
        key: id,
        text: label,
        where: path.map((one) => one.label).join(' › '),
        count,
        view: withMore(
          withoutWords,
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
        text: t.withWords(wanted),
        where: t.searchedIn(names.length),
        count: words,
        view: withSearch(from, names, wanted),
      },
      ...(meant === null
        ? []
        : [
            {
              key: 'meant',
              text: t.didYouMean(meant.text),
              count: meant.count,
              view: withSearch(from, names, meant.text),
            },
          ]),
    ],
  };
  return [...ofFields, inWords];
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
  const { text, where, count } = option;
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
