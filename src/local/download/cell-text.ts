import type { JsonValue } from '../../json/json.ts';
import { storedValues } from '../hits/field-value.ts';
import { escapeFormula } from './escape-formula.ts';

/** How to format the values of a column. */
export interface CellForm {
  /** Formats a stored date; null when the column does not show dates. */
  readonly dates: ((stored: string | number) => string | null) | null;
  /** The text to display for a value, keyed by the value as text. */
  readonly displayValues: Readonly<Record<string, unknown>>;
  /** Separates the items of a list. */
  readonly listSeparator: string;
  /** Numeric texts count as numbers. */
  readonly isNumber: boolean;
  readonly valueWhenEmpty: string;
}

const defaultPlaceholder = '--';

/**
 * Formats a cell: several values joined by ", ", the items of a list by the form's separator, an object as the values
 * in it. 0, false and "" are values. Text that starts like a formula is neutralised; numbers, booleans and dates are
 * exempt.
 */
export const cellText = (values: readonly JsonValue[], form: CellForm): string => {
  const [only] = values;
  if (values.length === 1 && typeof only !== 'object') {
    const { text, isHarmless } = shown(only!, form);
    return isHarmless ? text : escapeFormula(text);
  }
  const parts: string[] = [];
  let isHarmless = true;
  for (const value of values) {
    const items = storedValues(value).flatMap((item) => itemText(item, form));
    if (items.length === 0) continue;
    isHarmless &&= items.every((item) => item.isHarmless);
    parts.push(items.map((item) => item.text).join(form.listSeparator));
  }
  if (parts.length === 0) return placeholder(form.valueWhenEmpty);
  const text = parts.join(', ');
  return isHarmless ? text : escapeFormula(text);
};

/** It comes from the request: only the usual placeholder may begin with a dash. */
const placeholder = (text: string): string => (text === defaultPlaceholder ? text : escapeFormula(text));

interface Shown {
  readonly text: string;
  /** Not free text. */
  readonly isHarmless: boolean;
}

/** One item of a list; nothing for an object without values. */
const itemText = (item: Exclude<JsonValue, null>, form: CellForm): readonly Shown[] => {
  if (typeof item !== 'object') return [shown(item, form)];
  const leaves = leafValues(item).map((leaf) => shown(leaf, form));
  if (leaves.length === 0) return [];
  return [
    {
      text: leaves.map(({ text }) => text).join(', '),
      isHarmless: leaves.every((leaf) => leaf.isHarmless),
    },
  ];
};

type Scalar = string | number | boolean;

/** The values inside an object at any depth, in order. */
const leafValues = (value: JsonValue | undefined): readonly Scalar[] => {
  if (value === null || value === undefined) return [];
  return typeof value === 'object' ? Object.values(value).flatMap(leafValues) : [value];
};

const shown = (value: Scalar, form: CellForm): Shown => {
  const name = String(value);
  const { displayValues } = form;
  const display = Object.hasOwn(displayValues, name) ? displayValues[name] : undefined;
  if (typeof display === 'string') return { text: display, isHarmless: false };
  if (typeof value === 'boolean') return { text: name, isHarmless: true };
  const date = form.dates?.(value);
  if (date != null) return { text: date, isHarmless: /^-?\d/.test(date) };
  return { text: name, isHarmless: typeof value === 'number' || (form.isNumber && isNumeric(value)) };
};

const isNumeric = (text: string): boolean => text.trim() === text && Number.isFinite(Number(text || NaN));
