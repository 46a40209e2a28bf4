import type Koa from 'koa';
import { z } from 'zod';
import { badUserInput, TributaryError } from '../../lib/errors/errors.ts';
import type { IncomingMessage } from 'node:http';
import { hasBearerToken } from '../../lib/net/bearer-token.ts';
import { requestBytes } from '../../lib/net/bodies.ts';
import { jobStates } from '../jobs/job.ts';

/** The maximum length of a repository code, organization or record id; four of them fit in the headers. */
const maxNameCharacters = 256;

/**
 * A repository code, organization or record id in a path. The schema does not show that `.` and `..` are refused:
 * clients that normalise paths never send them, and API pages render `not` badly.
 */
export const nameSchema = z.string().min(1).max(maxNameCharacters);

/** Path steps, not names; they would also be sent to a repository. */
const noNames: readonly string[] = ['.', '..'];

/**
 * Refuses a URL that cannot be decoded or has invalid names, so that after this every path segment decodes to a name
 * that is safe to forward.
 * @throws TributaryError BAD_USER_INPUT
 */
export const rejectUnreadableUrl: Koa.Middleware = async (context, next) => {
  const isReadable = typeof (context.path as unknown) === 'string' && context.URL instanceof URL;
  if (!isReadable) throw badUserInput('the path or the host of the request cannot be read');
  for (const segment of context.path.split('/')) checkSegment(segment);
  await next();
};

const checkSegment = (segment: string): void => {
  if (segment === '') return;
  const decoded = readSegment(segment);
  if (noNames.includes(decoded))
    throw badUserInput(`${JSON.stringify(decoded)} in the path is not a name but a step of the path`);
  if ([...decoded].length > maxNameCharacters)
    throw badUserInput(`a part of the path is longer than the ${maxNameCharacters} characters allowed`);
};

const readSegment = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw badUserInput(
      `the percent encoding of ${JSON.stringify(segment.slice(0, maxNameCharacters))} in the path is broken: ` +
        'UTF-8 with %25 for a percent sign expected',
      { cause },
    );
  }
};

/**
 * Refuses cross-site requests sent through the browser of someone who can reach this service, recognized by
 * Sec-Fetch-Site or Origin. Without a token, the requested host must also be a name of this machine: another site may
 * point its name here (DNS rebinding), and its pages would then count as this service's own.
 * @throws TributaryError FORBIDDEN
 */
export const rejectCrossSite =
  (token: string | undefined): Koa.Middleware =>
  async (context, next) => {
    const host = context.get('host').toLowerCase();
    if (token === undefined && host !== '' && !isLoopback(host))
      throw forbidden(
        'without INDEXING_TOKEN this service answers at localhost and loopback addresses only, not under other names',
      );
    if (!isOwnSite(context.get('sec-fetch-site').toLowerCase(), context.get('origin').toLowerCase(), host))
      throw forbidden('requests from pages of other sites are not allowed here');
    await next();
  };

/**
 * Sec-Fetch-Site is authoritative; only older browsers omit it, and they send Origin with every request that changes
 * something.
 */
const isOwnSite = (site: string, origin: string, host: string): boolean =>
  site === '' ? origin === '' || URL.parse(origin)?.host === host : site === 'same-origin' || site === 'none';

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/;

const isLoopback = (host: string): boolean => loopback.test(host);

/** Paths that respond without the token, with less detail. */
const open = new Set(['/health']);

/**
 * Requires the bearer token on every path except /health.
 * @throws TributaryError UNAUTHENTICATED
 */
export const requireToken =
  (token: () => string | undefined): Koa.Middleware =>
  async (context, next) => {
    if (!open.has(context.path) && !hasToken(context, token()))
      throw new TributaryError(
        'UNAUTHENTICATED',
        'the header authorization must hold Bearer and the token of this service (INDEXING_TOKEN)',
      );
    await next();
  };

/** Whether a request has the token; true when none is required. */
export const hasToken = (context: Koa.Context, token: string | undefined): boolean =>
  token === undefined || hasBearerToken(context.get('authorization'), token);

/** The body must be empty: this is room for white space. */
const maxBodyBytes = 16 * 1024;

/** What a body may hold, if there is one. */
export const bodySchema = z.strictObject({}).describe('Nothing, or an empty object');

/**
 * Reads a request body that must be empty: no bytes, white space or `{}`, whatever its length header says.
 * @throws TributaryError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, BAD_USER_INPUT
 */
export const readEmptyBody = async (request: IncomingMessage): Promise<void> => {
  const body = (await requestBytes(request, maxBodyBytes)).toString();
  if (body.trim() === '') return;
  checkMediaType(request);
  if (!bodySchema.safeParse(parsed(body)).success)
    throw badUserInput('the body is not empty: no body or {} expected');
};

/** Clients may declare any media type, or none, for an empty body: it is only checked if there is content. */
const checkMediaType = ({ headers }: IncomingMessage): void => {
  const type = headers['content-type']?.split(';')[0]!.trim().toLowerCase();
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (type !== undefined && type !== 'application/json')
    throw unsupported(`the body is ${JSON.stringify(type)}: no body, or {} as application/json expected`);
  if (encoding !== 'identity') throw unsupported('the body has a content encoding: one without is expected');
};

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw badUserInput('the body is not JSON: no body or {} expected', { cause });
  }
};

const defaultJobs = 100;
const maxJobs = 1_000;

/** The query parameters of each operation that has any: read by its route, shown in the OpenAPI document. */
export const queryParameters = {
  indexRepository: z.object({
    rebuild: z
      .enum(['true', 'false'], 'true or false')
      .transform((text) => text === 'true')
      .pipe(z.boolean())
      .default(false)
      .describe('Fill a new index beside the current one, and replace that when it is complete'),
  }),
  listJobs: z.object({
    state: z
      .enum(jobStates, `one of ${jobStates.join(', ')}`)
      .optional()
      .describe('Only jobs in this state'),
    limit: z
      .string()
      .regex(/^\d{1,9}$/, `a number from 1 to ${maxJobs}`)
      .transform(Number)
      .pipe(z.int().min(1, `a number from 1 to ${maxJobs}`).max(maxJobs, `a number from 1 to ${maxJobs}`))
      .default(defaultJobs)
      .describe('The most jobs to return'),
  }),
} as const;

/** For an operation without query parameters. */
export const noQuery = z.object({});

/**
 * The query parameters of a request: only known ones, each at most once.
 * @throws TributaryError BAD_USER_INPUT naming a parameter that is unknown, repeated or malformed, and what is accepted
 */
export const readQuery = <Schema extends z.ZodObject>(
  context: Koa.Context,
  schema: Schema,
): z.output<Schema> => {
  const { searchParams } = context.URL;
  const known = Object.keys(schema.shape);
  for (const [name] of searchParams) {
    if (!known.includes(name))
      throw badUserInput(
        `the query parameter ${JSON.stringify(name.slice(0, 80))} is not known here: ${
          known.length === 0 ? 'none' : known.join(' or ')
        } expected`,
      );
    if (searchParams.getAll(name).length > 1)
      throw badUserInput(`the query parameter ${name} occurs more than once`);
  }
  const read = schema.safeParse(Object.fromEntries(searchParams));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw badUserInput(`the query parameter ${String(issue!.path[0])} must be ${issue!.message}`);
};

const unsupported = (message: string): TributaryError =>
  new TributaryError('UNSUPPORTED_MEDIA_TYPE', message);

const forbidden = (message: string): TributaryError => new TributaryError('FORBIDDEN', message);
