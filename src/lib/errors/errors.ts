/**
 * Every code an error of this project can carry, with the HTTP status that the REST edge answers and whether
 * its message may be shown to a caller (`safe: false` messages are logged and replaced).
 */
export const errorCodes = {
  // requests
  BAD_USER_INPUT: { status: 400, safe: true },
  GRAPHQL_PARSE_FAILED: { status: 400, safe: true },
  GRAPHQL_VALIDATION_FAILED: { status: 400, safe: true },
  /** Not a failure: the client resends the document. */
  PERSISTED_QUERY_NOT_FOUND: { status: 200, safe: true },
  UNAUTHENTICATED: { status: 401, safe: true },
  FORBIDDEN: { status: 403, safe: true },
  /** The caller is answered from a release only. */
  NOT_DISCLOSED: { status: 403, safe: true },
  NOT_FOUND: { status: 404, safe: true },
  METHOD_NOT_ALLOWED: { status: 405, safe: true },
  CONFLICT: { status: 409, safe: true },
  PAYLOAD_TOO_LARGE: { status: 413, safe: true },
  /** 400: other nodes read its body as they read one with 200, and it has the reason. */
  RESPONSE_TOO_LARGE: { status: 400, safe: true },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, safe: true },
  // engines
  ENGINE_UNAVAILABLE: { status: 503, safe: true },
  ENGINE_TIMEOUT: { status: 504, safe: true },
  ENGINE_ERROR: { status: 502, safe: true },
  NOT_READY: { status: 503, safe: true },
  INTERNAL_SERVER_ERROR: { status: 500, safe: false },
  // why a catalogue failed: `failureCodes`
  index_not_found: { status: 404, safe: true },
  permission_denied: { status: 403, safe: true },
  connection_error: { status: 503, safe: true },
  mapping_fetch_error: { status: 502, safe: true },
  schema_build_error: { status: 500, safe: true },
  nesting_prefix_not_found: { status: 500, safe: true },
  unknown_error: { status: 500, safe: true },
  // other nodes of the network
  NODE_TIMEOUT: { status: 504, safe: true },
  NODE_UNREACHABLE: { status: 502, safe: true },
  /** A node answered HTTP 429, as established servers do. This server never does: NOT_READY says when to come back. */
  TOO_MANY_REQUESTS: { status: 503, safe: true },
  NODE_REFUSED: { status: 502, safe: true },
  NODE_BAD_RESPONSE: { status: 502, safe: true },
  NODE_DISCOVERING: { status: 503, safe: true },
  NODE_DISCOVERY_FAILED: { status: 502, safe: true },
  NODE_CIRCUIT_OPEN: { status: 503, safe: true },
  /** A node that dials in has no tunnel at the moment, or has not been accepted. */
  NODE_DISCONNECTED: { status: 503, safe: true },
  NODE_INVITED: { status: 503, safe: true },
  /** A network was queried through itself, or through too many others. */
  NETWORK_LOOP: { status: 400, safe: true },
  /** An indexed repository did not respond as it should. */
  UPSTREAM_FAILED: { status: 502, safe: true },
  // start-up and the command line
  CONFIG_INVALID: { status: 500, safe: true },
  INPUT_INVALID: { status: 400, safe: true },
} as const satisfies Record<string, { status: number; safe: boolean }>;

/**
 * The code of an error: stable, unlike its message.
 * @example
 * import type { ErrorCode } from 'tributary';
 *
 * const worthAnotherTry: readonly ErrorCode[] = ['ENGINE_UNAVAILABLE', 'ENGINE_TIMEOUT', 'NOT_READY'];
 */
export type ErrorCode = keyof typeof errorCodes;

/** The codes that a failed catalogue may have: those of the contract's "Error object", and the established server's own. */
export const failureCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'index_not_found',
  'permission_denied',
  'connection_error',
  'mapping_fetch_error',
  'schema_build_error',
  'nesting_prefix_not_found',
  'unknown_error',
]);

/**
 * What an error has besides its message.
 * @example
 * import { TributaryError, type ErrorContext } from 'tributary';
 *
 * const context: ErrorContext = { details: { club: 'north' } };
 * throw new TributaryError('FORBIDDEN', 'the club has not signed the agreement', context);
 */
export interface ErrorContext {
  /** The underlying error; never shown to a caller. */
  readonly cause?: unknown;
  /** Machine-readable facts: a JSON path, the accepted values, a file and key. Shown to the caller. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * The only error type of the project. The message is lowercase, without a full stop, and names what was wrong, where,
 * and what is expected.
 * @example
 * import { createRouter, TributaryError } from 'tributary';
 *
 * try {
 *   await createRouter();
 * } catch (error) {
 *   if (error instanceof TributaryError && error.code === 'CONFIG_INVALID') console.error(error.message);
 *   else throw error;
 * }
 */
export class TributaryError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ErrorCode, message: string, context: ErrorContext = {}) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause });
    this.name = 'TributaryError';
    this.code = code;
    this.details = context.details;
  }
}

/** The error for a query that cannot be answered as it was sent. */
export const badUserInput = (message: string, context?: ErrorContext): TributaryError =>
  new TributaryError('BAD_USER_INPUT', message, context);

/** The error for a setting, or a file of the configuration. */
export const invalidConfig = (message: string, context?: ErrorContext): TributaryError =>
  new TributaryError('CONFIG_INVALID', message, context);

/** The error for a command line, or a file to load. */
export const invalidInput = (message: string, context?: ErrorContext): TributaryError =>
  new TributaryError('INPUT_INVALID', message, context);

/** The error as ours: itself if it is one, else INTERNAL_SERVER_ERROR with the original as cause. */
export const asTributaryError = (error: unknown): TributaryError =>
  error instanceof TributaryError
    ? error
    : new TributaryError('INTERNAL_SERVER_ERROR', 'internal error', { cause: error });
