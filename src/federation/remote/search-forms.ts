import { asTributaryError } from '../../errors/errors.ts';
import type { CatalogueQuery, CatalogueResult } from '../../search/query.ts';
import { idAsKey, type RemoteCatalogue } from './remote-catalogue.ts';
import { extremeForms, holdsExtremeDate, type ExtremeForm } from './node-filter.ts';
import type { GraphqlAnswer } from './graphql-over-http.ts';
import type { PageForm } from './print-query.ts';

/** A node's response to one query, not read yet. */
export interface Exchange {
  readonly answer: GraphqlAnswer;
  /** @throws TributaryError NODE_REFUSED, NODE_BAD_RESPONSE */
  readonly read: () => CatalogueResult;
}

/** Prints a query in one form and sends it. */
export type SendQuery = (query: CatalogueQuery, form: PageForm) => Promise<Exchange>;

/** Our own nodes add a tiebreaker themselves. */
const ownForm: PageForm = { idSort: false, extremes: 'date' };

/**
 * Finds the form of a query that a node accepts. A third-party node gets `_id` as last sort key until it refuses that,
 * and extreme dates in a form it accepts.
 */
export class SearchForms {
  readonly #remote: Pick<RemoteCatalogue, 'hasSource' | 'idPath' | 'fields'>;
  #idSort = true;
  #extremes: ExtremeForm = extremeForms[0]!;

  constructor(remote: Pick<RemoteCatalogue, 'hasSource' | 'idPath' | 'fields'>) {
    this.#remote = remote;
  }

  /** @throws what `send` throws, and the exchange's own errors */
  async search(wanted: CatalogueQuery, send: SendQuery): Promise<CatalogueResult> {
    const query = this.#remote.idPath === '_id' ? idAsKey(wanted) : wanted;
    if (this.#remote.hasSource) return (await send(query, ownForm)).read();
    if (!query.hits || query.hits.first === 0)
      return (await send(query, { idSort: false, extremes: this.#extremes })).read();
    return query.hits.searchAfter ? this.#nextPage(query, send) : this.#firstPage(query, send);
  }

  async #firstPage(query: CatalogueQuery, send: SendQuery): Promise<CatalogueResult> {
    const extremes = this.#extremes;
    const unsorted = async () => (await send(query, { idSort: false, extremes })).read();
    if (!this.#idSort) return withoutCursors(await unsorted());
    const { answer, read } = await send(query, { idSort: true, extremes });
    try {
      return read();
    } catch (error) {
      if (!answer.errors?.length) throw error;
      // the first error names the problem; a second one only shows that leaving out _id does not help
      const again = await unsorted().catch(() => {
        throw error;
      });
      // any other error is transient, and the next page has its cursors
      if (isAboutId(answer)) this.#idSort = false;
      return withoutCursors(again);
    }
  }

  async #nextPage(query: CatalogueQuery, send: SendQuery): Promise<CatalogueResult> {
    const { searchAfter, sort } = query.hits!;
    // stay with the form of the first page
    const idSort = (searchAfter?.length ?? 0) > sort.length;
    const others = extremeForms.filter((form) => form !== this.#extremes);
    const isExtreme = holdsExtremeDate(searchAfter, sort, this.#remote.fields);
    let refusal: unknown = null;
    for (const extremes of isExtreme ? [this.#extremes, ...others] : [this.#extremes]) {
      const { answer, read } = await send(query, { idSort, extremes });
      try {
        const page = read();
        this.#extremes = extremes;
        return page;
      } catch (error) {
        refusal ??= error;
        if (!answer.errors?.length) break;
      }
    }
    throw asTributaryError(refusal);
  }
}

/** Engines name either the field, or the field data that would have to be loaded into memory. */
const isAboutId = ({ errors = [] }: GraphqlAnswer): boolean =>
  errors.some(({ message }) => /(^|[^\w])_id([^\w]|$)|fielddata/i.test(String(message)));

/** Without a tiebreaker a cursor would skip rows; the sort values are still used for merging. */
const withoutCursors = (answer: CatalogueResult): CatalogueResult => ({
  ...answer,
  warnings: [...answer.warnings, 'returns no cursors: it cannot sort by _id'],
});
