import type { CatalogueResult, CatalogueQuery, SearchFn } from '../../search/query.ts';
import type { RequestContext } from '../../search/request-context.ts';
import { asTributaryError, TributaryError } from '../../errors/errors.ts';
import type { RemoteCatalogue } from './discovery/discovered-fields.ts';
import type { ExtremeForm } from './filter/extreme-dates.ts';
import { extremeForms, holdsExtremeDate } from './filter/extreme-dates.ts';
import type { RemoteSource } from '../config/nodes.ts';
import { originHeader } from './answer-origin.ts';
import { passedOn } from './passed-on.ts';
import type { PageForm, PrintedQuery } from './print-query.ts';
import { printQuery } from './print-query.ts';
import { readAnswer } from './read-answer.ts';
import { idAsKey } from './document-id.ts';
import type { GraphqlAnswer, GraphqlExecutor, GraphqlRequest } from './transport.ts';
import { graphqlBody } from './transport.ts';

/** A node's response, not read yet. */
interface Answered {
  readonly answer: GraphqlAnswer;
  /** @throws TributaryError NODE_REFUSED, NODE_BAD_RESPONSE */
  readonly read: () => CatalogueResult;
}

/** @param take may throw */
type Ask = <Taken>(
  query: CatalogueQuery,
  context: RequestContext,
  form: PageForm,
  take: (answered: Answered) => Taken,
) => Promise<Taken>;

/**
 * A remote node as a SearchFn: one GraphQL request per query. The caller's signal is the deadline. Throws NODE_TIMEOUT,
 * NODE_UNREACHABLE, NODE_REFUSED and NODE_BAD_RESPONSE, with reasons safe to show.
 */
export const remoteSearch = (
  source: RemoteSource,
  remote: RemoteCatalogue,
  execute: GraphqlExecutor,
  credential: Readonly<Record<string, string>>,
): SearchFn => {
  const requestFor = (query: CatalogueQuery, context: RequestContext, body: string): GraphqlRequest => ({
    body,
    headers: {
      ...credential,
      ...forwardedHeaders(source.headers, context),
      ...(remote.isNetwork && passedOn(context)),
      ...(query.identify && remote.hasSource && { [originHeader]: '1' }),
    },
    signal: context.signal ?? AbortSignal.timeout(60_000),
    isKept: isRepeated(query, remote),
    ...(context.isRetried && { once: true }),
  });
  const ask: Ask = (query, context, form, take) => {
    const one = printedOrError(query, remote, source, form);
    if (one instanceof TributaryError) return Promise.reject(one);
    return execute(requestFor(query, context, one.body), (answer) =>
      take({ answer, read: () => readAnswer(answer, remote, query, one.printed) }),
    );
  };
  const search = remote.hasSource ? ownSearch(ask) : foreignSearch(ask, remote);
  return remote.idPath === '_id' ? (query, context) => search(idAsKey(query), context) : search;
};

interface Printed {
  readonly fields: RemoteCatalogue['fields'];
  readonly limits: string;
  readonly printed: PrintedQuery;
  readonly body: string;
}

/** By query, which is one object for nodes that offer the same: they are all sent one text. */
const printedFor = new WeakMap<CatalogueQuery, Printed>();

/** @returns why it cannot be asked, where it cannot */
const printedOrError = (...asked: Parameters<typeof printedOnce>): Printed | TributaryError => {
  try {
    return printedOnce(...asked);
  } catch (error) {
    return asTributaryError(error);
  }
};

const printedOnce = (
  query: CatalogueQuery,
  remote: RemoteCatalogue,
  source: RemoteSource,
  form: PageForm,
): Printed => {
  const known = printedFor.get(query);
  const limits = `${source.maxDepth} ${source.maxAliases} ${form.idSort} ${form.extremes}`;
  // the fields of nodes that offer the same are one object, too
  if (known?.fields === remote.fields && known.limits === limits) return known;
  const printed = printQuery(query, remote, source, form);
  const body = graphqlBody(printed.query, printed.variables);
  const one: Printed = { fields: remote.fields, limits, printed, body };
  printedFor.set(query, one);
  return one;
};

/** Only our own nodes know their answers again; downloads go on by cursors, and are too large to be kept. */
const isRepeated = ({ hits, identify }: CatalogueQuery, { hasSource }: RemoteCatalogue): boolean =>
  hasSource && identify !== true && (hits?.searchAfter ?? null) === null;

/** Our own nodes add a tiebreaker themselves. */
const ownSearch =
  (ask: Ask): SearchFn =>
  (query, context) =>
    ask(query, context, ownForm, reading);

const ownForm: PageForm = { idSort: false, extremes: 'date' };

const reading = ({ read }: Answered): CatalogueResult => read();
const unread = (answered: Answered): Answered => answered;

/** A third-party node gets `_id` as last sort key until it refuses that, and extreme dates in a form it accepts. */
const foreignSearch = (ask: Ask, { fields }: RemoteCatalogue): SearchFn => {
  let idSort = true;
  let extremes: ExtremeForm = extremeForms[0]!;
  const firstPage = async (query: CatalogueQuery, context: RequestContext): Promise<CatalogueResult> => {
    if (!idSort) return withoutCursors(await ask(query, context, { idSort, extremes }, reading));
    const { answer, read } = await ask(query, context, { idSort, extremes }, unread);
    try {
      return read();
    } catch (error) {
      if (!answer.errors?.length) throw error;
      const again = await ask(query, context, { idSort: false, extremes }, reading)
        // the first error says what is wrong; a second one only that leaving out _id does not help
        .catch(() => {
          throw error;
        });
      // any other error is transient, and the next page has its cursors
      if (isAboutId(answer)) idSort = false;
      return withoutCursors(again);
    }
  };
  const nextPage = async (query: CatalogueQuery, context: RequestContext): Promise<CatalogueResult> => {
    const { searchAfter, sort } = query.hits!;
    // stay with the form of the first page
    const withId = (searchAfter?.length ?? 0) > sort.length;
    const others = extremeForms.filter((form) => form !== extremes);
    const forms = holdsExtremeDate(searchAfter, sort, fields) ? [extremes, ...others] : [extremes];
    let refusal: unknown = null;
    for (const form of forms) {
      const { answer, read } = await ask(query, context, { idSort: withId, extremes: form }, unread);
      try {
        const page = read();
        extremes = form;
        return page;
      } catch (error) {
        refusal ??= error;
        if (!answer.errors?.length) break;
      }
    }
    throw asTributaryError(refusal);
  };
  return (query, context) => {
    if (!query.hits || query.hits.first === 0)
      return ask(query, context, { idSort: false, extremes }, reading);
    return query.hits.searchAfter ? nextPage(query, context) : firstPage(query, context);
  };
};

/** The caller's headers that this node may receive. */
export const forwardedHeaders = (
  names: readonly string[],
  context: RequestContext,
): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (const name of names) {
    const value = Object.hasOwn(context.caller.headers, name) ? context.caller.headers[name] : undefined;
    if (value !== undefined) headers[name] = value;
  }
  return headers;
};

/** Engines name either the field, or the field data that would have to be loaded into memory. */
const isAboutId = ({ errors = [] }: GraphqlAnswer): boolean =>
  errors.some(({ message }) => /(^|[^\w])_id([^\w]|$)|fielddata/i.test(String(message)));

/** Without a tiebreaker a cursor would skip rows; the sort values are still used for merging. */
const withoutCursors = (answer: CatalogueResult): CatalogueResult => ({
  ...answer,
  warnings: [...answer.warnings, 'returns no cursors: it cannot sort by _id'],
});
