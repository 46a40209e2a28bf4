import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Button } from 'react-aria-components';
import type { MembershipOp } from '../../../../src/sqon/ast.ts';
import { type Condition, type Filter } from '../../api/filter.ts';
import { into } from '../../api/queries.ts';
import { fetchMatching, type Question } from '../../api/questions.ts';
import { choiceOf } from '../../state/edit.ts';
import { Choice } from '../../frame/choices.tsx';
import { fold } from '../../../../src/lib/text/fold.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { valueText } from '../../look/value-text.ts';
import type { Exploration } from '../exploration.ts';
import { CheckIcon } from '../../look/icons.tsx';
import { Tick } from '../../look/tick.tsx';

type Value = string | number | boolean;

const maxListed = 40;
const everything: Question = { filter: null, nodes: null };

interface ValuesEditorProps extends Exploration {
  readonly condition: Condition;
  readonly onApply: (next: Filter | null) => void;
}

/** The editor of a condition's values: removes them, adds others of the field, and changes the operator. */
export const ValuesEditor = ({ condition, catalogue, onApply }: ValuesEditorProps) => {
  const { t, number } = useLocale();
  const { fieldName, value } = condition.content;
  const field = catalogue.fields.get(fieldName);
  const [operator, setOperator] = useState(condition.op === 'is' ? 'in' : (condition.op as MembershipOp));
  const first = [value].flat() as readonly Value[];
  const [chosen, setChosen] = useState<ReadonlySet<Value>>(new Set(first));
  const [text, setText] = useState('');
  const matching = useOthers({ catalogue, fieldName, text });
  const all = [...new Set([...first, ...chosen])];
  const shown = (each: Value): string => valueText({ key: String(each) }, field, t);
  const own = all.filter((each) => fold(shown(each)).includes(fold(text)));
  const named = new Set(all.map(shown));
  const others = matching.filter((key) => !named.has(shown(key)));
  const toggle = (each: Value): void => {
    const next = new Set(chosen);
    if (!next.delete(each)) next.add(each);
    setChosen(next);
  };
  const apply = (): void => {
    const values = [...chosen];
    if (values.length === 0) onApply(null);
    else if (operator === 'in' || operator === 'not-in')
      onApply(choiceOf(fieldName, values, operator === 'not-in'));
    else onApply({ op: operator, content: { fieldName, value: values } });
  };
  const operators: readonly (readonly [MembershipOp, string])[] = [
    ['in', t.operators.in],
    ['not-in', t.operators.notIn],
    ['some-not-in', t.operators.someNotIn],
    ['all', t.operators.all],
  ];
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <Choice label={t.operator} value={operator} options={operators} onChange={setOperator} />
      <input
        className="field"
        type="search"
        autoFocus
        aria-label={t.findIn(field?.name ?? fieldName)}
        placeholder={t.findIn(field?.name ?? fieldName)}
        value={text}
        onChange={(event) => setText(event.target.value)}
        // Enter searches here; it does not close the editor
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <div className="listed" role="group" aria-label={t.value}>
        {[...own, ...others].slice(0, maxListed).map((each) => (
          <Tick
            key={String(each)}
            isTicked={chosen.has(each)}
            mark={<CheckIcon />}
            onToggle={() => toggle(each)}
          >
            <span className="text">{shown(each)}</span>
          </Tick>
        ))}
        {own.length > maxListed && (
          <p className="quiet small">{t.moreChosen(number(own.length - maxListed))}</p>
        )}
      </div>
      <div className="row">
        <Button className="plain main" type="submit">
          {t.apply}
        </Button>
        <span className="small quiet">{t.valuesOf(number(chosen.size), chosen.size)}</span>
      </div>
    </form>
  );
};

/** Values of the whole field, regardless of filters: those that contain the text, else the most frequent ones. */
const useOthers = ({
  catalogue,
  fieldName,
  text,
}: Pick<Exploration, 'catalogue'> & {
  readonly fieldName: string;
  readonly text: string;
}): readonly string[] => {
  const wanted = useDeferredValue(text);
  const isAskable = catalogue.fields.get(fieldName)?.kind === 'values';
  const { data } = useQuery({
    queryKey: ['matching', catalogue.source.id, fieldName, everything, wanted],
    queryFn: (context) =>
      fetchMatching(catalogue, everything, fieldName, wanted, maxListed, context.signal, into(context)),
    enabled: isAskable,
    placeholderData: keepPreviousData,
  });
  return data?.kind === 'values' ? data.buckets.map(({ key }) => key) : [];
};
