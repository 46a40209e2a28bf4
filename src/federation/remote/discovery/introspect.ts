import { hash } from 'node:crypto';
import { schemaFromExecutor } from '@graphql-tools/wrap';
import type { GraphQLSchema, IntrospectionQuery } from 'graphql';
import { buildClientSchema, print, stripIgnoredCharacters, validateSchema } from 'graphql';
import { TributaryError } from '../../../lib/errors/errors.ts';
import { graphqlBody, type GraphqlAnswer, type SendGraphql } from '../http-executor.ts';
import type { HeldSchema } from '../remote-catalogue.ts';

export interface Introspected {
  readonly schema: GraphQLSchema;
  readonly held: HeldSchema;
}

/**
 * Queries a node for its schema, and reads it.
 * @throws TributaryError NODE_REFUSED, NODE_BAD_RESPONSE, and what `send` throws
 */
export const introspect = async (
  send: SendGraphql,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Introspected> => {
  const introspections: IntrospectionQuery[] = [];
  try {
    const schema = await schemaFromExecutor(async ({ document }) => {
      // without indentation, which is most of the query: some servers accept small bodies only
      const body = graphqlBody(stripIgnoredCharacters(print(document)));
      const answer = await send({ body, headers, signal });
      if (answer.errors?.length) throw introspectionRefused(answer);
      introspections.push(answer.data as IntrospectionQuery);
      assertBounded(answer.data as IntrospectionQuery);
      return { data: answer.data as never };
    });
    return { schema, held: heldSchema(schema, introspections[0]!) };
  } catch (error) {
    if (introspections.length === 0 || error instanceof TributaryError) throw error;
    throw new TributaryError('NODE_BAD_RESPONSE', 'its schema cannot be read', { cause: error });
  }
};

const introspectionRefused = ({ errors = [] }: GraphqlAnswer): TributaryError => {
  const codes = errors.map(({ extensions }) => extensions?.['code']);
  return new TributaryError(
    'NODE_REFUSED',
    codes.includes('UNAUTHENTICATED') || codes.includes('FORBIDDEN')
      ? 'needs a credential, or another one'
      : 'refused the introspection query: a node must allow GraphQL introspection',
  );
};

/** @param introspection the introspection result that `schema` was built from */
export const heldSchema = (schema: GraphQLSchema, introspection: IntrospectionQuery): HeldSchema => {
  const text = JSON.stringify(introspection);
  return {
    fingerprint: hash('sha256', text, 'base64url'),
    isValid: validateSchema(schema).length === 0,
    read: () => buildClientSchema(JSON.parse(text) as IntrospectionQuery),
  };
};

/** Schemas with more types are not built: that would block the event loop for seconds. */
const maxTypes = 10_000;

/** @throws TributaryError NODE_BAD_RESPONSE for a schema with very many types; TypeError for anything but an introspection */
const assertBounded = ({ __schema: { types } }: IntrospectionQuery): void => {
  if (types.length > maxTypes)
    throw new TributaryError(
      'NODE_BAD_RESPONSE',
      `its schema has ${types.length} types, more than ${maxTypes}: a server of many catalogues has an address for each`,
    );
};
