import { kindOf } from '../../introspection/fields/field.ts';
import type { ListedValues } from './values.ts';
import { unitIn, units } from './words.ts';

/** The known properties of a field at one side. */
export interface DescribedField {
  readonly name: string;
  /** Its type in the mapping. */
  readonly type: string;
  readonly label?: string | undefined;
  readonly unit?: string | undefined;
  readonly description?: string | undefined;
  /** Its most frequent values, as far as known. */
  readonly values?: readonly string[] | undefined;
  /** What values mean, as far as their owners say it. */
  readonly labels?: Readonly<Record<string, unknown>> | undefined;
  /** The lowest and the highest of its numbers, as far as known. */
  readonly range?: readonly [number, number] | undefined;
}

/** A field with everything that it is compared by. */
export interface ComparedField {
  readonly field: DescribedField;
  readonly family: string;
  readonly unit: string | null;
  readonly listed: ListedValues;
}

/** The unit of a field: from its label, or from the last part of its name, such as height_cm. */
export const unitOf = ({ name, unit, type }: DescribedField): string | null => {
  if (kindOf(type) !== 'number') return null;
  const last = /[^a-z]([a-z]{2,}|y)$/.exec(name.toLowerCase())?.[1];
  // birth_year is not measured in years, nor vitamin_d in days
  return unitIn(unit) ?? (last === undefined || last === 'year' ? null : (units.get(last) ?? null));
};

/** Whether values of two fields can be compared at all: a text field may also match a boolean one. */
export const areComparable = (theirs: ComparedField, ours: ComparedField): boolean =>
  theirs.family === ours.family ||
  (theirs.family === 'text' && ours.family === 'boolean' && theirs.listed.isFlag);

/** The group of types that a network treats as the same: texts, containers, numbers, dates. */
export const familyOf = (type: string): string => {
  const kind = kindOf(type);
  if (kind === 'keyword' || kind === 'text') return 'text';
  return kind === 'object' || kind === 'nested' ? 'container' : kind;
};

/** Why values would be misread although two fields mean the same; null: they would not. */
export const conflictOf = (theirs: ComparedField, ours: ComparedField): string | null => {
  if (theirs.unit !== null && ours.unit !== null && theirs.unit !== ours.unit)
    return `the network counts in ${theirs.field.unit ?? theirs.unit}, this catalogue in ${ours.field.unit ?? ours.unit}, and nothing is converted`;
  const [theirCodes, ourCodes] = [theirs.listed.codes, ours.listed.codes];
  if (theirCodes !== ourCodes && theirs.listed.values.length >= 3 && ours.listed.values.length >= 3)
    return `the network has ${theirCodes ?? 'no'} codes, this catalogue ${ourCodes ?? 'none'}`;
  return rangeOverlap(theirs, ours) === 0 ? 'their numbers lie in other ranges' : null;
};

/** The part of the narrower range that lies in the other one, from 0 to 1; null if unknown. */
export const rangeOverlap = (theirs: ComparedField, ours: ComparedField): number | null => {
  const [a, b] = [theirs.field.range, ours.field.range];
  if (a === undefined || b === undefined) return null;
  const [low, high] = [Math.max(a[0], b[0]), Math.min(a[1], b[1])];
  if (high < low) return 0;
  const narrower = Math.min(a[1] - a[0], b[1] - b[0]);
  return narrower === 0 ? 1 : (high - low) / narrower;
};
