import { z } from 'zod';
import { openSemaphore } from '../../../concurrency/locks.ts';
import { asTributaryError, TributaryError, type ErrorCode } from '../../../errors/errors.ts';
import { retryingErrors } from '../../../net/retry.ts';
import { defaultDateFormat } from '../../../introspection/dates/dates.ts';
import { kindOf, type Fields } from '../../../introspection/fields/field.ts';
import { isJsonObject, type JsonObject } from '../../../json/json.ts';
import type { RemoteSource } from '../../config/nodes.ts';
import { institutionsForm, institutionsSelection } from '../network-node.ts';
import {
  graphqlBody,
  type GraphqlAnswer,
  type GraphqlAnswerError,
  type SendGraphql,
} from '../http-executor.ts';
import { secondsToWait } from '../retry-after.ts';
import { keyIn, originHeader, releasedStatement, withheldStatement } from '../node-statements.ts';
import type { RemoteCatalogue } from '../remote-catalogue.ts';
import { readSchema } from './discovered-fields.ts';
import { introspect } from './introspect.ts';

const delays = { firstMs: 400, maxMs: 4_000 };

/** Shared by all networks of this process: a schema takes memory while it is read, and each connection a file. */
const slots = openSemaphore(64);

/**
 * Discovers what a remote node offers, by GraphQL introspection. Refused connections, 5xx and 429 are retried with growing
 * pauses, or after the requested wait, until the node's discoveryTimeoutMs has elapsed. At most 64 nodes are discovered at
 * the same time; a node's time begins when it first acquires a slot, which it releases while it pauses.
 * @param known the result of an earlier discovery: fails if the node no longer answers what it answered then
 * @throws TributaryError NODE_DISCOVERY_FAILED with a reason safe to show
 */
export const discover = async (
  source: RemoteSource,
  sendGraphql: SendGraphql,
  headers: Readonly<Record<string, string>>,
  closed: AbortSignal,
  known: RemoteCatalogue | null = null,
): Promise<RemoteCatalogue> => {
  let lastFailure: TributaryError | null = null;
  try {
    let release = await slots.acquire(closed);
    const signal = AbortSignal.any([AbortSignal.timeout(source.discoveryTimeoutMs), closed]);
    const attemptInSlot = async (number: number): Promise<RemoteCatalogue> => {
      if (number > 1) release = await slots.acquire(signal);
      try {
        return await attempt(source.documentType, sendGraphql, headers, signal, known);
      } finally {
        release();
      }
    };
    return await retryingErrors(attemptInSlot, {
      attempts: Infinity,
      delays,
      isTransient: (error) => {
        const failure = asTributaryError(error);
        const isTransient = isPassing.has(failure.code);
        if (isTransient) lastFailure = failure;
        return isTransient;
      },
      retryAfterMs: (error) => 1000 * (secondsToWait(error) ?? 0),
      signal,
      // no caller waits for the node's answer, and it ends with its timeout
      budget: null,
    });
  } catch (error) {
    const failure = asTributaryError(error);
    // the timeout merely cut the last attempt short: the previous failure is the better reason
    const reason = failure.code === 'NODE_TIMEOUT' ? (lastFailure ?? failure) : failure;
    throw new TributaryError('NODE_DISCOVERY_FAILED', `discovery failed: ${reason.message}`, {
      cause: reason,
      ...(reason.details && { details: reason.details }),
    });
  }
};

const isPassing: ReadonlySet<ErrorCode> = new Set(['NODE_UNREACHABLE', 'TOO_MANY_REQUESTS', 'NOT_READY']);

/** Sends one query of discovery, with additional headers if any. */
type Send = (text: string, headers?: Readonly<Record<string, string>>) => Promise<GraphqlAnswer>;

