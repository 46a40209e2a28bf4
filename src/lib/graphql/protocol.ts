import { GraphQLEnumType, isEnumType, type GraphQLSchema } from 'graphql';

/** What a server understands: all that this one does, or the GraphQL of the established server. */
export type Dialect = 'tributary' | 'established';

/**
 * The language that servers of this software speak among themselves: two with the same number understand each other in
 * everything. Increased whenever a query of a network, or its answer, changes in a way that a server with the number before
 * would misread or refuse.
 */
export const protocol = 1;

export const protocolType = 'TributaryProtocol';
const valuePrefix = 'PROTOCOL_';

/** Marks the schema of a server of this software. An enum, as every introspection shows its values. */
export const protocolEnum = new GraphQLEnumType({
  name: protocolType,
  description: 'The protocol that this server speaks with networks of the same software.',
  values: { [`${valuePrefix}${protocol}`]: { description: 'Networks and nodes speak the same one.' } },
});

/** The number of the protocol that a server speaks; null: it is not of this software. */
export const protocolIn = (schema: GraphQLSchema): number | null => {
  const type = schema.getType(protocolType);
  const [value] = isEnumType(type) ? type.getValues() : [];
  const digits = value?.name.slice(valuePrefix.length) ?? '';
  return value?.name.startsWith(valuePrefix) === true && /^\d{1,9}$/.test(digits) ? Number(digits) : null;
};
