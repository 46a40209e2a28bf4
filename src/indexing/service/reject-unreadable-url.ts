import type Koa from 'koa';
import { z } from 'zod';
import { TributaryError } from '../../errors/errors.ts';

/** The maximum length of a repository code, organization or record id; four of them fit in the headers. */
const maxNameCharacters = 256;

/**
 * A repository code, organization or record id in a path. That `.` and `..` are refused is left out of the schema:
 * clients that normalise paths never send them, and API pages render `not` badly.
 */
export const nameSchema = z.string().min(1).max(maxNameCharacters);

/** These are path steps, not names, and would also be in requests to a repository. */
const noNames: readonly string[] = ['.', '..'];

/**
 * Refuses a URL that cannot be decoded or has invalid names, so that after this every path segment decodes to a name
 * that is safe to forward.
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
