import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { Condition, Filter } from '../../api/filter.ts';
import { shownNumber } from '../../api/fields.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { rangeCondition, rangeEnds } from '../../state/edit.ts';
import type { Exploration } from '../exploration.ts';

interface RangeEditorProps extends Exploration {
  readonly condition: Condition;
  readonly onApply: (next: Filter | null) => void;
}

/** The two ends of numbers or dates; an empty one is open. */
export const RangeEditor = ({ condition, catalogue, onApply }: RangeEditorProps) => {
  const { t } = useLocale();
  const { fieldName } = condition.content;
  const isDate = catalogue.fields.get(fieldName)?.kind === 'dates';
  const [low, high] = rangeEnds(condition);
  const write = (end: string | number | null): string =>
    end === null ? '' : isDate ? String(end).split('T')[0]! : String(shownNumber(end));
  const [from, setFrom] = useState(write(low));
  const [to, setTo] = useState(write(high));
  const read = (text: string): string | number | null =>
    text.trim() === '' ? null : isDate ? text : Number(text);
  const isValid = [from, to].every((text) => isDate || Number.isFinite(Number(text)));
  // an end that was exclusive stays so until it is changed
  const apply = (): void =>
    onApply(
      from === write(low) && to === write(high) ? condition : rangeCondition(fieldName, read(from), read(to)),
    );
  const end = (label: string, text: string, set: (text: string) => void, isFirst: boolean) => (
    <label>
      {label}
      <input
        className="field"
        autoFocus={isFirst}
        type={isDate ? 'date' : 'text'}
        inputMode={isDate ? undefined : 'decimal'}
        value={text}
        onChange={(event) => set(event.target.value)}
      />
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
