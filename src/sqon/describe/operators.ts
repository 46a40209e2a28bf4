import { kindOf } from '../../introspection/fields/field.ts';
import type { Introspection, TypeClass } from '../operators/operator.ts';
import { namesOf, operators } from '../operators/table.ts';
import type { Operator } from '../ast.ts';

/** SQON's group operators. */
export const combinationOperators = namesOf('group');

/** SQON's field operators listed by introspection, with their entries. */
export const introspectedOperators = [...namesOf('leaf'), ...namesOf('multi')].flatMap((op) => {
  const { introspection } = operators[op];
  return introspection === null ? [] : [{ op, introspection }];
});

/** Other spellings the contract accepts, and their canonical operators: in the established order. */
export const operatorAliases: Readonly<Record<string, string>> = Object.fromEntries(
  [...namesOf('multi'), ...namesOf('leaf').toSorted()].flatMap((op) =>
    operators[op].aliases.map((alias) => [alias, op] as const),
  ),
);

/** The types for which clients expect only range operators. */
const orderedTypes: ReadonlySet<string> = new Set(['date', 'double', 'float', 'integer', 'long']);

/** The SQON operators in the introspection payload for a mapped type, in the established order. */
export const operatorsOf = (type: string): readonly string[] => {
  const typeClass = classOf(type);
  return introspectedOperators
    .filter(({ introspection }) => introspection.listedFor.includes(typeClass))
    .map(
      ({ op, introspection }: { op: string; introspection: Introspection }) => introspection.listedAs ?? op,
    );
};

const classOf = (type: string): TypeClass => {
  if (orderedTypes.has(type)) return 'ordered';
  const kind = kindOf(type);
  if (kind === 'number' || kind === 'date') return 'measured';
  return kind === 'keyword' || kind === 'boolean' ? 'named' : 'other';
};

/** The name of the GraphQL enum of all operators, from which a network learns what a node supports. */
export const operatorEnumName = 'SqonOperator';

/** An operator's name in the enum. */
export const nameInEnum = (op: Operator): string => op.replaceAll('-', '_');
