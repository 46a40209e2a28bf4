import { z } from 'zod';
import { openSemaphore } from '../../../lib/concurrency/locks.ts';
import { asTributaryError, TributaryError, type ErrorCode } from '../../../lib/errors/errors.ts';
import { retryingErrors, secondsToWait } from '../../../lib/net/retry.ts';
import { defaultDateFormat } from '../../../introspection/dates/dates.ts';
import { kindOf, type Fields } from '../../../introspection/fields/field.ts';
import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts';
import type { Institution } from '../../../search/nodes-answer.ts';
import type { RemoteSource } from '../../config/nodes.ts';
import { institutionsForm, institutionsSelection } from '../network-node.ts';
import {
  graphqlBody,
  type GraphqlAnswer,
  type GraphqlAnswerError,
  type SendGraphql,
} from '../http-executor.ts';
import { keyIn, originHeader, releasedStatement, withheldStatement } from '../node-statements.ts';
import {
  idSource,
  withDocumentId,
  type NodeDisclosure,
  type NodeFacts,
  type RemoteCatalogue,
} from '../remote-catalogue.ts';
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
  let hasFailed = false;
  const ask: Send = (text, more) =>
    unlessRefused(sendGraphql({ body: graphqlBody(text), headers: { ...headers, ...more }, signal }));
  const send: Send = async (text, more) => {
    const answer = await ask(text, more);
    hasFailed ||= answer.errors?.some((error) => !isMissingField(error)) === true;
    return answer;
  };
  const { schema, held } = await introspect(documentType, sendGraphql, headers, signal);
  const extended = await queryExtended(send, documentType);
  const { dialect, aggregations, ...read } = readSchema(schema, documentType, extended);
  const isOurs = dialect === 'tributary';
  const mapping = !read.isNetwork && hasDates(read.fields) ? await queryMapping(send, documentType) : null;
  const fields = withFormats(read.fields, mapping);
  const sorts = isOurs && read.hasId ? null : await querySorts(ask, documentType);
  const offer: RemoteCatalogue = {
    dialect,
    aggregations,
    fields: read.hasId ? fields : withDocumentId(fields, sorts?.idSource ?? knownSource(known)),
    disclosure: isOurs ? await queryDisclosure(send, documentType) : null,
    facts: {
      ...(isOurs ? await queryServer(send) : unnamed),
      extended: read.extended,
      institutions: read.isNetwork ? await queryInstitutions(send, documentType) : null,
      sortsByKey: !isOurs && (sorts?.byKey ?? known?.facts.sortsByKey ?? true),
    },
    schema: held,
  };
  // its search server may have been unavailable for a moment: what is known is better than what the errors leave
  if (known !== null && hasFailed && saysLess(offer, known))
    throw new TributaryError('NODE_BAD_RESPONSE', 'did not answer what it answered before');
  return offer;
};

const knownSource = (known: RemoteCatalogue | null) => (known === null ? 'id' : idSource(known.fields));

/** Whether less was found than is known about the node. */
const saysLess = (offer: RemoteCatalogue, known: RemoteCatalogue): boolean => {
  const [now, before] = [statements(offer), statements(known)];
  return (
    before.some((statement, at) => statement !== null && now[at] === null) ||
    (offer.facts.institutions?.length ?? 0) < (known.facts.institutions?.length ?? 0)
  );
};

const statements = ({ facts, fields, disclosure }: RemoteCatalogue): readonly unknown[] => [
  ...[facts.extended, facts.version, facts.key, disclosure, disclosure?.released ?? null],
  [...fields.values()].find(({ format }) => format !== undefined) ?? null,
];

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
  let definition: JsonObject = { properties: mapping };
  for (const segment of path) {
    const { properties } = definition;
    const below = isJsonObject(properties) && Object.hasOwn(properties, segment) ? properties[segment] : null;
    if (!isJsonObject(below)) return null;
    definition = below;
  }
  if (kindOf(String(definition['type'])) !== 'date') return null;
  return typeof definition['format'] === 'string' ? definition['format'].slice(0, 1_000) : defaultDateFormat;
};

/**
 * The node's statement about answers with intervals, and the dimensions of its release; null for one that shows records, or
 * does not report its disclosure.
 */
const queryDisclosure = async (send: Send, documentType: string): Promise<NodeDisclosure | null> => {
  const config = async <Form extends z.ZodType>(name: string, form: Form) =>
    configIn(await send(configQuery(documentType, name)), documentType, name, form);
  const withheld = await config('disclosure', withheldStatement);
  return withheld && { withheld, released: await config('dimensions', releasedStatement) };
};

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

interface Sorts {
  /** Where hits have their `id` from. */
  readonly idSource: 'id' | '_id';
  /** Whether documents are sorted by their key. */
  readonly byKey: boolean;
}

/**
 * What a node sorts by. Engines refuse to sort by an unmapped field, and only then is the `id` of a hit its document's key;
 * some refuse to sort by that key.
 * @returns null if nothing is learnt: it does not answer without a sort either
 */
const querySorts = async (send: Send, documentType: string): Promise<Sorts | null> => {
  const sorted = (field: string): string =>
    `hits(first: 1, sort: [{ fieldName: "${field}", order: asc }]) { total }`;
  const { errors = [] } = await send(
    `{ ${documentType} { plain: hits(first: 1) { total } byId: ${sorted('id')} byKey: ${sorted('_id')} } }`,
  );
  const failed = new Set(errors.map(({ path }) => (Array.isArray(path) ? (path[1] as unknown) : undefined)));
  if (failed.has('plain') || failed.has(undefined)) return null;
  return { idSource: failed.has('byId') ? '_id' : 'id', byKey: !failed.has('byKey') };
};

const versionAnswer = z.object({
  __schema: z.object({ description: z.string().regex(/^[\w .+-]{1,60}$/) }),
});

/**
 * Our own nodes state their version in their schema's description, and their key in an extension of an answer; the
 * established server is not queried for it, since its GraphQL lacks that field.
 */
const queryServer = async (send: Send): Promise<Pick<NodeFacts, 'version' | 'key'>> => {
  const answer = await send('{ __schema { description } }', { [originHeader]: '1' });
  const parsed = versionAnswer.safeParse(answer.data);
  return {
    version: parsed.success ? parsed.data.__schema.description : null,
    key: keyIn(answer.extensions),
  };
};

/** A server of another kind. */
const unnamed = { version: null, key: null };

const queryInstitutions = async (send: Send, documentType: string): Promise<readonly Institution[]> => {
  const { data } = await send(
    `{ ${documentType} { hits(first: 0, trackTotalHits: false) { ${institutionsSelection} } } }`,
  );
  const parsed = z.object({ [documentType]: z.object({ hits: institutionsForm }) }).safeParse(data);
  return parsed.data?.[documentType]?.hits ?? [];
};
