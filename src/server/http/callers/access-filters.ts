import type { Logger } from 'pino';
import { TributaryError } from '../../../lib/errors/errors.ts';
import { isJsonObject } from '../../../lib/json/json.ts';
import type { Sqon } from '../../../sqon/ast.ts';
import { parseSqon } from '../../../sqon/parse.ts';
import type { CallerAccess } from '../../../search/request-context.ts';
import type { Tier } from '../../../introspection/fields/catalogue-config.ts';
import type { HttpContext } from '../koa/http-context.ts';

/**
 * What the application lets its caller see of a catalogue: a filter as JSON. null or an empty group means everything;
 * nothing at all is `{op: 'in', content: {fieldName, value: []}}`.
 * @example
 * import { createRouter, type GetServerSideFilter } from 'tributary';
 *
 * const getServerSideFilter: GetServerSideFilter = (context) =>
 *   context.get('x-club') === 'north'
 *     ? null
 *     : { op: 'in', content: { fieldName: 'visibility', value: ['public'] } };
 * const router = await createRouter({ getServerSideFilter });
 */
export type GetServerSideFilter = (context: HttpContext, catalogueId: string) => unknown;

/**
 * The access filter returned by the application's function. Anything invalid denies access (undefined, `{}`, a
 * malformed filter, an exception), and the log names the cause.
 */
export const serverSideFilter =
  (getFilter: GetServerSideFilter, log: Logger): AccessFilter =>
  async (context, catalogueId) => {
    try {
      return readFilter(await getFilter(context, catalogueId));
    } catch (error) {
      if (error instanceof TributaryError && (error.code === 'UNAUTHENTICATED' || error.code === 'FORBIDDEN'))
        throw error;
      log.error(
        { requestId: context.state.requestId, catalogue: catalogueId, err: error },
        'getServerSideFilter returned no filter',
      );
      throw new TributaryError(
        'FORBIDDEN',
        `the access rules of catalogue ${catalogueId} could not be evaluated`,
        {
          cause: error,
        },
      );
    }
  };

const readFilter = (filter: unknown): Sqon | null => {
  if (filter === null) return null;
  if (!isJsonObject(filter) || Object.keys(filter).length === 0)
    throw new TypeError('a filter {op, content} or null expected, not undefined or {}');
  return parseSqon(filter);
};

/** The server-side filter of a catalogue for the caller of this request; see CallerAccess. */
export type AccessFilter = (context: HttpContext, catalogueId: string) => Sqon | null | Promise<Sqon | null>;

/** Access by what is in a request, such as its token: each member of a caller's access, given the request. */
export interface TokenAccess {
  readonly accessFilter: AccessFilter;
  readonly networkAccess: (context: HttpContext) => void | Promise<void>;
  readonly tierOf: (context: HttpContext, catalogueId: string) => Tier | null | Promise<Tier | null>;
  /** The issuers whose tokens are valid here, as far as rules name them. */
  readonly issuers: () => readonly string[];
}

/** The access of a request's caller; a filter is evaluated once per catalogue. */
export const accessIn =
  ({ accessFilter = () => null, networkAccess, tierOf = () => null }: Partial<TokenAccess>) =>
  (context: HttpContext): CallerAccess => {
    const filters = new Map<string, Promise<Sqon | null>>();
    return {
      accessFilter: (catalogueId) => {
        const filter = filters.get(catalogueId) ?? (async () => accessFilter(context, catalogueId))();
        filters.set(catalogueId, filter);
        return filter;
      },
      networkAccess: networkAccess && (() => networkAccess(context)),
      tierOf: (catalogueId) => tierOf(context, catalogueId),
    };
  };
