import type { Operator } from '../ast.ts';

/** The name of the GraphQL enum of all operators, which tells a network what a node supports. */
export const operatorEnumName = 'SqonOperator';

/** An operator's name in the enum. */
export const nameInEnum = (op: Operator): string => op.replaceAll('-', '_');
