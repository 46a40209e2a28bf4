import type { GraphQLInputType, GraphQLNamedType, GraphQLOutputType, GraphQLSchema } from 'graphql';
import {
  GraphQLList,
  GraphQLNonNull,
  GraphQLScalarType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import { rangeEnd, rangesInput } from '../../search/facets/range.ts';
import { protocolEnum } from '../../lib/graphql/protocol.ts';
import { jsonScalar, numberScalar } from '../../lib/graphql/scalars.ts';
import {
  missingEnum,
  modeEnum,
  orderEnum,
  sortInput,
  sqonOperatorEnum,
} from '../../local/schema/shared-types.ts';

const passing = (name: string): GraphQLScalarType =>
  new GraphQLScalarType({ name, description: `${name} as the nodes have it.` });

/** Types that mean the same at every node keep their name, so one variable fits all. Referenced types come first. */
const sharedTypes: ReadonlyMap<string, GraphQLNamedType> = new Map(
  [
    jsonScalar,
    numberScalar,
    rangeEnd,
    ...['JSONObject', 'Date', 'DateTime', 'Time', 'BigInt', 'Long', 'UUID'].map(passing),
    orderEnum,
    modeEnum,
    missingEnum,
    sortInput,
    rangesInput,
    sqonOperatorEnum,
    protocolEnum,
  ].map((type) => [type.name, type]),
);

/** Names that no type of a single node may take. */
export const sharedTypeNames: readonly string[] = [...sharedTypes.keys()];

/** Whether a type is shared by nodes. */
export const isSharedType = (type: GraphQLNamedType): boolean => sharedTypes.get(type.name) === type;

/**
 * The names of a node's types that are shared: scalars by name, enums and inputs when they are equal apart from order and
 * descriptions.
 */
export const sharedNamesIn = (schema: GraphQLSchema): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const [name, ours] of sharedTypes) {
    const theirs = schema.getType(name);
    if (theirs && isSame(ours, theirs, names)) names.add(name);
  }
  return names;
};

const isSame = (ours: GraphQLNamedType, theirs: GraphQLNamedType, names: ReadonlySet<string>): boolean => {
  if (isScalarType(ours)) return isScalarType(theirs);
  if (isEnumType(ours)) return isEnumType(theirs) && valuesOf(ours) === valuesOf(theirs);
  if (!isInputObjectType(ours) || !isInputObjectType(theirs)) return false;
  const referred = Object.values(theirs.getFields()).map((field) => getNamedType(field.type));
  return (
    fieldsOf(ours) === fieldsOf(theirs) &&
    referred.every((type) => isSpecifiedScalarType(type) || names.has(type.name))
  );
};

const valuesOf = (type: Extract<GraphQLNamedType, { getValues: unknown }>): string =>
  type
    .getValues()
    .map(({ name }) => name)
    .sort()
    .join(' ');

const fieldsOf = (type: Extract<GraphQLNamedType, { isOneOf: unknown }>): string =>
  Object.values(type.getFields())
    .map(({ name, type: of, defaultValue }) => `${name}: ${String(of)} = ${JSON.stringify(defaultValue)}`)
    .sort()
    .join(', ');

/**
 * Replaces each node's copy of a shared type with our own: a schema allows a name only once. The schema is modified in
 * place, since copying a schema copies its types too.
 * @param names the names of its shared types; all others have distinct names
 */
export const shareTypes = (schema: GraphQLSchema, names: ReadonlySet<string>): void => {
  const shared = <Type extends GraphQLInputType | GraphQLOutputType>(type: Type): Type =>
    sharedInside(type, names) as Type;
  for (const type of Object.values(schema.getTypeMap())) {
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) field.type = shared(field.type);
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      field.type = shared(field.type);
      for (const arg of field.args) arg.type = shared(arg.type);
    }
  }
};

type AnyType = GraphQLInputType | GraphQLOutputType;

const sharedInside = (type: AnyType, names: ReadonlySet<string>): AnyType => {
  if (isNonNullType(type)) return new GraphQLNonNull(sharedInside(type.ofType as AnyType, names)) as AnyType;
  if (isListType(type)) return new GraphQLList(sharedInside(type.ofType as AnyType, names)) as AnyType;
  return names.has(type.name) ? (sharedTypes.get(type.name) as AnyType) : type;
};
