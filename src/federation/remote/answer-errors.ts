import { z } from 'zod';
import { startAgain } from '../../engines/semantics/cursor.ts';
import { calendarIntervals } from '../../engines/semantics/calendar.ts';
import {
  asTributaryError,
  badUserInput,
  errorCodes,
  TributaryError,
  type ErrorCode,
} from '../../lib/errors/errors.ts';
import type { GraphqlAnswer, GraphqlAnswerError } from './http-executor.ts';
import { readLoop, readSilence } from './network-node.ts';
import { errorDetails } from './node-statements.ts';

/**
 * GraphQL errors are a failed answer, regardless of the HTTP status and any accompanying data.
 * @throws TributaryError NODE_REFUSED, NODE_BAD_RESPONSE; BAD_USER_INPUT for a query that is too expensive there
 */
export const assertNoErrors = ({ errors }: GraphqlAnswer): void => {
  if (!errors?.length) return;
  const [error] = errors;
  throw knownError(error) ?? graphqlErrors(error?.extensions?.['code']);
};

/** The errors of our own nodes about a query as a whole, recognised by their details. */
const knownError = (error: unknown): TributaryError | null =>
  tooFineHistogram(error) ??
  tooExpensiveQuery(error) ??
  unknownCursor(error) ??
  withheldAnswer(error) ??
  readSilence(error) ??
  readLoop(error);

/** Failures of a search server in general, such as of one facet of several. */
const ofAnyPart: ReadonlySet<ErrorCode> = new Set(['INTERNAL_SERVER_ERROR', 'ENGINE_ERROR']);

/** Whether an error concerns the query as a whole, wherever it appears in the answer. */
export const isOfWholeQuery = (error: GraphqlAnswerError): boolean => {
  const code = error.extensions?.['code'];
  const known = typeof code === 'string' && Object.hasOwn(errorCodes, code) ? (code as ErrorCode) : null;
  if (known === 'UNAUTHENTICATED' || known === 'FORBIDDEN') return true;
  const isFailure = known !== null && errorCodes[known].status >= 500 && !ofAnyPart.has(known);
  return isFailure || knownError(error) !== null;
};

const tooFine = errorDetails(
  'BAD_USER_INPUT',
  z.object({
    smallestInterval: z.union([z.number().positive(), z.enum(calendarIntervals)]),
    field: z.string().max(1_000).optional(),
  }),
);

/** How our own nodes report an interval with too many buckets: only a number, so it is safe to show. */
const tooFineHistogram = (error: unknown): TributaryError | null => {
  const details = tooFine(error);
  if (details === undefined) return null;
  return new TributaryError(
    'NODE_REFUSED',
    `refused the histogram: its interval must be at least ${details.smallestInterval} there`,
    { details, cause: invalidQuery() },
  );
};

const tooExpensive = errorDetails(
  'BAD_USER_INPUT',
  z.object({ cost: z.number().positive(), maxCost: z.number().positive() }),
);

/** The node limits its own part of a query; exceeding its cost limit is not a failure of the node. */
const tooExpensiveQuery = (error: unknown): TributaryError | null => {
  const details = tooExpensive(error);
  if (details === undefined) return null;
  const { cost, maxCost } = details;
  return badUserInput(`the query costs ${cost} there, more than the ${maxCost} allowed`, { details });
};

const outdated = errorDetails('BAD_USER_INPUT', z.object({ startAgain: z.literal(true) }));

/** The node's index was replaced since the last page, or a different server of the node answers now. */
const unknownCursor = (error: unknown): TributaryError | null =>
  outdated(error) === undefined ? null : startAgain('was made for an index that this node no longer has');

const withheld = errorDetails(
  'NOT_DISCLOSED',
  z
    .object({ select: z.literal('upper_bound') })
    .nullable()
    .catch(null),
);

/** The node does not disclose what was requested, or only if upper bounds are selected too. */
const withheldAnswer = (error: unknown): TributaryError | null => {
  const details = withheld(error);
  if (details === undefined) return null;
  return details === null
    ? new TributaryError(
        'NOT_DISCLOSED',
        'does not disclose this: only counts of released fields, as intervals',
      )
    : new TributaryError(
        'NOT_DISCLOSED',
        'discloses counts as intervals: select upper_bound beside total and doc_count',
        { details },
      );
};

/** The remote's message is withheld; its code is shown if it is one of ours. */
const graphqlErrors = (code: unknown): TributaryError => {
  const known = typeof code === 'string' && Object.hasOwn(errorCodes, code) ? code : null;
  const refusals = [
    'UNAUTHENTICATED',
    'FORBIDDEN',
    'BAD_USER_INPUT',
    'GRAPHQL_VALIDATION_FAILED',
    'RESPONSE_TOO_LARGE',
  ];
  const state: ErrorCode = known && refusals.includes(known) ? 'NODE_REFUSED' : 'NODE_BAD_RESPONSE';
  // the query was derived from the node's own schema
  const why =
    known === 'GRAPHQL_VALIDATION_FAILED'
      ? '; its schema or limits may have changed since discovery: it is discovered again within a minute'
      : '';
  const cause = known === 'BAD_USER_INPUT' ? invalidQuery() : undefined;
  return new TributaryError(state, `answered with GraphQL errors${known ? ` (${known})` : ''}${why}`, {
    cause,
  });
};

/** The cause of a refusal due to the query itself. */
const invalidQuery = (): TributaryError => badUserInput('the node refused the query as invalid');

/** Whether a call failed because of the client's query: the node worked as intended. */
export const isInvalidQuery = (error: unknown): boolean => {
  const { code, cause } = asTributaryError(error);
  if (code === 'BAD_USER_INPUT') return true;
  return code === 'NODE_REFUSED' && cause instanceof TributaryError && cause.code === 'BAD_USER_INPUT';
};
