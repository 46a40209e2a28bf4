import type { ExecutionContext } from 'ava';
import type { Engine, HitsQuery } from '../../../src/engines/engine.ts';
import type { Check } from './case.ts';

const wholePage: HitsQuery = {
  filter: { kind: 'all' },
  size: 100,
  offset: 0,
  sort: [],
  searchAfter: null,
  source: null,
  trackTotal: true,
};

/** Asks an engine that holds the collection's documents and compares. */
export const runCheck = async (
  t: ExecutionContext,
  engine: Engine,
  index: string,
  check: Check,
): Promise<void> => {
  if ('write' in check) {
    const operations = [{ kind: 'upsert', id: 'new', document: check.write } as const];
    const [outcome] = await engine.write(index, operations);
    t.is(outcome!.status, check.status, check.name);
    const reason = outcome!.status === 'refused' ? outcome!.reason : '';
    for (const part of check.naming ?? []) t.true(reason.includes(part), `${check.name}: ${reason}`);
    if (check.status === 'created') await engine.write(index, [{ kind: 'delete', id: 'new' }]);
  } else if ('failing' in check) {
    const query =
      'facet' in check.failing
        ? {
            facets: [
              {
                field: check.failing.facet,
                filter: wholePage.filter,
                objects: {},
                measure: check.failing.measure,
              },
            ],
          }
        : { hits: { ...wholePage, ...check.failing }, facets: [] };
    await t.throwsAsync(engine.search(index, query), { code: check.code }, check.name);
  } else if ('facet' in check) {
    const { facet, measure, filter = wholePage.filter, objects = {} } = check;
    const { facets: results } = await engine.search(index, {
      facets: [{ field: facet, filter, objects, measure }],
    });
    t.deepEqual(results, [check.result], check.name);
  } else {
    await runHits(t, engine, index, check);
  }
};

type HitsCheck = Extract<Check, { hits: unknown } | { ids: unknown }>;

const runHits = async (
  t: ExecutionContext,
  engine: Engine,
  index: string,
  check: HitsCheck,
): Promise<void> => {
  const asked = 'hits' in check ? check.hits : { filter: check.filter };
  const { hits } = await engine.search(index, { hits: { ...wholePage, ...asked }, facets: [] });
  const found = hits!.hits;
  if (check.ids !== undefined)
    t.deepEqual(
      found.map(({ id }) => id),
      check.ids,
      check.name,
    );
  if (!('hits' in check)) return;
  if (check.total !== undefined) t.is(hits!.total, check.total, check.name);
  if (check.cursors !== undefined)
    t.deepEqual(
      found.map(({ cursor }) => cursor.slice(0, -1)),
      check.cursors,
      check.name,
    );
  if (check.sources !== undefined)
    t.deepEqual(
      found.map(({ source }) => source),
      check.sources,
      check.name,
    );
};
