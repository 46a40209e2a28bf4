import { GraphQLError, type ExecutionResult } from 'graphql';
import type { Logger } from 'pino';
import { errorCodes, TributaryError, type ErrorCode } from '../errors.ts';

export interface ResultOptions {
  readonly requestId: string;
  readonly warnings: ReadonlySet<string>;
  /** False where introspection is off: then no message may name what the schema has. */
  readonly suggestions: boolean;
  readonly log: Logger;
}

/**
 * A result as clients get it. Every error has a code of ours and the request's id. A result without `data` (the
 * document or its variables were refused) gets the HTTP status of its first error, any other one 200.
 */
export const presentResult = (result: ExecutionResult, options: ResultOptions): ExecutionResult => {
  const refused = !('data' in result);
  const extensions = {
    ...result.extensions,
    ...(options.warnings.size === 0 ? {} : { warnings: [...options.warnings] }),
  };
  return {
    ...(result.errors === undefined
      ? {}
      : { errors: result.errors.map((error) => presentError(error, refused, options)) }),
    ...('data' in result ? { data: result.data } : {}),
    ...(Object.keys(extensions).length === 0 ? {} : { extensions }),
  };
};

const presentError = (error: GraphQLError, refused: boolean, options: ResultOptions): GraphQLError => {
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
      ...(refused ? { http: httpOf(error, code) } : {}),
    },
  });
};

interface Described {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** Our errors as they are when safe, GraphQL's own as the client's mistake; anything else is logged and hidden. */
const described = (error: GraphQLError, options: ResultOptions): Described => {
  const origin = originOf(error);
  if (origin instanceof TributaryError && errorCodes[origin.code].safe) {
    if (errorCodes[origin.code].status >= 500) logFailure(origin, error, options);
    return { code: origin.code, message: origin.message, details: origin.details };
  }
  if (origin instanceof GraphQLError) return { code: codeOf(origin), message: origin.message };
  logFailure(origin, error, options);
  return { code: 'INTERNAL_SERVER_ERROR', message: 'internal error' };
};

/** Executors wrap what a resolver throws, some of them more than once. */
const originOf = (error: Error): Error =>
  error instanceof GraphQLError && error.originalError != null ? originOf(error.originalError) : error;

const codeOf = (error: GraphQLError): ErrorCode => {
  const code = error.extensions['code'];
  if (typeof code === 'string' && Object.hasOwn(errorCodes, code)) return code as ErrorCode;
  return statusOf(error) === 405 ? 'METHOD_NOT_ALLOWED' : 'BAD_USER_INPUT';
};

const statusOf = (error: GraphQLError): unknown =>
  (error.extensions['http'] as { status?: unknown } | undefined)?.status;

const httpOf = (error: GraphQLError, code: ErrorCode) => ({
  status: errorCodes[code].status,
  ...(statusOf(error) === 405 ? { headers: { allow: 'POST' } } : {}),
});

const logFailure = (origin: Error, error: GraphQLError, options: ResultOptions): void =>
  options.log.error(
    { requestId: options.requestId, path: error.path?.join('.'), err: origin },
    'a field failed',
  );
