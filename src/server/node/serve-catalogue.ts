import { TributaryError } from '../../lib/errors/errors.ts';
import { pricedEngine } from '../../engines/cost/query-cost.ts';
import type { Engine } from '../../engines/engine.ts';
import type { Metrics } from '../http/ops/metrics.ts';
import { auditedSearch } from '../../search/audited-search.ts';
import { tierOf, type Catalogue, type CatalogueGuard } from '../../search/catalogue.ts';
import type { SearchFn } from '../../search/query.ts';

// What stands around the search of a catalogue, outermost first:
//
//   audit(access(disclosure(price(measure(catalogue)))))
//
// A refusal is audited, whoever refuses. A caller without access learns no tier. What a release answers costs nothing,
// and what is too expensive is not measured. The caller's filter itself is compiled into each query (local/search): a
// facet leaves out its own conditions, never those of access.

/** @param disclosure answers each caller by tier; default: only those who may see records */
export const serveCatalogue = (disclosure: CatalogueGuard = recordsOnly): CatalogueGuard => ({
  ...disclosure,
  guard: (catalogue) => {
    const disclosed = disclosure.guard(catalogue);
    const around = <Served extends Catalogue>(one: Served): Served => ({
      ...one,
      search: auditedSearch(access(one.search, one), { catalogue: one }),
    });
    const { substitute } = disclosed;
    return { ...around(disclosed), ...(substitute !== undefined && { substitute: around(substitute) }) };
  },
});

/** The engine of catalogues: its search is priced before it takes its turn. @param metrics null: nothing is measured */
export const servedEngine = (engine: Engine, metrics: Pick<Metrics, 'measured'> | null): Engine =>
  pricedEngine(metrics?.measured(engine) ?? engine);

const access =
  (search: SearchFn, { id }: Catalogue): SearchFn =>
  async (query, context) => {
    await context.caller.accessFilter(id);
    return search(query, context);
  };

/** Where nothing restricts callers: a catalogue or a caller with a tier is refused, never served unrestricted. */
const recordsOnly: CatalogueGuard = {
  guard: (catalogue) => {
    if (catalogue.config.disclosure !== undefined)
      throw new TributaryError(
        'unknown_error',
        'disclosure.json needs the capability disclosure, which this server does not have',
      );
    const search: SearchFn = async (query, context) => {
      await tierOf(catalogue, context.caller);
      return catalogue.search(query, context);
    };
    return { ...catalogue, search };
  },
  ...{ addReader: () => undefined, use: () => undefined, watch: () => null, isCurrent: () => true },
};
