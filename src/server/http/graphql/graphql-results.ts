import { GraphQLError, type ExecutionResult } from 'graphql';
import type { Logger } from 'pino';
import { asTributaryError, errorCodes, TributaryError, type ErrorCode } from '../../../lib/errors/errors.ts';
import { lowerOf } from '../../../search/count.ts';
import type { RequestContext, Trace } from '../../../search/request-context.ts';
import { errorBody, failureLevel, retryAfter } from '../koa/middleware.ts';
import type { HttpContext } from '../koa/http-context.ts';
import { traceIdOf } from '../../../lib/runtime/tracing.ts';
import { noteError, spanOf } from '../koa/request-record.ts';
import { catalogueKey, type Catalogue } from '../../../search/catalogue.ts';
import { fieldsFingerprint } from '../../../introspection/mapping/mapping.ts';
import { isJsonObject } from '../../../lib/json/json.ts';
import { serverVersion } from '../../../lib/runtime/server-version.ts';
import type { NodeState } from '../../../search/node-states.ts';
import type { NodesAnswer } from '../../../search/nodes-answer.ts';

export interface ResultOptions {
  readonly context: RequestContext;
  /** False when introspection is off: messages must not reveal names of the schema. */
  readonly suggestions: boolean;
  readonly log: Logger;
}

/** A result as sent to clients: every error has one of our codes and the request id. */
export interface PresentedResult extends ExecutionResult {
  readonly errors?: readonly PresentedError[];
}

interface PresentedError extends GraphQLError {
  readonly extensions: {
    readonly code: ErrorCode;
    readonly requestId: string;
    readonly traceId?: string | undefined;
    readonly details?: Readonly<Record<string, unknown>> | undefined;
  };
}

/** Prepares a result for the client: internal details are logged and hidden. */
export const presentResult = (result: ExecutionResult, options: ResultOptions): PresentedResult => {
  const { trace } = options.context;
  const network = networkExtension(trace.nodesAnswers);
  const extensions = {
    ...(trace.warnings.size > 0 && { warnings: [...trace.warnings] }),
    ...(network !== null && { network }),
  };
  return {
    ...(result.errors === undefined
      ? {}
      : { errors: eachOnce(result.errors).map((error) => presentError(error, options)) }),
    ...('data' in result ? { data: result.data } : {}),
    ...(Object.keys(extensions).length > 0 ? { extensions } : {}),
  };
};

/** The outcome of an operation: the code of its first error, `partial` when some node of a network did not answer, or `ok`. */
export const outcomeOf = ({ errors }: PresentedResult, { isPartial }: Trace): string =>
  errors?.[0]?.extensions.code ?? (isPartial ? 'partial' : 'ok');

/** `extensions.network` of a response: that it is partial, and the outcome at each node. */
export interface NetworkExtension {
  readonly partial: true;
  readonly nodes: readonly {
    readonly nodeId: string;
    readonly state: NodeState;
    readonly hits: number | null;
    readonly withheld?: true;
  }[];
}

/**
 * Partial answers, reported to clients that do not select them; null when there are none.
 * @param answers the answers of all queries of the request; each node is shown with its worst outcome
 */
const networkExtension = (answers: readonly NodesAnswer[]): NetworkExtension | null => {
  if (!answers.some(({ partial }) => partial)) return null;
  const nodes = new Map<string, NetworkExtension['nodes'][number]>();
  for (const { nodeId, state, hits: count, withheld } of answers.flatMap(({ statuses }) => statuses)) {
    const known = nodes.get(nodeId);
    const hits = count === null ? null : lowerOf(count);
    const mark = withheld && { withheld: true as const };
    if (known === undefined || (known.state === 'ok' && state !== 'ok'))
      nodes.set(nodeId, { nodeId, state, hits, ...mark });
    else if (known.state === state) nodes.set(nodeId, { nodeId, state, hits: known.hits ?? hits, ...mark });
  }
  return { partial: true, nodes: [...nodes.values()] };
};

