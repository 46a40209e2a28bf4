import { numberRounding, readNumber } from '../../../engines/semantics/stored-numbers.ts';
import { integerRange, type Field } from '../../../introspection/fields/field.ts';
import { typeForm } from '../../../introspection/terms/term-forms.ts';
import { patternMatcher, prefixPattern } from '../../../sqon/filter.ts';
import type { DimensionCell } from '../table/released-table.ts';
import { MISSING, OTHER } from '../../../sqon/ast.ts';

/** A value of a field for counting: dates in epoch ms, integers beyond 2^53 as digits. */
export type CellValue = string | number | boolean;

/** A value as its field stores it, so that it is named and found as in engines; null if there is none. */
export const storedValue = (value: CellValue, field: Field): CellValue | null => {
  if (field.kind === 'number') return typeof value === 'boolean' ? null : storedNumber(value, field);
  if (field.kind === 'boolean' || field.kind === 'date') return value;
  const form = typeForm(field.type);
  const term = form === undefined ? String(value) : form.term(String(value));
  return form === undefined || term === null ? term : form.shown(term);
};

const storedNumber = (value: string | number, field: Field): CellValue | null => {
  const number = readNumber(value);
  if (number === null) return null;
  if (integerRange(field.type) === null) {
    const rounded = roundingOf(field)(Number(number));
    return Number.isFinite(rounded) ? rounded + 0 : null;
  }
  const whole = typeof number === 'bigint' ? number : Math.trunc(number);
  return Number.isSafeInteger(Number(whole)) ? Number(whole) + 0 : String(BigInt(whole));
};

const roundingOf = ({ type, scalingFactor }: Field): ((value: number) => number) =>
  numberRounding(type, { scaling_factor: scalingFactor });

/**
 * A bound of a range in the precision in which the field's values are compared: floats as floats, not in the steps of
 * scaled_float.
 */
export const comparedBound = (value: number, field: Field | null): number =>
  field === null || field.type === 'scaled_float' ? value : roundingOf(field)(value);

/**
 * The cell of a value, the first that accepts it; -1 for none.
 * @param field the field of the values; null if no cell is a range
 */
export const cellFinder = (
  cells: readonly DimensionCell[],
  field: Field | null,
): ((value: CellValue) => number) => {
  const values = new Map<string, number>();
  cells.forEach((cell, index) => {
    if (cell.kind === 'value' && !values.has(String(cell.value))) values.set(String(cell.value), index);
  });
  const tests = cells.map((cell) => testOf(cell, field));
  const known = new Map<CellValue, number>();
  return (value) => {
    const before = known.get(value);
    if (before !== undefined) return before;
    const text = String(value);
    const exact = values.get(text) ?? -1;
    const tested = tests.findIndex((test) => test !== null && test(value));
    const found =
      exact < 0 ? tested : tested < 0 || cells[tested]!.kind === 'other' ? exact : Math.min(exact, tested);
    const index = found >= 0 ? found : cells.findIndex(({ kind }) => kind === 'other');
    if (known.size < maxKnown) known.set(value, index);
    return index;
  };
};

const maxKnown = 100_000;

const testOf = (cell: DimensionCell, field: Field | null): ((value: CellValue) => boolean) | null => {
  switch (cell.kind) {
    case 'pattern': {
      const matches = patternMatcher(prefixPattern(cell.pattern), (text) => text);
      return (value) => matches(String(value));
    }
    case 'range': {
      const [from, to] = [cell.from ?? -Infinity, cell.to ?? Infinity].map((edge) =>
        comparedBound(edge, field),
      ) as [number, number];
      return (value) => {
        // integers beyond 2^53, and strings of a release in which the field was one of strings
        const number = typeof value === 'string' ? readNumber(value) : value;
        return number !== null && typeof number !== 'boolean' && number >= from && number < to;
      };
    }
    case 'value':
    case 'other':
    case 'missing':
      return null;
  }
};

/** A cell in words: a value as text, a pattern, `from-to` with `*` for an open end. */
export const cellLabel = (cell: DimensionCell): string => {
  switch (cell.kind) {
    case 'value':
      return String(cell.value);
    case 'pattern':
      return cell.pattern;
    case 'range':
      return `${cell.from ?? '*'}-${cell.to ?? '*'}`;
    case 'other':
      return OTHER;
    case 'missing':
      return MISSING;
  }
};

/** A cell next to the others of its dimension, in words: a pattern without its values that are listed before it. */
export const labelAmong = (cells: readonly DimensionCell[], index: number): string => {
  const cell = cells[index]!;
  if (cell.kind !== 'pattern') return cellLabel(cell);
  const matches = patternMatcher(prefixPattern(cell.pattern), (text) => text);
  const before = cells.slice(0, index).map(cellLabel).filter(matches);
  return before.length === 0 ? cell.pattern : `${cell.pattern} without ${before.join(' and ')}`;
};
