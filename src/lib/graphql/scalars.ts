import { GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { shownDigits } from '../json/json.ts';
import { badUserInput } from '../errors/errors.ts';

type Variables = Readonly<Record<string, unknown>> | null | undefined;

/** Any JSON value, as an argument (inline or by variable) and as a result. One instance for every schema. */
export const jsonScalar = new GraphQLScalarType({
  name: 'JSON',
  description: 'Any JSON value.',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) => literalValue(node, variables),
});

/** Numbers of types with integers beyond 2^53, which JSON numbers would round. */
export const numberScalar = new GraphQLScalarType({
  name: 'Number',
  description: 'A number; a whole one beyond 2^53 is a string of its digits.',
  serialize: (value) => (typeof value === 'string' ? shownDigits(value) : value),
});

/** A point in time as an ISO 8601 string. */
export const dateScalar = new GraphQLScalarType({
  name: 'Date',
  description: 'A point in time, ISO 8601.',
  serialize: (value) => isoDate(value),
  parseValue: (value) => isoDate(value),
});

const literalValue = (node: ValueNode, variables: Variables): unknown => {
  switch (node.kind) {
    case Kind.STRING:
    case Kind.ENUM:
    case Kind.BOOLEAN:
      return node.value;
    case Kind.INT:
      // beyond 2^53 only the digits are exact; filters accept them
      return Number.isSafeInteger(Number(node.value)) ? Number(node.value) : node.value;
    case Kind.FLOAT:
      return Number(node.value);
    case Kind.NULL:
      return null;
    case Kind.LIST:
      return node.values.map((value) => literalValue(value, variables));
    case Kind.OBJECT:
      // defineProperty semantics: a field called __proto__ is data, not a prototype
      return Object.fromEntries(
        node.fields.map((field) => [field.name.value, literalValue(field.value, variables)]),
      );
    case Kind.VARIABLE:
      return variables?.[node.name.value];
  }
};

const isoDate = (value: unknown): string => {
  const date = value instanceof Date ? value : new Date(value as string | number);
  if (Number.isNaN(date.getTime())) throw badUserInput(`${JSON.stringify(value)} is not a date`);
  return date.toISOString();
};

/** A field or an argument by its type and its text in the schema. */
export const described = <Type>(type: Type, description: string): { type: Type; description: string } => ({
  type,
  description,
});
