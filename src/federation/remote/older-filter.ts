import { isEnumType, type GraphQLSchema } from 'graphql';
import type { Operator, Sqon } from '../../sqon/ast.ts';
import { nameInEnum, operatorEnumName } from '../../sqon/describe/operator-enum.ts';
import { operatorNames, operators } from '../../sqon/operators/table.ts';

/** The operators that a node understands: by the enum of its schema, and without one those that every server has. */
export const knownOperators = (schema: GraphQLSchema): ReadonlySet<Operator> => {
  const type = schema.getType(operatorEnumName);
  const named = new Set(isEnumType(type) ? type.getValues().map(({ name }) => name) : []);
  return new Set(operatorNames.filter((op) => olderOf(op) === null || named.has(nameInEnum(op))));
};

/**
 * A filter for a node that may not understand all of it: what it does not is asked by conditions that it does.
 * @param replaced told every operator that another stands for
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

/** What a caller should know of an operator that others stood for. */
export const olderWarning = (op: Operator): string =>
  `this node does not know the operator ${op}: ${olderOf(op)?.warning ?? 'it is asked without it'}`;

const olderOf = (op: Operator) => {
  const operator = operators[op];
  return operator.kind === 'group' ? null : operator.older;
};
