import { isIntegerType, kindOf } from '../../introspection/fields/field.ts';

/** Whether the numbers of a mapped type are integers, including dates. */
export const isWhole = (type: string): boolean => isIntegerType(type) || kindOf(type) === 'date';

/**
 * The bucket key of a number as Elasticsearch prints it: fractions always with a decimal point.
 * @param whole the result of isWhole for the type
 */
export const numberKey = (value: number | bigint, whole: boolean): string =>
  whole || typeof value === 'bigint' || !Number.isInteger(value) ? String(value) : `${value}.0`;

/** The bucket key of an interval, its lower end: integers are written out in digits, however large. */
export const intervalKey = (start: number, whole: boolean): string =>
  whole && Math.abs(start) >= 1e21 ? BigInt(start).toString() : String(start);

/** The text form of a boolean bucket key, 1 or 0. */
export const booleanLabel = (key: string): string => (key === '1' ? 'true' : 'false');
