import { isIntegerType, kindOf } from '../../introspection/fields/field.ts';

/** Whether numbers of a mapped type are whole, dates included. */
export const isWhole = (type: string): boolean => isIntegerType(type) || kindOf(type) === 'date';

/**
 * The key of the bucket of a number, as Elasticsearch prints it: fractions always with a decimal point.
 * @param whole what isWhole says of the type
 */
export const numberKey = (value: number | bigint, whole: boolean): string =>
  whole || typeof value === 'bigint' || !Number.isInteger(value) ? String(value) : `${value}.0`;

/** The key of the bucket of an interval, its lower end: whole numbers in digits, however large. */
export const intervalKey = (start: number, whole: boolean): string =>
  whole && Math.abs(start) >= 1e21 ? BigInt(start).toString() : String(start);

/** What a boolean's bucket, whose keys are 1 and 0, shows as text. */
export const booleanLabel = (key: string): string => (key === '1' ? 'true' : 'false');
