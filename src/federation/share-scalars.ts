import type { GraphQLInputType, GraphQLOutputType, GraphQLSchema } from 'graphql';
import {
  GraphQLList,
  GraphQLNonNull,
  GraphQLScalarType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
} from 'graphql';
import { jsonScalar } from '../local/scalars.ts';

const passing = (name: string): readonly [string, GraphQLScalarType] => [
  name,
  new GraphQLScalarType({ name }),
];

/** Scalars that mean the same everywhere keep their name, so that one variable fits every node. */
const sharedScalars: ReadonlyMap<string, GraphQLScalarType> = new Map([
  ['JSON', jsonScalar],
  ...['JSONObject', 'Date', 'DateTime', 'Time', 'BigInt', 'Long', 'UUID'].map(passing),
]);

export const sharedScalarNames: readonly string[] = [...sharedScalars.keys()];

/** Whether a name is that of a scalar which all nodes share. */
export const isSharedScalar = (name: string): boolean => sharedScalars.has(name);

/**
 * Puts one scalar of ours in the place of each node's own of that name: one schema takes a name only once. The schema
 * is changed in place, for copies of schemas bring copies of their scalars along.
 */
export const shareScalars = (schema: GraphQLSchema): void => {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields()))
        field.type = shared(field.type) as GraphQLInputType;
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      field.type = shared(field.type) as GraphQLOutputType;
      for (const arg of field.args) arg.type = shared(arg.type) as GraphQLInputType;
    }
  }
};

type AnyType = GraphQLInputType | GraphQLOutputType;

const shared = (type: AnyType): AnyType => {
  if (isNonNullType(type)) return new GraphQLNonNull(shared(type.ofType as AnyType)) as AnyType;
  if (isListType(type)) return new GraphQLList(shared(type.ofType as AnyType)) as AnyType;
  return (isScalarType(type) && sharedScalars.get(type.name)) || type;
};
