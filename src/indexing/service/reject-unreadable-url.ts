import type Koa from 'koa';
import { z } from 'zod';
import { TributaryError } from '../../errors.ts';

/** The most characters of a repository's code, an organization or a record's id; four of the longest fit the headers. */
const maxNameCharacters = 256;

/**
 * A repository's code, an organization or a record's id, as it stands in a path. That `.` and `..` are refused is not
 * said: they do not get here from clients that normalise paths, and API pages render `not` badly.
 */
export const nameSchema = z.string().min(1).max(maxNameCharacters);

/** They are no names but steps of the path itself, and would be on the way to a repository too. */
const noNames: readonly string[] = ['.', '..'];

/**
 * Refuses an address that cannot be read or that no name could be part of, so that behind this each part of a path
 * decodes to a name that is safe to send on.
 * @throws TributaryError BAD_USER_INPUT
 */
export const rejectUnreadableUrl: Koa.Middleware = async (context, next) => {
  const isReadable = typeof (context.path as unknown) === 'string' && context.URL instanceof URL;
  if (!isReadable)
    throw new TributaryError('BAD_USER_INPUT', 'the path or the host of the request cannot be read');
  for (const segment of context.path.split('/')) checkSegment(segment);
  await next();
};

const checkSegment = (segment: string): void => {
  if (segment === '') return;
  const decoded = readSegment(segment);
  if (noNames.includes(decoded))
    throw new TributaryError(
      'BAD_USER_INPUT',
      `${JSON.stringify(decoded)} in the path is no name but a step of the path`,
    );
  if ([...decoded].length > maxNameCharacters)
    throw new TributaryError(
      'BAD_USER_INPUT',
      `a part of the path is longer than the ${maxNameCharacters} characters allowed`,
    );
};

const readSegment = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw new TributaryError(
      'BAD_USER_INPUT',
      `the percent encoding of ${JSON.stringify(segment.slice(0, maxNameCharacters))} in the path is broken: ` +
        'UTF-8 with %25 for a percent sign expected',
      { cause },
    );
  }
};
