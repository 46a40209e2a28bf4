import { GraphQLEnumType } from 'graphql';
import { nameInEnum, operatorEnumName } from '../../sqon/describe/operators.ts';
import { operatorNames } from '../../sqon/operators/table.ts';

/** The operators available in filters. No field has this type: a network reads it to learn what a node supports. */
export const sqonOperatorEnum = new GraphQLEnumType({
  name: operatorEnumName,
  description: 'The operators of SQON filters that are understood here, their hyphens as _.',
  values: Object.fromEntries(
    operatorNames.map((op) => [nameInEnum(op), { value: op, description: `The operator ${op}.` }]),
  ),
});
