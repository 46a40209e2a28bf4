import { hash } from 'node:crypto';
import type { IntrospectionQuery, GraphQLSchema } from 'graphql';
import { buildClientSchema, getIntrospectionQuery, stripIgnoredCharacters, validateSchema } from 'graphql';
import { TributaryError } from '../../../errors/errors.ts';
import { reductionBy } from '../../../json/large/parse-json.ts';
import type { GraphqlAnswer, SendGraphql } from '../graphql-over-http.ts';
import { graphqlBody } from '../graphql-over-http.ts';
import type { CutAnswer } from './bounded-introspection.ts';
import type { HeldSchema, RemoteCatalogue } from '../remote-catalogue.ts';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

export interface Introspected extends Pick<RemoteCatalogue, 'cutFrom'> {
  readonly schema: GraphQLSchema;
  readonly held: HeldSchema;
}

/** Without its indentation, which is most of it: some servers accept small bodies only. */
const query = graphqlBody(stripIgnoredCharacters(getIntrospectionQuery()));

/**
 * Queries a node for its schema, and reads it.
 * @throws TributaryError NODE_REFUSED, NODE_BAD_RESPONSE, and what `send` throws
 */
export const introspect = async (
  documentType: string,
  send: SendGraphql,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Introspected> => {
  const reduction = reductionBy('bounded-introspection', import.meta.url, documentType);
  const answer: GraphqlAnswer & CutAnswer = await send({ body: query, headers, signal, reduction });
  if (answer.errors?.length) throw introspectionRefused(answer);
  const introspection = answer.data as IntrospectionQuery;
  const schema = builtSchema(introspection);
  return { schema, held: heldSchema(schema, introspection), cutFrom: answer.cutFrom ?? null };
};

const builtSchema = (introspection: IntrospectionQuery) => {
  try {
    return buildClientSchema(introspection);
  } catch (error) {
    throw new TributaryError('NODE_BAD_RESPONSE', 'its schema cannot be read', { cause: error });
  }
};

/** Servers word it differently, but all mention introspection or the meta fields. */
const introspectionRefused = ({ errors }: GraphqlAnswer): TributaryError => {
  const codes = (errors ?? []).map(({ extensions }) => extensions?.['code']);
  if (codes.includes('UNAUTHENTICATED') || codes.includes('FORBIDDEN'))
    return new TributaryError('NODE_REFUSED', 'needs a credential, or another one');
  return errors?.some(({ message }) => /introspection|__schema|__type/i.test(String(message)))
    ? new TributaryError('NODE_REFUSED', 'GraphQL introspection is disabled there; enable it on that node')
    : new TributaryError('NODE_REFUSED', 'refused the introspection query');
};

/** @param introspection what `schema` was built from */
export const heldSchema = (schema: GraphQLSchema, introspection: IntrospectionQuery): HeldSchema => {
  const text = JSON.stringify(introspection);
  // a copy, as zlib gives a part of a buffer that is several times as large
  const packed = new Uint8Array(deflateRawSync(text, { level: 1 }));
  return {
    fingerprint: hash('sha256', text, 'base64url'),
    isValid: validateSchema(schema).length === 0,
    read: () => buildClientSchema(JSON.parse(inflateRawSync(packed).toString()) as IntrospectionQuery),
  };
};
