import { LRUCache } from 'lru-cache';
import { badUserInput } from '../../errors/errors.ts';
import type { FailedFacet } from '../../search/nodes-answer.ts';
import type { CatalogueQuery, CatalogueResult, FacetRequest } from '../../search/query.ts';
import { countOnly } from '../../search/query.ts';
import type { GraphqlAnswer } from './http-executor.ts';
import { isOfWholeQuery } from './answer-errors.ts';

/** A query that failed because of its facets; the cause is the node's error. */
export class FacetsFailed extends Error {}

/** Whether a node failed at all facets of a query together: the established server computes them in one search. */
export const failsAtFacets = ({ errors = [] }: GraphqlAnswer, documentType: string): boolean =>
  errors.some(
    (error) =>
      JSON.stringify(error.path) === JSON.stringify([documentType, 'aggregations']) && !isOfWholeQuery(error),
  );

/** How long a facet that failed is not requested again. */
const retryMs = 10 * 60_000;

const failure: FailedFacet = {
  kind: 'failed',
  error: badUserInput('its search server does not compute this facet'),
};

/** Finds the facets that make a node fail, and leaves them out for a while. */
export class FailingFacets {
  /** By field and measure with its arguments, as a different interval may not fail. */
  readonly #failed = new LRUCache<string, true>({
    ...{ maxSize: 1_000_000, ttl: retryMs },
    sizeCalculation: (_, key) => key.length,
  });

  /**
   * @param send throws FacetsFailed for a query that might succeed with other facets
   * @throws what `send` throws, and the cause of FacetsFailed if the hits fail too
   */
  async search(
    query: CatalogueQuery,
    send: (query: CatalogueQuery) => Promise<CatalogueResult>,
  ): Promise<CatalogueResult> {
    const facets = query.facets.filter((facet) => !this.#failed.has(keyOf(facet)));
    try {
      return merged(query, facets, await send({ ...query, facets }));
    } catch (error) {
      if (!(error instanceof FacetsFailed)) throw error;
      const rest = await send({ ...query, facets: [], hits: query.hits ?? countOnly }).catch(() => {
        throw error.cause;
      });
      const sendPart: SendPart = (part) => send({ ...query, hits: null, facets: part });
      // a facet that failed together with the hits may have failed only for a moment
      const found = await (facets.length === 1
        ? this.#part(facets, sendPart)
        : this.#apart(facets, sendPart));
      const total = query.hits === null ? null : rest.total;
      return merged(query, facets, { ...rest, total, facets: found });
    }
  }

  /** Answers to facets that fail together, requested in smaller parts. */
  async #apart(facets: readonly FacetRequest[], send: SendPart): Promise<CatalogueResult['facets']> {
    if (facets.length === 0) return [];
    if (facets.length === 1) {
      this.#failed.set(keyOf(facets[0]!), true);
      return [failure];
    }
    const middle = facets.length >> 1;
    const halves = [facets.slice(0, middle), facets.slice(middle)].map((half) => this.#part(half, send));
    return (await Promise.all(halves)).flat();
  }

  #part(facets: readonly FacetRequest[], send: SendPart): Promise<CatalogueResult['facets']> {
    return send(facets).then(
      (answer) => answer.facets,
      (error: unknown) => {
        if (!(error instanceof FacetsFailed)) throw error;
        return this.#apart(facets, send);
      },
    );
  }
}

type SendPart = (facets: readonly FacetRequest[]) => Promise<CatalogueResult>;

const keyOf = ({ field, measure }: FacetRequest): string => JSON.stringify([field, measure]);

/** The answer to all facets of a query of which some were not sent. */
const merged = (
  { facets }: CatalogueQuery,
  sent: readonly FacetRequest[],
  answer: CatalogueResult,
): CatalogueResult => ({
  ...answer,
  facets: facets.map((facet) => {
    const at = sent.indexOf(facet);
    return at < 0 ? failure : answer.facets[at]!;
  }),
});
