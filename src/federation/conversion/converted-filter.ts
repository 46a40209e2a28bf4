import type { ValueMap } from '../../search/facets/row/measure-row.ts';
import type { Field } from '../../introspection/fields/field.ts';
import type { JsonScalar } from '../../lib/json/json.ts';
import {
  constant,
  group,
  leaf,
  MISSING,
  type LeafOp,
  type Sqon,
  type SqonLeaf,
  type SqonMulti,
  type SqonScalar,
} from '../../sqon/ast.ts';
import { fieldValue } from '../../sqon/field-values.ts';
import { isWithin } from '../../sqon/filter.ts';
import { isSetReference, matchesText } from '../../sqon/leaf-filter.ts';
import { operators } from '../../sqon/operators/table.ts';
import { mapConditions } from '../../sqon/rewrite.ts';
import { shownTests, translateLeaf } from '../query/plan-filter.ts';
import type { NodeUnit } from '../config/nodes.ts';
import { below, edgeAt, ownNumbers } from './unit.ts';

/** A field with the same value in every record of a node. */
export interface Constant {
  readonly field: Field;
  readonly value: Exclude<JsonScalar, null>;
}

/** A field whose numbers the network shows in a different unit. */
export interface Measured {
  /** The node's own field. */
  readonly field: Field;
  readonly unit: NodeUnit;
  /** The node has whole numbers only. */
  readonly isWhole: boolean;
}

/** Constants and units of a node's fields in the network, by the node's paths. */
export interface Conversion {
  readonly constants: ReadonlyMap<string, Constant>;
  readonly measured: ReadonlyMap<string, Measured>;
}

/**
 * Converts a filter from the network's numbers to the node's. Conditions on constants become true or false in place.
 * @throws TributaryError BAD_USER_INPUT for a value that does not fit its field
 */
export const convertedFilter = (sqon: Sqon, conversion: Conversion): Sqon =>
  mapConditions(sqon, (condition) =>
    condition.kind === 'leaf' ? convertedLeaf(condition, conversion) : convertedMulti(condition, conversion),
  );

const convertedLeaf = (sqon: SqonLeaf, { constants, measured }: Conversion): Sqon => {
  const fixed = constants.get(sqon.fieldName);
  if (fixed !== undefined) return constant(isTrueOf(sqon, fixed), sqon.at);
  const target = measured.get(sqon.fieldName);
  if (target === undefined) return sqon;
  return operators[sqon.op].bounds === null ? ownMembership(sqon, target) : ownRange(sqon, target);
};

/** A value that many of the node's numbers are shown as becomes their range. */
const ownMembership = (sqon: SqonLeaf, target: Measured): Sqon => {
  const { quantifier, asSearch, takesSpecialValues } = operators[sqon.op];
  const numbers = new Map(sqon.values.map((value) => [String(value), numbersOf(String(value), target)]));
  // numbers that the node cannot have are sent too, and other values unchanged: the node judges them
  const toNode = (value: string): readonly string[] => numbers.get(value) ?? [];
  const map: ValueMap = { listed: new Map(), toNetwork: (value) => value, toNode };
  const isRange = (value: SqonScalar): boolean => numbers.get(String(value)) === null;
  if (!sqon.values.some(isRange)) return translateLeaf(sqon, target.field, map);
  const leafOf = (op: LeafOp, values: readonly SqonScalar[]) =>
    leaf(op, sqon.fieldName, values, null, sqon.at);
  const anyOf = (values: readonly SqonScalar[]): Sqon => {
    const others = values.filter((value) => !isRange(value));
    const ranges = values.filter(isRange).map((value) => ownRange(leafOf('between', [value, value]), target));
    const translated = translateLeaf(leafOf(takesSpecialValues ? 'in' : sqon.op, others), target.field, map);
    return group('or', [translated, ...ranges], null, sqon.at);
  };
  if (quantifier === 'some') return asSearch(sqon, anyOf, target.field.nestedIn.at(-1) ?? null);
  const each = sqon.values.map((value) => anyOf([value]));
  return group('and', each, sqon.pivot, sqon.at);
};

