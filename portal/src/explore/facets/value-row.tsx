import type { Bucket } from '../../api/answer.ts';
import type { Field } from '../../api/fields.ts';
import { MISSING } from '../../../../src/sqon/ast.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { canBeChosen, countText } from '../../look/honest.ts';
import { CheckIcon, MinusIcon } from '../../look/icons.tsx';
import { Tick } from '../../look/tick.tsx';
import { valueText } from '../../look/value-text.ts';

interface ValueRowProps {
  /** null: selected, but not among the values that were sent. */
  readonly bucket: Bucket | null;
  readonly valueKey: string;
  readonly field: Field;
  /** The texts of all rows: values with equal texts are distinguished by the stored value. */
  readonly texts?: readonly string[];
  /** The upper bound of the longest bar. */
  readonly largest: number;
  /** The unit of its count. */
  readonly counted: (count: number) => string;
  /** The upper bound of a value that was not sent; null: no institution answered. */
  readonly unlistedUpper: number | null;
  readonly isChosen: boolean;
  readonly isExcluded: boolean;
  readonly onToggle: () => void;
}

/** One selectable value, its count, and its bar. */
export const ValueRow = (props: ValueRowProps) => {
  const {
    bucket,
    valueKey,
    field,
    texts = [],
    largest,
    counted,
    unlistedUpper,
    isChosen,
    isExcluded,
    onToggle,
  } = props;
  const { t, number } = useLocale();
  const own = valueText(bucket ?? { key: valueKey }, field, t);
  const isTwin = own !== valueKey && texts.filter((each) => each === own).length > 1;
  const text = isTwin ? `${own} (${valueKey})` : own;
  const count =
    bucket === null && unlistedUpper === null
      ? '—'
      : countText(bucket ?? { count: 0, upper: unlistedUpper ?? 0 }, number, t);
  return (
    <Tick
      isTicked={isChosen}
      isDisabled={!isChosen && bucket !== null && !canBeChosen(bucket)}
      mark={isExcluded ? <MinusIcon /> : <CheckIcon />}
      onToggle={onToggle}
    >
      <span className={valueKey === MISSING ? 'text none' : 'text'}>
        <bdi>{isChosen && isExcluded ? `${t.not} ${text}` : text}</bdi>
      </span>
      <em title={bucket === null ? undefined : `${countText(bucket, number, t)} ${counted(bucket.count)}`}>
        <bdi>{count}</bdi>
      </em>
      <span className="bar" aria-hidden>
        <span style={{ width: `${(100 * (bucket?.count ?? 0)) / largest}%` }} />
      </span>
    </Tick>
  );
};