const attempt = async (
  documentType: string,
  sendGraphql: SendGraphql,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  known: RemoteCatalogue | null,
): Promise<RemoteCatalogue> => {
  const send: Send = (text, more) =>
    sendGraphql({ body: graphqlBody(text), headers: { ...headers, ...more }, signal });
  const query = <Found>(
    read: (send: Send, documentType: string) => Promise<Found>,
    isWorse: (found: Found, known: RemoteCatalogue) => boolean,
  ): Promise<Found> =>
    notWorse(send, (one) => read(one, documentType), known && ((found) => isWorse(found, known)));
  const { schema, held, cutFrom } = await introspect(documentType, sendGraphql, headers, signal);
  const extended = await query(queryExtended, (found, { inferred }) => found === undefined && !inferred);
  const offered = readSchema(schema, documentType, extended);
  const hasFormats = !offered.isNetwork && hasDates(offered.fields);
  const mapping = hasFormats ? await query(queryMapping, lacksFormats) : null;
  const disclosure =
    offered.dialect === 'tributary' ? await query(queryDisclosure, lacksDisclosure) : openRecords;
  const idPath =
    offered.idPath === 'unknown'
      ? await queryIdPath((text) => unlessRefused(send(text)), documentType, known)
      : offered.idPath;
  const fields = withFormats(offered.fields, mapping);
  const server = offered.dialect === 'tributary' ? await query(queryServer, lacksServer) : unnamed;
  const institutions = offered.isNetwork
    ? await query(queryInstitutions, (found, before) => found.length < before.institutions.length)
    : [];
  return { ...offered, ...server, fields, schema: held, cutFrom, ...disclosure, idPath, institutions };
};

/**
 * Reads one property of a node. If the node reported it before, an error is not an answer: its search server may have been
 * unavailable for a moment, and what is known about the node is better than what the error leaves.
 * @param isWorse whether less was found than is known about the node; null: nothing is known yet
 * @throws TributaryError NODE_BAD_RESPONSE, and what `send` throws unless the node only refused the query
 */
const notWorse = async <Found>(
  send: Send,
  read: (send: Send) => Promise<Found>,
  isWorse: ((found: Found) => boolean) | null,
): Promise<Found> => {
  let hasFailed = false;
  const found = await read(async (text, headers) => {
    const answer = await unlessRefused(send(text, headers));
    if (answer.errors?.some((error) => !isMissingField(error)) === true) hasFailed = true;
    return answer;
  });
  if (hasFailed && isWorse?.(found) === true)
    throw new TributaryError('NODE_BAD_RESPONSE', 'did not answer what it answered before');
  return found;
};

/** An answer, without data if the node refused the query: it is up, unlike one that became unreachable. */
const unlessRefused = (answer: Promise<GraphqlAnswer>): Promise<GraphqlAnswer> =>
  answer.catch((error: unknown) => {
    const { code } = asTributaryError(error);
    if (code === 'NODE_REFUSED' || code === 'NODE_BAD_RESPONSE') return { errors: [{}] };
    throw error;
  });

/** How a changed node reports a missing field. */
const isMissingField = ({ extensions }: GraphqlAnswerError): boolean =>
  extensions?.['code'] === 'GRAPHQL_VALIDATION_FAILED';

/** Raw field names and types; undefined when the node provides none, which is not a failure. */
const queryExtended = async (send: Send, documentType: string): Promise<unknown> => {
  const answer = await send(configQuery(documentType, 'extended'));
  if (answer.errors?.length) return undefined;
  return configIn(answer, documentType, 'extended', z.unknown()) ?? undefined;
};

/** The mapping, which contains the formats of dates; not every operator of an established server exposes it. */
const queryMapping = async (send: Send, documentType: string): Promise<JsonObject | null> => {
  const { data } = await send(`{ ${documentType} { mapping } }`);
  const document = isJsonObject(data) ? data[documentType] : null;
  const mapping = isJsonObject(document) ? document['mapping'] : null;
  return isJsonObject(mapping) ? mapping : null;
};

const lacksFormats = (found: JsonObject | null, { fields }: RemoteCatalogue): boolean =>
  found === null && [...fields.values()].some(({ format }) => format !== undefined);

const hasDates = (fields: Fields): boolean => [...fields.values()].some(({ kind }) => kind === 'date');

const withFormats = (fields: Fields, mapping: JsonObject | null): Fields =>
  mapping === null
    ? fields
    : new Map(
        [...fields].map(([path, field]) => {
          const format = field.kind === 'date' ? formatIn(mapping, path.split('.')) : null;
          return [path, format === null ? field : { ...field, format }];
        }),
      );