/** What a node has for a value as the network shows it; null for a range. */
const numbersOf = (value: string, { unit, isWhole }: Measured): readonly string[] | null =>
  value.trim() === '' || !Number.isFinite(Number(value))
    ? [value]
    : (ownNumbers(Number(value), unit, isWhole)?.map(String) ?? null);

/** Each bound becomes the node's number at which the comparison changes, so that rounding moves no record across it. */
const ownRange = (sqon: SqonLeaf, target: Measured): Sqon => {
  const { unit, isWhole } = target;
  const values = sqon.values.map((value) =>
    Number(fieldValue(value, { ...target.field, type: 'double' }, sqon.at)),
  );
  const ends = operators[sqon.op].bounds!.map(({ name, of }) => {
    const value = of === 'least' ? Math.min(...values) : Math.max(...values);
    return {
      isLower: name.startsWith('g') === unit.factor > 0,
      edge: edgeAt(value, name === 'gt' || name === 'lte', unit, isWhole),
    };
  });
  const [low, high] = [true, false].map((isLower) => ends.find((end) => end.isLower === isLower)?.edge);
  const range = (op: LeafOp, numbers: readonly number[]): Sqon =>
    leaf(op, sqon.fieldName, numbers, sqon.pivot, sqon.at);
  // not a constant: a facet of the field excludes it as its own selection
  if (low === Infinity || (low !== undefined && high !== undefined && low >= high)) return range('in', []);
  if (high === undefined) return range('gte', [low!]);
  return low === undefined
    ? range('lte', [below(high, isWhole)])
    : range('between', [low, below(high, isWhole)]);
};

/** Whether a leaf matches a field with that single value. */
const isTrueOf = (sqon: SqonLeaf, fixed: Constant): boolean => {
  const { quantifier, complement, bounds } = operators[sqon.op];
  if (bounds !== null) {
    const values = sqon.values.map((value) => Number(fieldValue(value, fixed.field, sqon.at)));
    return bounds.every(({ name, of }) =>
      isWithin[name](Number(fixed.value) - (of === 'least' ? Math.min(...values) : Math.max(...values))),
    );
  }
  const matched = sqon.values.map((value, at) => isValueOf(value, at, sqon, fixed));
  const holds = quantifier === 'every' ? matched.length > 0 && matched.every(Boolean) : matched.some(Boolean);
  return holds === (complement === null);
};

const isValueOf = (
  value: SqonScalar,
  at: number,
  sqon: SqonLeaf,
  { field, value: constant }: Constant,
): boolean => {
  const { takesSpecialValues, partTest } = operators[sqon.op];
  const text = String(constant);
  if (at < (sqon.exactFrom ?? Infinity)) {
    const test = partTest(value);
    if (test !== null && matchesText(field)) return test(text) && sqon.except?.includes(text) !== true;
    if (takesSpecialValues && (value === MISSING || isSetReference(value))) return false;
  }
  return String(fieldValue(value, field, sqon.at)) === text;
};

/** In a search of several fields, the constants match their part in every record or in none. */
const convertedMulti = (sqon: SqonMulti, { constants }: Conversion): Sqon => {
  const fixed = sqon.fieldNames.flatMap((name) => constants.get(name) ?? []);
  if (fixed.length === 0) return sqon;
  const { parts, finds } = operators[sqon.op];
  const fieldNames = sqon.fieldNames.filter((name) => !constants.has(name));
  const converted = parts(sqon).map((part): Sqon => {
    const isShown = shownTests[part.op](part);
    const isFound = fixed.some(({ field, value }) => {
      const text = String(value);
      return finds(field) && isShown(text) && sqon.except?.includes(text) !== true;
    });
    return isFound || fieldNames.length === 0 ? constant(isFound, sqon.at) : { ...part, fieldNames };
  });
  return converted.length === 0 ? constant(false, sqon.at) : group('and', converted, null, sqon.at);
};
