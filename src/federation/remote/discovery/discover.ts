import { parse } from 'graphql';
import { z } from 'zod';
import { askDisclosure, noAnswerUnlessDown, openRecords } from './ask-disclosure.ts';
import type { ErrorCode } from '../../../errors/errors.ts';
import { TributaryError, asTributaryError } from '../../../errors/errors.ts';
import { retryingErrors } from '../../../net/retry.ts';
import { openSemaphore } from '../../../concurrency/semaphore.ts';
import { secondsToWait } from '../requested-wait.ts';
import { keyForm, keyIn, originHeader } from '../node-statements.ts';
import type { RemoteCatalogue } from './discovered-fields.ts';
import { introspect } from './introspect.ts';
import type { RemoteSource } from '../../config/nodes.ts';
import type { DocumentExecutor } from '../document-executor.ts';
import type { GraphqlAnswerError } from '../graphql-over-http.ts';

const delays = { firstMs: 400, maxMs: 4_000 };

/** Of all networks of this process: a schema takes memory while it is read, and each connection a file. */
const turns = openSemaphore(64);

/**
 * Finds out what a remote node offers, by GraphQL introspection. Refused connections, 5xx and 429 are retried with
 * growing pauses, or after the requested wait, until the node's discoveryTimeoutMs has elapsed. At most 64 nodes are
 * asked at the same time; a node's time begins with its first turn, and its pauses leave the turn to others.
 * @param known what was found before: fails where the node does not answer what it answered then
 * @throws TributaryError NODE_DISCOVERY_FAILED with a reason safe to show
 */
export const discover = async (
  source: RemoteSource,
  execute: DocumentExecutor,
  headers: Readonly<Record<string, string>>,
  closed: AbortSignal,
  known: RemoteCatalogue | null = null,
): Promise<RemoteCatalogue> => {
  let lastFailure: TributaryError | null = null;
  try {
    let endTurn = await turns.acquire(closed);
    const signal = AbortSignal.any([AbortSignal.timeout(source.discoveryTimeoutMs), closed]);
    const attemptInTurn = async (number: number): Promise<RemoteCatalogue> => {
      if (number > 1) endTurn = await turns.acquire(signal);
      try {
        return await attempt(source, execute, headers, signal, known);
      } finally {
        endTurn();
      }
    };
    return await retryingErrors(attemptInTurn, {
      attempts: Infinity,
      delays,
      isTransient: (error) => {
        const failure = asTributaryError(error);
        if (isPassing(failure)) lastFailure = failure;
        return isPassing(failure);
      },
      retryAfterMs: (error) => 1000 * (secondsToWait(error) ?? 0),
      signal,
      // its answer is not awaited, and it ends with its window
      budget: null,
    });
  } catch (error) {
    const failure = asTributaryError(error);
    // the timeout merely cut the last attempt short: the previous failure is the better reason
    throw discoveryFailed(failure.code === 'NODE_TIMEOUT' ? (lastFailure ?? failure) : failure);
  }
};

const isPassing = ({ code }: TributaryError): boolean =>
  code === 'NODE_UNREACHABLE' || code === 'TOO_MANY_REQUESTS';

const attempt = async (
  { documentType }: RemoteSource,
  execute: DocumentExecutor,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  known: RemoteCatalogue | null,
): Promise<RemoteCatalogue> => {
  const ask = <Found>(
    what: (execute: DocumentExecutor) => Promise<Found>,
    isWorse: (found: Found, known: RemoteCatalogue) => boolean,
  ): Promise<Found> => askedAgain(execute, what, known && ((found) => isWorse(found, known)));
  const { withExtended, schema, cutFrom } = await introspect(documentType, execute, headers, signal);
  const extended = await ask(
    (asking) => askExtended(documentType, asking, headers, signal),
    (found, { inferred }) => found === undefined && !inferred,
  );
  const found = { ...withExtended(extended), schema, cutFrom, version: null };
  const disclosure = found.hasBounds
    ? await ask(
        (asking) => askDisclosure({ documentType, execute: asking, headers, signal }),
        lacksDisclosure,
      )
    : openRecords;
  const remote = { ...found, ...disclosure };
  const idPath =
    remote.idPath === 'unknown'
      ? await ask(
          (asking) => askIdPath(documentType, asking, headers, signal),
          (path, before) => path !== before.idPath,
        )
      : remote.idPath;
  if (!remote.hasSource) return { ...remote, idPath };
  const server = await ask((asking) => askServer(asking, headers, signal), lacksServer);
  if (!remote.isNetwork || !remote.nodeFields.has('key')) return { ...remote, idPath, ...server };
  const leaves = await ask(
    (asking) => askLeaves(documentType, asking, headers, signal),
    ({ size }, before) => size === 0 && (before.leaves?.size ?? 0) > 0,
  );
  return { ...remote, idPath, ...server, leaves };
};

const lacksDisclosure = (
  { withheld, released }: Pick<RemoteCatalogue, 'withheld' | 'released'>,
  known: RemoteCatalogue,
): boolean =>
  (withheld === null && known.withheld !== null) || (released === null && known.released !== null);

const lacksServer = (
  { version, key = null }: Pick<RemoteCatalogue, 'version' | 'key'>,
  known: RemoteCatalogue,
): boolean => (version === null && known.version !== null) || (key === null && (known.key ?? null) !== null);

