import type { GraphQLSchema } from 'graphql';
import { isEnumType } from 'graphql';
import type { Operator, Sqon } from '../../../sqon/ast.ts';
import { nameInEnum, operatorEnumName } from '../../../sqon/describe/operators.ts';
import { operatorNames, operators } from '../../../sqon/operators/table.ts';

/** The operators that a node supports: from the enum in its schema, or, without one, those that every server has. */
export const knownOperators = (schema: GraphQLSchema): ReadonlySet<Operator> => {
  const type = schema.getType(operatorEnumName);
  const named = new Set(isEnumType(type) ? type.getValues().map(({ name }) => name) : []);
  return new Set(operatorNames.filter((op) => olderOf(op) === null || named.has(nameInEnum(op))));
};

/**
 * Rewrites a filter for a node that may not support all of it, replacing operators by conditions it supports.
 * @param replaced receives every operator that was replaced
 */
export const olderFilter = (
  sqon: Sqon,
  known: ReadonlySet<Operator>,
  replaced: (op: Operator) => void,
): Sqon => {
  switch (sqon.kind) {
    case 'group':
      return { ...sqon, content: sqon.content.map((one) => olderFilter(one, known, replaced)) };
    case 'leaf':
    case 'multi': {
      if (known.has(sqon.op)) return sqon;
      replaced(sqon.op);
      const meaning =
        sqon.kind === 'leaf' ? operators[sqon.op].older?.means(sqon) : operators[sqon.op].older?.means(sqon);
      return meaning ?? sqon;
    }
    case 'constant':
      return sqon;
  }
};

/** The warning to the caller about a replaced operator. */
export const olderWarning = (op: Operator): string =>
  `this node does not know the operator ${op}: ${olderOf(op)?.warning ?? 'it is queried without it'}`;

const olderOf = (op: Operator) => {
  const operator = operators[op];
  return operator.kind === 'group' ? null : operator.older;
};
