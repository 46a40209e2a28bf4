import { hash } from 'node:crypto';
import type { IntrospectionQuery, GraphQLSchema } from 'graphql';
import { buildClientSchema, getIntrospectionQuery, parse, validateSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { TributaryError } from '../../../errors/errors.ts';
import { reductionBy } from '../../../json/large/parse-json.ts';
import type { DocumentExecutor } from '../document-executor.ts';
import type { GraphqlAnswer } from '../graphql-over-http.ts';
import type { CutAnswer } from './bounded-introspection.ts';
import type { HeldSchema, RemoteCatalogue } from '../remote-catalogue.ts';
import type { SchemaFindings } from './discovered-fields.ts';
import { readSchema } from './discovered-fields.ts';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Of a schema only what is kept: many are read at the same time. */
export interface Introspected extends Pick<RemoteCatalogue, 'cutFrom' | 'schema'> {
  /** Gives the same object for equal answers. */
  readonly withExtended: SchemaFindings;
}

const query = parse(getIntrospectionQuery());

/**
 * What was read of the last schemas, by their text: the nodes of a consortium often have the same, and a thousand that
 * were read one by one take three times the memory, and the time of a processor for seconds.
 */
const known = new LRUCache<string, Promise<Introspected>>({ max: 64 });

/**
 * Asks a node for its schema, and reads it.
 * @throws TributaryError NODE_REFUSED, NODE_BAD_RESPONSE, and what the executor throws
 */
export const introspect = async (
  documentType: string,
  execute: DocumentExecutor,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Introspected> => {
  let found: Introspected | null = null;
  const reduction = reductionBy('bounded-introspection', import.meta.url, documentType);
  const take = async (body: Uint8Array, parsed: () => Promise<GraphqlAnswer>): Promise<GraphqlAnswer> => {
    const key = `${hash('sha256', body, 'base64url')} ${documentType}`;
    found = await (known.get(key) ??
      remember(
        key,
        parsed().then((one) => read(one, documentType)),
      ));
    return {};
  };
  const answer = await execute({ document: query, headers, signal, reduction, take });
  return found ?? read(answer, documentType);
};

const remember = (key: string, reading: Promise<Introspected>): Promise<Introspected> => {
  known.set(key, reading);
  reading.catch(() => known.delete(key));
  return reading;
};

const read = (answer: GraphqlAnswer & CutAnswer, documentType: string): Introspected => {
  if (answer.errors?.length) throw introspectionRefused(answer);
  const introspection = answer.data as IntrospectionQuery;
  const schema = builtSchema(introspection);
  return {
    withExtended: sharedFindings(readSchema(schema, documentType)),
    schema: heldSchema(schema, introspection),
    cutFrom: answer.cutFrom ?? null,
  };
};

const builtSchema = (introspection: IntrospectionQuery) => {
  try {
    return buildClientSchema(introspection);
  } catch (error) {
    throw new TributaryError('NODE_BAD_RESPONSE', 'its schema cannot be read', { cause: error });
  }
};

/** Nodes with one schema mostly say the same of its fields, too. */
const sharedFindings = (findings: SchemaFindings): SchemaFindings => {
  const found = new LRUCache<string, ReturnType<SchemaFindings>>({ max: 16 });
  return (extended) => {
    const key = hash('sha256', JSON.stringify(extended) ?? '', 'base64url');
    const now = found.get(key) ?? findings(extended);
    found.set(key, now);
    return now;
  };
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
