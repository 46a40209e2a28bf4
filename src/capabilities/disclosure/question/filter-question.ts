import { badUserInput } from '../../../lib/errors/errors.ts';
import { documentKey, type Field, type Fields } from '../../../introspection/fields/field.ts';
import type { Sqon } from '../../../sqon/ast.ts';
import { compileSqon } from '../../../sqon/compile.ts';
import type { Filter } from '../../../sqon/filter.ts';
import { isSetReference } from '../../../sqon/leaf-filter.ts';
import { always, never, type Formulas, type Formula } from '../bounds/formula.ts';
import { notDisclosed } from '../../../search/catalogue.ts';
import type { Dimension } from '../table/released-table.ts';
import { leafCells } from './leaf-cells.ts';

/** The context for translating a filter. */
export interface Translation {
  readonly dimensions: readonly Dimension[];
  /** The released fields. */
  readonly fields: Fields;
  readonly formulas: Formulas;
}

/**
 * A client's filter as a query of the release. It is compiled like every filter, so that each operator means what it means
 * to the engines; what remains are a few conditions on fields. A unit is treated as one record with all values of its
 * records.
 * @throws TributaryError NOT_DISCLOSED for any field that is not released, whether it exists or not, for saved sets and
 *   searches; BAD_USER_INPUT for values that do not fit a released field
 */
export const filterQuestion = (sqon: Sqon | null, translation: Translation): UnitFormulas => {
  if (sqon !== null) assertReleased(sqon, translation);
  return unitFormulas(compileSqon(sqon, translation.fields), translation);
};

/** Bounds of combined conditions take time that grows faster than their number; selections in portals have only a few. */
const maxNodes = 200;

/** @throws TributaryError NOT_DISCLOSED, BAD_USER_INPUT */
export const assertReleased = (sqon: Sqon, { dimensions }: Pick<Translation, 'dimensions'>): void => {
  const released = new Set(dimensions.map(({ fieldName }) => fieldName));
  const open: Sqon[] = [sqon];
  let nodes = 0;
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    nodes += 1;
    if (nodes > maxNodes)
      throw badUserInput(
        `the filter has more than ${maxNodes} conditions and groups, as many as are answered from a release`,
      );
    if (node.kind === 'group') open.push(...node.content);
    else if (node.kind === 'multi') throw notDisclosed('searches are');
    else if (node.kind === 'leaf') {
      // how networks print a condition that matches no record
      if (node.fieldName === documentKey.path && node.op === 'in' && node.values.length === 0) continue;
      if (!released.has(node.fieldName)) throw notDisclosed('a field of the filter is');
      if (node.op !== 'is' && (node.exactFrom !== undefined || node.values.some(isSetReference)))
        throw notDisclosed('saved sets are');
    }
  }
};

/** An engine's filter as a query of the release. @throws TributaryError NOT_DISCLOSED */
export const unitFormulas = (filter: Filter, translation: Translation): UnitFormulas => {
  const { formulas } = translation;
  switch (filter.kind) {
    case 'all':
      return everything;
    case 'none':
      return nothing;
    case 'and':
    case 'or':
      return groupFormulas(
        filter.kind,
        filter.of.map((part) => unitFormulas(part, translation)),
        formulas,
      );
    case 'not':
      return negatedFormulas(unitFormulas(filter.of, translation), formulas);
    case 'nested':
      return someObject(filter.of, translation);
    case 'word':
      throw notDisclosed('searches are');
    case 'terms':
    case 'range':
    case 'exists':
    case 'pattern':
      return leafFormulas(filter, translation);
  }
};

const leafFormulas = (
  filter: Extract<Filter, { readonly kind: 'terms' | 'range' | 'pattern' | 'exists' }>,
  { dimensions, fields, formulas }: Translation,
): UnitFormulas => {
  const position = dimensions.findIndex(
    ({ fieldName }) => fields.get(fieldName)?.indexField.path === filter.field.path,
  );
  const dimension = dimensions[position];
  if (dimension === undefined) throw notDisclosed('a field of the filter is');
  const field: Field = fields.get(dimension.fieldName)!;
  const { within, may } = leafCells(filter, field, dimension.cells);
  return { surely: formulas.isIn(position, within), maybe: formulas.isIn(position, may) };
};

/**
 * Some nested object satisfies a condition. The release knows which values a unit has, not which object has them, nor
 * whether one object has several: conditions that each hold for some object may not hold for one together, and an object
 * outside of some values need not be one without them.
 */
export const someObject = (filter: Filter, translation: Translation): UnitFormulas => {
  const { formulas } = translation;
  switch (filter.kind) {
    case 'or':
      return groupFormulas(
        'or',
        filter.of.map((part) => someObject(part, translation)),
        formulas,
      );
    case 'and': {
      const parts = filter.of.map((part) => someObject(part, translation));
      return { surely: sharedValues(parts, formulas), maybe: groupFormulas('and', parts, formulas).maybe };
    }
    case 'not':
    case 'all':
      return { surely: never, maybe: always };
    case 'nested':
      return someObject(filter.of, translation);
    case 'terms':
    case 'range':
    case 'exists':
    case 'pattern':
    case 'none':
    case 'word':
      return unitFormulas(filter, translation);
  }
};

/** An object with a value that satisfies each of several conditions on one field satisfies them all. */
export const sharedValues = (parts: readonly UnitFormulas[], { isIn }: Formulas): Formula => {
  const [first, ...rest] = parts.map(({ surely }) => surely);
  if (first?.kind !== 'in') return rest.length === 0 ? (first ?? always) : never;
  const others = rest.map((one) => (one.kind === 'in' && one.dimension === first.dimension ? one.cells : []));
  return isIn(
    first.dimension,
    first.cells.filter((cell) => others.every((cells) => cells.includes(cell))),
  );
};

/**
 * A condition that cells may not fit exactly, such as an age between two edges: `surely` holds only for units that satisfy
 * it, `maybe` for all that could. Their bounds enclose its count.
 */
export interface UnitFormulas {
  readonly surely: Formula;
  readonly maybe: Formula;
}

/** The condition that all units satisfy. */
const everything: UnitFormulas = { surely: always, maybe: always };
/** The condition that no unit satisfies. */
const nothing: UnitFormulas = { surely: never, maybe: never };

/** Negation swaps the two: a unit that maybe satisfies a condition does not surely fail it. */
const negatedFormulas = ({ surely, maybe }: UnitFormulas, { not }: Formulas): UnitFormulas => ({
  surely: not(maybe),
  maybe: not(surely),
});

/** The conjunction or disjunction of conditions, separately for what surely and what maybe holds. */
export const groupFormulas = (
  op: 'and' | 'or',
  of: readonly UnitFormulas[],
  formulas: Formulas,
): UnitFormulas => ({
  surely: formulas[op](of.map(({ surely }) => surely)),
  maybe: formulas[op](of.map(({ maybe }) => maybe)),
});