/**
 * Engines refuse to sort by an unmapped field, and only then is the `id` of a hit its document's key: who refuses the
 * question itself says nothing of its fields, and most have the field.
 */
const askIdPath = async (
  documentType: string,
  execute: DocumentExecutor,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<RemoteCatalogue['idPath']> => {
  const sort = 'sort: [{ fieldName: "id", order: asc }]';
  const document = parse(`{ ${documentType} { hits(first: 1, ${sort}) { total } } }`);
  const { errors = [] } = await execute({ document, headers, signal }).catch(noAnswerUnlessDown);
  return errors.some((error) => !isRefusal(error)) ? '_id' : 'id';
};

/** Errors about who asks, or about asking at all: ours by their codes, those of other servers by their words. */
const isRefusal = ({ message, extensions }: GraphqlAnswerError): boolean => {
  const code = extensions?.['code'];
  if (typeof code === 'string' && refusals.has(code)) return true;
  return /\b(forbidden|permission|unauthori[sz]ed|not authori[sz]ed|unauthenticated|access denied|rate limit|too (many|complex|deep|expensive)|timed? ?out)\b/i.test(
    String(message),
  );
};

const refusals: ReadonlySet<string> = new Set<ErrorCode>([
  ...(['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_DISCLOSED', 'TOO_MANY_REQUESTS'] as const),
  ...(['ENGINE_UNAVAILABLE', 'ENGINE_TIMEOUT', 'NOT_READY', 'RESPONSE_TOO_LARGE'] as const),
  ...(['GRAPHQL_VALIDATION_FAILED', 'NETWORK_LOOP'] as const),
]);

/** The nodes of a network, so that a catalogue reached twice is known from the start. */
const askLeaves = async (
  documentType: string,
  execute: DocumentExecutor,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> => {
  const nodes = 'hits(first: 0, trackTotalHits: false) { nodes { nodeId key } }';
  const document = parse(`{ ${documentType} { ${nodes} } }`);
  const { data } = await execute({ document, headers, signal }).catch(noAnswerUnlessDown);
  const parsed = z
    .object({ [documentType]: z.object({ hits: z.object({ nodes: keyedNodes }) }) })
    .safeParse(data);
  const found = parsed.success ? (parsed.data[documentType]?.hits.nodes ?? []) : [];
  return new Map(found.flatMap(({ nodeId, key }) => (key === null ? [] : [[nodeId, key]])));
};

const keyedNodes = z
  .array(z.object({ nodeId: z.string().min(1).max(1_000), key: keyForm.nullable().catch(null) }))
  .max(10_000);

const versionAnswer = z.object({
  __schema: z.object({ description: z.string().regex(/^[\w .+-]{1,60}$/) }),
});

/**
 * Our own nodes state their version in their schema's description, and their key beside an answer; others are not
 * asked, since old servers lack that field.
 */
const askServer = async (
  execute: DocumentExecutor,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Pick<RemoteCatalogue, 'version' | 'key'>> => {
  const document = parse('{ __schema { description } }');
  const asking = { ...headers, [originHeader]: '1' };
  const answer = await execute({ document, headers: asking, signal }).catch(noAnswerUnlessDown);
  const parsed = versionAnswer.safeParse(answer.data);
  return {
    version: parsed.success ? parsed.data.__schema.description : null,
    key: keyIn(answer.extensions),
  };
};

/** Raw field names and types; undefined when the node provides none, which is not a failure. */
const askExtended = async (
  documentType: string,
  execute: DocumentExecutor,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<unknown> => {
  const document = parse(`{ ${documentType} { configs { extended } } }`);
  const answer = await execute({ document, headers, signal }).catch(noAnswerUnlessDown);
  const shape = z.object({ [documentType]: z.object({ configs: z.object({ extended: z.unknown() }) }) });
  const parsed = shape.safeParse(answer.data);
  return parsed.success && !answer.errors?.length ? parsed.data[documentType]?.configs.extended : undefined;
};

const discoveryFailed = (failure: TributaryError): TributaryError =>
  new TributaryError('NODE_DISCOVERY_FAILED', `discovery failed: ${failure.message}`, { cause: failure });

/**
 * Asks one thing of a node. Of a node that answered it before, an error is no answer: it may be that its search server
 * was away for a moment, and what was known of the node is better than what the error leaves.
 * @param isWorse whether less was found than what is known of the node; null: nothing is known yet
 * @throws TributaryError NODE_BAD_RESPONSE, and what `ask` throws
 */
const askedAgain = async <Found>(
  execute: DocumentExecutor,
  ask: (execute: DocumentExecutor) => Promise<Found>,
  isWorse: ((found: Found) => boolean) | null,
): Promise<Found> => {
  let hasFailed = false;
  const found = await ask(async (request) => {
    try {
      const answer = await execute(request);
      if (answer.errors?.some((error) => !saysNoSuchField(error)) === true) hasFailed = true;
      return answer;
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  });
  if (hasFailed && isWorse?.(found) === true)
    throw new TributaryError('NODE_BAD_RESPONSE', 'did not answer what it answered before');
  return found;
};

/** A node that has changed says so: by its GraphQL, or by its search server. */
const saysNoSuchField = ({ message, extensions }: GraphqlAnswerError): boolean =>
  extensions?.['code'] === 'GRAPHQL_VALIDATION_FAILED' ||
  /\bcannot query field\b|\bno mapping found\b|\bfielddata is disabled\b/i.test(String(message));