/** When no node answers several fields requested together, report it once, on the first. */
const eachOnce = (errors: readonly GraphQLError[]): readonly GraphQLError[] => {
  const reported = new Set<Error>();
  return errors.filter((error) => {
    const origin = originOf(error);
    const isRepeated =
      origin instanceof TributaryError && origin.code === 'ENGINE_UNAVAILABLE' && reported.has(origin);
    reported.add(origin);
    return !isRepeated;
  });
};

/** Whether a catalogue's engine is unavailable; not for networks, whose errors name their nodes. */
const isAway = ({ extensions: { code, details } }: PresentedError): boolean =>
  code === 'ENGINE_UNAVAILABLE' && details?.['retryAfterSeconds'] !== undefined;

/** Whether this server has no time for the caller now, or a node that it cannot do without. */
const isBusy = ({ extensions: { code, details } }: PresentedError): boolean =>
  (code === 'NOT_READY' || code === 'TOO_MANY_REQUESTS') && details?.['retryAfterSeconds'] !== undefined;

/** Whether data holds nothing but null. */
const isEmpty = (data: unknown): boolean =>
  data === null ||
  data === undefined ||
  (typeof data === 'object' && !Array.isArray(data) && Object.values(data).every(isEmpty));

/**
 * 200 for a result with `data`, even if partial, unless the caller is to try again later or the engine is unavailable;
 * otherwise the document or its variables were refused.
 */
export const httpStatus = (result: PresentedResult): number => {
  if (result.errors?.some(isBusy)) return 503;
  if (result.errors?.some(isAway) && isEmpty(result.data)) return 503;
  return 'data' in result
    ? 200
    : Math.max(200, ...(result.errors ?? []).map(({ extensions }) => errorCodes[extensions.code].status));
};

/**
 * 200 for a batch, whose parts have no status, unless one of them is to be tried again later: clients and proxies back off
 * only by the status and Retry-After.
 */
export const batchStatus = (results: readonly PresentedResult[]): number =>
  results.some(({ errors = [] }) => errors.some(isBusy)) ? 503 : 200;

const waitCodes: ReadonlySet<string> = new Set(['TOO_MANY_REQUESTS', 'NOT_READY', 'ENGINE_UNAVAILABLE']);

/** How long the caller should wait before retrying, in seconds; null unless one of the results has a wait. */
export const retryAfterOf = (results: readonly PresentedResult[]): number | null => {
  const waits = results.flatMap(({ errors = [] }) =>
    errors.flatMap(({ extensions: { code, details } }) => {
      const seconds = details?.['retryAfterSeconds'];
      return waitCodes.has(code) && typeof seconds === 'number' ? [seconds] : [];
    }),
  );
  return waits.length > 0 ? Math.max(...waits) : null;
};

const presentError = (error: GraphQLError, options: ResultOptions): PresentedError => {
  const { code, message, details } = described(error, options);
  return new GraphQLError(options.suggestions ? message : withoutSuggestion(message), {
    nodes: error.nodes,
    source: error.source,
    positions: error.positions,
    path: error.path,
    extensions: {
      code,
      requestId: options.context.requestId,
      ...traceOf(options.context.span),
      ...(details === undefined ? {} : { details }),
    },
  }) as PresentedError;
};

/** Removes the suggestion that ends graphql's message about an unknown name; text written by the client stays. */
const withoutSuggestion = (message: string): string => {
  const at = message.endsWith('?') ? message.lastIndexOf('Did you mean ') : -1;
  return at < 0 ? message : message.slice(0, at).trimEnd();
};

