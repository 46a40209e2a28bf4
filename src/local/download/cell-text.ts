import type { JsonValue } from '../../lib/json/json.ts';
import { storedValues, fieldValue } from '../hits/stored-document.ts';
import { escapeFormula } from '../../lib/text/escape-formula.ts';
import type { Field } from '../../introspection/fields/field.ts';

/** How to format the values of a column. */
export interface CellForm {
  /** Formats a stored date; null when the column does not show dates. */
  readonly dates: ((stored: string | number) => string | null) | null;
  /** The text to display for a value, keyed by the value as text. */
  readonly displayValues: Readonly<Record<string, unknown>>;
  /** The text for a value that `displayValues` lacks. */
  readonly labelOf?: (value: string) => string | undefined;
  /** Separates the items of a list. */
  readonly listSeparator: string;
  /** Numeric texts count as numbers. */
  readonly isNumber: boolean;
  /** Numbers beyond 2^53 are whole, and written out in digits. */
  readonly isWide: boolean;
  readonly valueWhenEmpty: string;
  /** Whether text that a spreadsheet program would execute is neutralised. */
  readonly escapesFormulas: boolean;
}

/**
 * Formats a cell: several values joined by ", ", the items of a list by the form's separator, an object as the values
 * in it, an object of a list without a value as the placeholder. 0, false and "" are values. Formulas are neutralised;
 * numbers, booleans and dates are exempt.
 */
export const cellText = (values: readonly JsonValue[], form: CellForm): string => {
  const escaped = form.escapesFormulas ? escapeFormula : (text: string): string => text;
  const [only] = values;
  if (values.length === 1 && typeof only !== 'object') {
    const { text, isHarmless } = printed(only!, form);
    return isHarmless ? text : escaped(text);
  }
  const parts: string[] = [];
  let isHarmless = true;
  for (const value of values) {
    const stored = storedValues(value);
    const items = stored.flatMap((item) => itemText(item, form));
    if (value === null) {
      isHarmless = false;
      parts.push(form.valueWhenEmpty);
    }
    if (items.length === 0) continue;
    isHarmless &&= items.every((item) => item.isHarmless);
    // objects are separated as in a network, which knows the values of one field together
    const separator = stored.some((item) => typeof item === 'object') ? ', ' : form.listSeparator;
    parts.push(items.map((item) => item.text).join(separator));
  }
  if (parts.length === 0) return escaped(form.valueWhenEmpty);
  const text = parts.join(', ');
  return isHarmless ? text : escaped(text);
};

interface Shown {
  readonly text: string;
  /** Not free text. */
  readonly isHarmless: boolean;
}

/** One item of a list; nothing for an object without values. */
const itemText = (item: Exclude<JsonValue, null>, form: CellForm): readonly Shown[] => {
  if (typeof item !== 'object') return [printed(item, form)];
  const leaves = leafValues(item).map((leaf) => printed(leaf, form));
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
export const leafValues = (value: JsonValue | undefined): readonly Scalar[] => {
  if (value === null || value === undefined) return [];
  return typeof value === 'object' ? Object.values(value).flatMap(leafValues) : [value];
};

const printed = (value: Scalar, form: CellForm): Shown => {
  const isDigits = form.isWide && Number.isInteger(value) && !Number.isSafeInteger(value);
  const name = String(isDigits ? BigInt(value) : value);
  const { displayValues } = form;
  const display = Object.hasOwn(displayValues, name) ? displayValues[name] : form.labelOf?.(name);
  if (typeof display === 'string') return { text: display, isHarmless: false };
  if (typeof value === 'boolean') return { text: name, isHarmless: true };
  const date = form.dates?.(value);
  if (date != null) return { text: date, isHarmless: /^-?\d/.test(date) };
  return {
    text: name,
    isHarmless: typeof value === 'number' || (form.isNumber && isNumeric(value)),
  };
};

const isNumeric = (text: string): boolean => text.trim() === text && Number.isFinite(Number(text || NaN));

/**
 * A cell of a JSON file: the typed value as the schema shows it; values that do not fit that type as stored. A list if
 * the column has or may have several values, null if it has none.
 */
export const jsonCell = (
  values: readonly JsonValue[],
  field: Field | undefined,
  isList: boolean,
): JsonValue => {
  const typed = (value: JsonValue): JsonValue =>
    field === undefined ? value : (fieldValue(value, field) ?? value);
  if (isList || values.length > 1) {
    const items = values.flatMap((value) => (value === null ? [null] : storedValues(value)));
    return items.length === 0 && values.length === 0 ? null : items.map((item) => item && typed(item));
  }
  const [value] = values;
  if (value === undefined) return null;
  return Array.isArray(value) ? storedValues(value).map(typed) : typed(value);
};
