import { TributaryError } from '../lib/errors/errors.ts';
import type { Tier } from '../introspection/fields/catalogue-config.ts';
import type { Catalogue } from './catalogue.ts';
import type { Caller } from './request-context.ts';

/** What a caller may learn about a catalogue. @throws TributaryError FORBIDDEN for a tier that it does not serve */
export const tierOf = async (
  { config, id }: Pick<Catalogue, 'config' | 'id'>,
  caller: Pick<Caller, 'tierOf'>,
): Promise<Tier> => {
  const named = await caller.tierOf(id);
  if (config.disclosure !== undefined) return named ?? config.disclosure.default;
  if (named === null || named === 'records') return 'records';
  // its disclosure.json was removed since the access rules were read: that must not open it
  throw new TributaryError('FORBIDDEN', `nothing of catalogue ${id} is released to this caller`);
};

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