/** A date's format in a mapping; null for a path without a date. */
const formatIn = (mapping: JsonObject, path: readonly string[]): string | null => {
  let found: JsonObject = { properties: mapping };
  for (const segment of path) {
    const { properties } = found;
    const below = isJsonObject(properties) && Object.hasOwn(properties, segment) ? properties[segment] : null;
    if (!isJsonObject(below)) return null;
    found = below;
  }
  if (kindOf(String(found['type'])) !== 'date') return null;
  return typeof found['format'] === 'string' ? found['format'].slice(0, 1_000) : defaultDateFormat;
};

type Disclosure = Pick<RemoteCatalogue, 'withheld' | 'released'>;

/** For a node that shows records, or does not report its disclosure. */
const openRecords: Disclosure = { withheld: null, released: null };

/** The node's statement about answers with intervals, and the dimensions of its release. */
const queryDisclosure = async (send: Send, documentType: string): Promise<Disclosure> => {
  const config = async <Form extends z.ZodType>(name: string, form: Form) =>
    configIn(await send(configQuery(documentType, name)), documentType, name, form);
  const withheld = await config('disclosure', withheldStatement);
  return withheld === null
    ? openRecords
    : { withheld, released: await config('dimensions', releasedStatement) };
};

const lacksDisclosure = ({ withheld, released }: Disclosure, known: RemoteCatalogue): boolean =>
  (withheld === null && known.withheld !== null) || (released === null && known.released !== null);

const configQuery = (documentType: string, name: string): string =>
  `{ ${documentType} { configs { ${name} } } }`;

const configIn = <Form extends z.ZodType>(
  { data }: GraphqlAnswer,
  documentType: string,
  name: string,
  form: Form,
): z.output<Form> | null => {
  const parsed = z
    .object({ [documentType]: z.object({ configs: z.object({ [name]: form }) }) })
    .safeParse(data);
  return parsed.success ? (parsed.data[documentType]!.configs[name] as z.output<Form>) : null;
};

/**
 * Engines refuse to sort by an unmapped field, and only then is the `id` of a hit its document's key. A node that does not
 * answer without the sort either reveals nothing about its fields, and most nodes have the field.
 */
const queryIdPath = async (
  send: Send,
  documentType: string,
  known: RemoteCatalogue | null,
): Promise<RemoteCatalogue['idPath']> => {
  const answers = async (args: string): Promise<boolean> =>
    !(await send(`{ ${documentType} { hits(${args}) { total } } }`)).errors?.length;
  if (await answers('first: 1, sort: [{ fieldName: "id", order: asc }]')) return 'id';
  return (await answers('first: 1')) ? '_id' : (known?.idPath ?? 'id');
};

const versionAnswer = z.object({
  __schema: z.object({ description: z.string().regex(/^[\w .+-]{1,60}$/) }),
});

/**
 * Our own nodes state their version in their schema's description, and their key in an extension of an answer; the
 * established server is not queried for it, since its GraphQL lacks that field.
 */
const queryServer = async (send: Send): Promise<Pick<RemoteCatalogue, 'version' | 'key'>> => {
  const answer = await send('{ __schema { description } }', { [originHeader]: '1' });
  const parsed = versionAnswer.safeParse(answer.data);
  return {
    version: parsed.success ? parsed.data.__schema.description : null,
    key: keyIn(answer.extensions),
  };
};

/** A server of another kind. */
const unnamed = { version: null, key: null };

const lacksServer = (
  { version, key }: Pick<RemoteCatalogue, 'version' | 'key'>,
  known: RemoteCatalogue,
): boolean => (version === null && known.version !== null) || (key === null && known.key !== null);

const queryInstitutions = async (
  send: Send,
  documentType: string,
): Promise<RemoteCatalogue['institutions']> => {
  const { data } = await send(
    `{ ${documentType} { hits(first: 0, trackTotalHits: false) { ${institutionsSelection} } } }`,
  );
  const parsed = z.object({ [documentType]: z.object({ hits: institutionsForm }) }).safeParse(data);
  return parsed.data?.[documentType]?.hits ?? [];
};