interface Described {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** Our own safe errors and GraphQL request errors are passed through; anything else is logged and hidden. */
const described = (error: GraphQLError, options: ResultOptions): Described => {
  const origin = originOf(error);
  if (origin instanceof TributaryError && errorCodes[origin.code].safe) {
    if (errorCodes[origin.code].status >= 500) logFailure(origin, error, options);
    return { code: origin.code, message: origin.message, details: origin.details };
  }
  if (origin instanceof GraphQLError && !isOfValue(origin, error))
    // the name of an invalid variable is only in the outer message, not in the type's own
    return { code: codeOf(origin), message: error.path === undefined ? error.message : origin.message };
  logFailure(origin, error, options);
  return { code: 'INTERNAL_SERVER_ERROR', message: 'internal error' };
};

/**
 * Whether a type could not serialize a field's value, such as a count above 32 bits: not the client's mistake. For client
 * input, GraphQL reports the place in the document.
 */
const isOfValue = (origin: GraphQLError, { path }: GraphQLError): boolean =>
  path !== undefined && origin.nodes === undefined;

/** Executors wrap what a resolver throws, some of them repeatedly. */
const originOf = (error: Error): Error =>
  error instanceof GraphQLError && error.originalError != null ? originOf(error.originalError) : error;

const codeOf = ({ extensions: { code } }: GraphQLError): ErrorCode =>
  typeof code === 'string' && Object.hasOwn(errorCodes, code) ? (code as ErrorCode) : 'BAD_USER_INPUT';

/** Failures of a request whose client disconnected are not logged; timeouts are. */
const logFailure = (
  origin: Error,
  error: GraphQLError,
  { log, context: { requestId, signal } }: ResultOptions,
): void => {
  if (signal?.aborted === true && !(signal.reason instanceof TributaryError)) return;
  const level = failureLevel(log, asTributaryError(origin));
  log[level]({ requestId, path: error.path?.join('.'), err: origin }, 'a field failed');
};

/**
 * Responds with a refusal before execution, in the form that GraphQL clients read.
 * @throws the error itself, unless it is safe to show
 */
export const reject = (context: HttpContext, error: unknown): void => {
  if (!(error instanceof TributaryError) || !errorCodes[error.code].safe) throw error;
  const { code, message, ...rest } = errorBody(error);
  noteError(context, code);
  context.status = errorCodes[error.code].status;
  if (context.status === 503) context.set('retry-after', retryAfter(error));
  context.body = {
    errors: [
      {
        message,
        extensions: { code, requestId: context.state.requestId, ...traceOf(spanOf(context)), ...rest },
      },
    ],
  };
};

const traceOf = (span: RequestContext['span']): { readonly traceId?: string } => {
  const traceId = traceIdOf(span);
  return traceId === undefined ? {} : { traceId };
};

/**
 * The result with `extensions.node`, for requests with the header `Tributary-Node: 1`; batches and refused requests get
 * none.
 * @param serverKey the key of this server; undefined if it has none
 */
export const withNode = (
  result: unknown,
  catalogue: Catalogue,
  serverKey: string | undefined,
  { generations }: Trace,
): unknown => {
  // if something was written between several searches, no generation describes the response
  const [[generation, lastUpdated] = [null, null], ...others] = generations;
  const isOne = others.length === 0;
  const node = {
    version: serverVersion(),
    ...(serverKey !== undefined && { key: catalogueKey(serverKey, catalogue.id) }),
    schema: fieldsFingerprint(catalogue.fields),
    generation: isOne ? generation : null,
    lastUpdated: isOne ? lastUpdated : null,
  };
  return withExtension(result, { node });
};

/** Sets `Tributary-Schema`, a fingerprint of the fields by which networks notice changes. */
export const nameSchema = (context: HttpContext, catalogue: Catalogue | null): void => {
  if (catalogue !== null) context.set('tributary-schema', fieldsFingerprint(catalogue.fields));
};

/** The result with `extensions.disclosure`, which says that answers are no records; batches get none. */
export const withDisclosure = (result: unknown, disclosure: object | null): unknown =>
  disclosure === null ? result : withExtension(result, { disclosure });

const withExtension = (result: unknown, extension: object): unknown =>
  isJsonObject(result) && 'data' in result
    ? { ...result, extensions: { ...(result['extensions'] as object | undefined), ...extension } }
    : result;
