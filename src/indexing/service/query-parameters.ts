import type Koa from 'koa';
import { TributaryError } from '../../errors.ts';

/**
 * The query parameters of a request: each of those known at most once.
 * @throws TributaryError BAD_USER_INPUT naming one that is unknown or repeated
 */
export const readQuery = <Name extends string>(
  context: Koa.Context,
  known: readonly Name[],
): Readonly<Partial<Record<Name, string>>> => {
  const { searchParams } = context.URL;
  for (const [given] of searchParams) {
    if (!known.some((name) => name === given))
      throw new TributaryError(
        'BAD_USER_INPUT',
        `the query parameter ${JSON.stringify(given.slice(0, 80))} is not known here: ${
          known.length === 0 ? 'none' : known.join(' or ')
        } expected`,
      );
    if (searchParams.getAll(given).length > 1)
      throw new TributaryError('BAD_USER_INPUT', `the query parameter ${given} is given more than once`);
  }
  return Object.fromEntries(searchParams) as Partial<Record<Name, string>>;
};
