import { MISSING, OTHER } from '../../../src/sqon/ast.ts';
import type { Field } from '../api/fields.ts';
import type { Messages } from '../i18n/en.ts';

/**
 * The text of a value, wherever it is shown: values without a configured text have one in the page's language.
 * @param field the field of the value; undefined: a field that is not known here
 */
export const valueText = (
  { key, label = null }: { readonly key: string; readonly label?: string | null },
  field: (Pick<Field, 'type'> & Partial<Pick<Field, 'displayValues'>>) | undefined,
  { noValue, otherValues, emptyText, truth }: Messages,
): string => {
  if (key === MISSING) return noValue;
  if (key === OTHER) return otherValues;
  const shown = ownTextOf(field?.displayValues, label ?? key);
  if (shown !== null) return shown;
  if (key === '') return emptyText;
  const isTrue = field?.type === 'boolean' ? truths.get(key) : undefined;
  return isTrue === undefined ? (label ?? key) : isTrue ? truth.yes : truth.no;
};

/** The owners' text for a value; null: none. */
export const ownTextOf = (texts: Field['displayValues'] = {}, value: string): string | null => {
  const text = Object.hasOwn(texts, value) ? texts[value] : null;
  return typeof text === 'string' ? text : null;
};

/** Engines count booleans under 1 and 0; documents and filters hold true and false. */
const truths: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);
