import { GraphQLError, type ExecutionResult } from 'graphql';
import type { Logger } from 'pino';
import { errorCodes, TributaryError, type ErrorCode } from '../../errors.ts';

export interface ResultOptions {
  readonly requestId: string;
  readonly warnings: ReadonlySet<string>;
  /** Aborted when the client has gone. */
  readonly signal?: AbortSignal;
  /** False where introspection is off: then no message may name what the schema has. */
  readonly suggestions: boolean;
  readonly log: Logger;
}

/** A result as clients get it: every error has a code of ours and the request's id. */
export interface PresentedResult extends ExecutionResult {
  readonly errors?: readonly PresentedError[];
}

interface PresentedError extends GraphQLError {
  readonly extensions: {
    readonly code: ErrorCode;
    readonly requestId: string;
    readonly details?: Readonly<Record<string, unknown>> | undefined;
  };
}

/** A result made presentable: what must not be seen is logged and hidden. */
export const presentResult = (result: ExecutionResult, options: ResultOptions): PresentedResult => {
  const warned = options.warnings.size > 0;
  return {
    ...(result.errors === undefined
      ? {}
      : { errors: result.errors.map((error) => presentError(error, options)) }),
    ...('data' in result ? { data: result.data } : {}),
    ...(warned ? { extensions: { warnings: [...options.warnings] } } : {}),
  };
};

/**
 * 200 for a result with `data`, whatever is missing in it, unless the caller asks too much; else the document or its
 * variables were refused.
 */
export const httpStatus = (result: PresentedResult): number => {
  if (result.errors?.some(({ extensions }) => extensions.code === 'TOO_MANY_REQUESTS')) return 429;
  return 'data' in result
    ? 200
    : Math.max(200, ...(result.errors ?? []).map(({ extensions }) => errorCodes[extensions.code].status));
};

/**
 * 200 for a batch, whose parts have no status of their own, unless the caller asks too much with one of them: clients
 * and proxies that slow down go by the status and Retry-After only.
 */
export const batchStatus = (results: readonly PresentedResult[]): number =>
  results.some((result) => httpStatus(result) === 429) ? 429 : 200;

/** How long the caller of some results is asked to wait, in seconds; null unless one of them says so. */
export const retryAfterOf = (results: readonly PresentedResult[]): number | null => {
  const waits = results.flatMap(({ errors = [] }) =>
    errors.flatMap(({ extensions: { code, details } }) => {
      const seconds = details?.['retryAfterSeconds'];
      return code === 'TOO_MANY_REQUESTS' && typeof seconds === 'number' ? [seconds] : [];
    }),
  );
  return waits.length > 0 ? Math.max(...waits) : null;
};

const presentError = (error: GraphQLError, options: ResultOptions): PresentedError => {
  const { code, message, details } = described(error, options);
  return new GraphQLError(options.suggestions ? message : message.replace(/ ?Did you mean .*\?/su, ''), {
    nodes: error.nodes,
    source: error.source,
    positions: error.positions,
    path: error.path,
    extensions: {
      code,
      requestId: options.requestId,
      ...(details === undefined ? {} : { details }),
    },
  }) as PresentedError;
};

interface Described {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** Our errors as they are when safe, GraphQL's own of the request as they are; anything else is logged and hidden. */
const described = (error: GraphQLError, options: ResultOptions): Described => {
  const origin = originOf(error);
  if (origin instanceof TributaryError && errorCodes[origin.code].safe) {
    if (errorCodes[origin.code].status >= 500) logFailure(origin, error, options);
    return { code: origin.code, message: origin.message, details: origin.details };
  }
  if (origin instanceof GraphQLError && !isOfValue(origin, error))
    // a variable that does not fit is named only outside of what its type says
    return { code: codeOf(origin), message: error.path === undefined ? error.message : origin.message };
  logFailure(origin, error, options);
  return { code: 'INTERNAL_SERVER_ERROR', message: 'internal error' };
};

/**
 * Whether a type refused the value that a field gave, such as a count past 32 bits: no mistake of the client. Of what a
 * client wrote, GraphQL names the place in the document.
 */
const isOfValue = (origin: GraphQLError, { path }: GraphQLError): boolean =>
  path !== undefined && origin.nodes === undefined;

/** Executors wrap what a resolver throws, some of them more than once. */
const originOf = (error: Error): Error =>
  error instanceof GraphQLError && error.originalError != null ? originOf(error.originalError) : error;

const codeOf = ({ extensions: { code } }: GraphQLError): ErrorCode =>
  typeof code === 'string' && Object.hasOwn(errorCodes, code) ? (code as ErrorCode) : 'BAD_USER_INPUT';

/** Whatever a request that was given up on fails with is no news; one whose time was over is. */
const logFailure = (origin: Error, error: GraphQLError, { log, requestId, signal }: ResultOptions): void => {
  if (signal?.aborted === true && !(signal.reason instanceof TributaryError)) return;
  log.error({ requestId, path: error.path?.join('.'), err: origin }, 'a field failed');
};
