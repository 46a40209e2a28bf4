import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { Condition, Filter } from '../../api/filter.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { rangeCondition, rangeEnds } from '../../state/edit.ts';
import type { Exploration } from '../exploration.ts';
import { textOfEnd } from '../text-of-end.ts';

interface RangeEditorProps extends Exploration {
  readonly condition: Condition;
  readonly onApply: (next: Filter | null) => void;
}

/** The two ends of numbers or dates; an empty one is open. */
export const RangeEditor = ({ condition, catalogue, onApply }: RangeEditorProps) => {
  const { t, number, typed, readNumber } = useLocale();
  const { fieldName } = condition.content;
  const { kind, name = fieldName } = catalogue.fields.get(fieldName) ?? {};
  const isDate = kind === 'dates';
  const [low, high] = rangeEnds(condition);
  const write = (end: string | number | null): string => textOfEnd(end, isDate, typed);
  const [from, setFrom] = useState(write(low));
  const [to, setTo] = useState(write(high));
  const read = (text: string): string | number | null =>
    text.trim() === '' ? null : isDate ? text : readNumber(text);
  const isEnd = (text: string): boolean => isDate || text.trim() === '' || Number.isFinite(readNumber(text));
  const isValid = [from, to].every(isEnd);
  // as it is, which may be just below what is shown
  const kept = (text: string, end: string | number | null) => (text === write(end) ? end : read(text));
  // an end that was exclusive stays so until it is changed
  const apply = (): void =>
    onApply(
      from === write(low) && to === write(high)
        ? condition
        : rangeCondition(fieldName, kept(from, low), kept(to, high)),
    );
  const end = (label: string, text: string, set: (text: string) => void, isFirst: boolean) => (
    <label>
      {label}
      <input
        className="field"
        autoFocus={isFirst}
        type={isDate ? 'date' : 'text'}
        inputMode={isDate ? undefined : 'decimal'}
        // with the name of the field: each part of a date is read with it; the message is no part of it
        aria-label={t.labelled(name, label)}
        aria-invalid={!isEnd(text)}
        value={text}
        onChange={(event) => set(event.target.value)}
      />
      {!isEnd(text) && (
        <span className="small" role="alert">
          {t.noNumber(number(1234.5))}
        </span>
      )}
    </label>
  );
  return (
    <form
      className="range"
      onSubmit={(event) => {
        event.preventDefault();
        if (isValid) apply();
      }}
    >
      {end(t.from, from, setFrom, true)}
      {end(t.to, to, setTo, false)}
      <Button className="plain main" type="submit" isDisabled={!isValid}>
        {t.apply}
      </Button>
    </form>
  );
};
