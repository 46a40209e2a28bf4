import { hash } from 'node:crypto';
import { schemaFromExecutor } from '@graphql-tools/wrap';
import type { GraphQLSchema, IntrospectionQuery, IntrospectionType } from 'graphql';
import { buildClientSchema, print, stripIgnoredCharacters, validateSchema } from 'graphql';
import { TributaryError } from '../../../lib/errors/errors.ts';
import { protocolType } from '../../../lib/graphql/protocol.ts';
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
  documentType: string,
  send: SendGraphql,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Introspected> => {
  let introspected: BoundedIntrospection | null = null;
  try {
    const schema = await schemaFromExecutor(async ({ document }) => {
      // without indentation, which is most of the query: some servers accept small bodies only
      const body = graphqlBody(stripIgnoredCharacters(print(document)));
      const answer = await send({ body, headers, signal });
      if (answer.errors?.length) throw introspectionRefused(answer);
      introspected = boundedIntrospection(answer.data as IntrospectionQuery, documentType);
      return { data: introspected.data as never };
    });
    const { data, cutFrom } = introspected!;
    return { schema, held: heldSchema(schema, data, cutFrom) };
  } catch (error) {
    throw introspected === null ? error : unreadable(error);
  }
};

const unreadable = (cause: unknown): TributaryError =>
  new TributaryError('NODE_BAD_RESPONSE', 'its schema cannot be read', { cause });

const introspectionRefused = ({ errors = [] }: GraphqlAnswer): TributaryError => {
  const codes = errors.map(({ extensions }) => extensions?.['code']);
  return new TributaryError(
    'NODE_REFUSED',
    codes.includes('UNAUTHENTICATED') || codes.includes('FORBIDDEN')
      ? 'needs a credential, or another one'
      : 'refused the introspection query: a node must allow GraphQL introspection',
  );
};

/**
 * @param introspection the introspection result that `schema` was built from
 * @param cutFrom how many types the node has, if only those of the catalogue were kept
 */
export const heldSchema = (
  schema: GraphQLSchema,
  introspection: IntrospectionQuery,
  cutFrom: number | null = null,
): HeldSchema => {
  const text = JSON.stringify(introspection);
  return {
    fingerprint: hash('sha256', text, 'base64url'),
    cutFrom,
    isValid: validateSchema(schema).length === 0,
    read: () => buildClientSchema(JSON.parse(text) as IntrospectionQuery),
  };
};

/** Schemas with more types are not built: that would block the event loop for seconds. */
export const maxTypes = 10_000;

/** The input for building a schema. */
interface BoundedIntrospection {
  readonly data: IntrospectionQuery;
  /** How many types the node has, if only those of the catalogue were kept. */
  readonly cutFrom: number | null;
}

/**
 * The answer to an introspection query unchanged, or, for a schema with very many types, only the types reachable from the
 * root field of a catalogue.
 * @throws TributaryError NODE_BAD_RESPONSE for anything but an introspection result, or when even the root field alone
 *   leads to too many types
 */
const boundedIntrospection = (data: IntrospectionQuery, documentType: string): BoundedIntrospection => {
  try {
    const cutFrom = data.__schema.types.length;
    return cutFrom <= maxTypes ? { data, cutFrom: null } : { data: cut(data, documentType), cutFrom };
  } catch (error) {
    throw error instanceof TributaryError ? error : unreadable(error);
  }
};

const cut = ({ __schema: schema }: IntrospectionQuery, documentType: string): IntrospectionQuery => {
  const byName = new Map(schema.types.map((type) => [type.name, type]));
  const query = byName.get(schema.queryType.name);
  if (query?.kind !== 'OBJECT') throw new TypeError('there is no query type');
  const root = { ...query, interfaces: [], fields: query.fields.filter(({ name }) => name === documentType) };
  // no field leads to the mark of a server of this software
  const mark = byName.get(protocolType);
  const types = [...reachable(root, byName), ...(mark === undefined ? [] : [mark])];
  return { __schema: { ...schema, mutationType: null, subscriptionType: null, directives: [], types } };
};

/** The types reachable from a root type, itself first. */
const reachable = (
  root: IntrospectionType,
  byName: ReadonlyMap<string, IntrospectionType>,
): ReadonlySet<IntrospectionType> => {
  const reached = new Map([[root.name, root]]);
  for (const type of reached.values())
    for (const name of namesIn(type)) {
      const type = byName.get(name);
      if (type === undefined || reached.has(name)) continue;
      reached.set(name, type);
      if (reached.size > maxTypes) throw tooMany();
    }
  return new Set(reached.values());
};

const namesIn = (type: IntrospectionType): readonly string[] => {
  switch (type.kind) {
    case 'OBJECT':
    case 'INTERFACE':
      return [
        ...type.interfaces.map(({ name }) => name),
        ...type.fields.flatMap((field) => [named(field), ...field.args.map(named)]),
      ];
    case 'INPUT_OBJECT':
      return type.inputFields.map(named);
    case 'UNION':
      return type.possibleTypes.map(({ name }) => name);
    case 'SCALAR':
    case 'ENUM':
      return [];
  }
};

interface TypeRef {
  readonly name?: string;
  readonly ofType?: TypeRef;
}

/** The named type inside lists and non-null. */
const named = ({ type }: { readonly type: unknown }): string => {
  let ref = type as TypeRef;
  while (ref.ofType) ref = ref.ofType;
  return String(ref.name);
};

const tooMany = (): TributaryError =>
  new TributaryError(
    'NODE_BAD_RESPONSE',
    `its schema is too large: the catalogue alone has more than ${maxTypes} types`,
  );
