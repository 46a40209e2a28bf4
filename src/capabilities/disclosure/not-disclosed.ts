import { TributaryError } from '../../lib/errors/errors.ts';

/**
 * The refusal of everything that a guarded tier does not answer. The message is equal for unknown and unreleased fields,
 * and contains nothing of the query: an error discloses nothing that the release does not.
 */
export const notDisclosed = (what: string, details?: Readonly<Record<string, unknown>>): TributaryError =>
  new TributaryError(
    'NOT_DISCLOSED',
    `${what} not disclosed here: only counts of released fields are, as intervals`,
    details === undefined ? {} : { details },
  );
