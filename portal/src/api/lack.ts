import { MISSING } from '../../../src/sqon/ast.ts';
import { isGroup, isSearch, type Filter } from './filter.ts';

/** The effect on an institution's number of fields that it does not have. */
export interface Lack {
  /** The paths of the filter that it does not have. */
  readonly paths: readonly string[];
  /** None of its records can match because of the missing fields alone: its zero is not a count of its records. */
  readonly decides: boolean;
}

/** What an institution lacks for a filter. @param uncoveredFields the paths of the query that it has no field for */
export const lackOf = (filter: Filter | null, uncoveredFields: readonly string[]): Lack => {
  const lacked = new Set(
    filter === null ? [] : fieldsOf(filter).filter((path) => uncoveredFields.includes(path)),
  );
  return {
    paths: [...lacked],
    decides: filter !== null && lacked.size > 0 && truthWithout(filter, lacked) === false,
  };
};

/** The fields of a filter's conditions. A search covers all existing fields, so it lacks none. */
export const fieldsOf = (filter: Filter): readonly string[] => {
  if (isGroup(filter)) return filter.content.flatMap(fieldsOf);
  return isSearch(filter) ? [] : [filter.content.fieldName];
};

/**
 * The truth of a filter if some fields are missing from every record, as networks evaluate it: exclusions hold, all else
 * does not. Whether a value is missing is unknown there: neither having nor lacking one matches. null: it depends on the
 * record.
 * @param isNegated whether an odd number of `not` groups contain it
 */
const truthWithout = (filter: Filter, lacked: ReadonlySet<string>, isNegated = false): boolean | null => {
  if (isSearch(filter)) return null;
  if (!isGroup(filter)) {
    if (!lacked.has(filter.content.fieldName)) return null;
    const isOfMissing = filter.op !== 'is' && [filter.content.value].flat().includes(MISSING);
    return isOfMissing ? isNegated : filter.op === 'not-in' || filter.op === 'some-not-in';
  }
  const isInside = isNegated !== (filter.op === 'not');
  const truths = filter.content.map((one) => truthWithout(one, lacked, isInside));
  const isAny = filter.op !== 'and';
  if (filter.content.length === 0) return true;
  const truth = truths.includes(isAny) ? isAny : truths.every((one) => one === !isAny) ? !isAny : null;
  return filter.op === 'not' && truth !== null ? !truth : truth;
};
