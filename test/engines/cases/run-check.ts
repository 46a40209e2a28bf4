import type { ExecutionContext } from 'ava';
import type { Engine, Hit, SearchQuery } from '../../../src/engines/engine.ts';
import type { Check, Collection } from './case.ts';
import { checkQuery } from './check-query.ts';

/** An engine that holds the collection's documents under a name. */
export interface Filled {
  readonly engine: Engine;
  readonly index: string;
  readonly collection: Collection;
  /** Whether equal sort values may come in any order: over several shards, where no engine knows who was first. */
  readonly tiesOpen?: boolean;
}

/** Asks the engine and compares. */
export const runCheck = async (t: ExecutionContext, filled: Filled, check: Check): Promise<void> => {
  if ('write' in check) return runWrite(t, filled, check);
  if ('operations' in check) return runOperations(t, filled, check);
  if ('code' in check) return runFailing(t, filled, check);
  const query = checkQuery(filled.collection, check);
  if ('walk' in check) return runWalk(t, filled, check, query);
  const result = await filled.engine.search(filled.index, await resumable(filled, query));
  t.deepEqual(result.warnings, [], check.name);
  if ('result' in check) t.deepEqual(result.facets, [check.result], check.name);
  else if ('hits' in check) compareHits(t, filled, check, result.hits!);
  else t.deepEqual(idsOf(result.hits!.hits).toSorted(), check.ids.toSorted(), check.name);
};

/** The query with its cursor's tie-break, a position in the cases, in the form of the engine: some add the index's name. */
const resumable = async ({ engine, index }: Filled, query: SearchQuery): Promise<SearchQuery> => {
  const { hits } = query;
  const tieBreak = hits?.searchAfter?.[hits.sort.length];
  if (hits == null || typeof tieBreak !== 'number') return query;
  const first = await engine.search(index, { hits: { ...hits, searchAfter: null, size: 1 }, facets: [] });
  const suffix = /@[^@]*$/.exec(String(first.hits!.hits[0]!.cursor.at(-1)))?.[0];
  if (suffix === undefined) return query;
  return {
    ...query,
    hits: { ...hits, searchAfter: [...hits.searchAfter!.slice(0, -1), `${tieBreak}${suffix}`] },
  };
};

type Form<Key extends string> = Extract<Check, Readonly<Record<Key, unknown>>>;

const runWrite = async (
  t: ExecutionContext,
  { engine, index }: Filled,
  check: Form<'write'>,
): Promise<void> => {
  const operations = [{ kind: 'upsert', id: 'new', document: check.write } as const];
  const [outcome] = await engine.write(index, operations);
  t.is(outcome!.status, check.status, check.name);
  const reason = outcome!.status === 'refused' ? outcome!.reason : '';
  for (const part of check.naming ?? []) t.true(reason.includes(part), `${check.name}: ${reason}`);
  if (check.status === 'created') await engine.write(index, [{ kind: 'delete', id: 'new' }]);
};

const runOperations = async (
  t: ExecutionContext,
  { engine, index, collection }: Filled,
  check: Form<'operations'>,
): Promise<void> => {
  const outcomes = await engine.write(
    index,
    check.operations.map(([operation]) => operation),
  );
  t.deepEqual(
    outcomes.map(({ status }) => status),
    check.operations.map(([, status]) => status),
    check.name,
  );
  const { hits } = await engine.search(index, checkQuery(collection, check));
  const found = hits!.hits.toSorted((left, right) => (left.id < right.id ? -1 : 1));
  t.deepEqual(idsOf(found), check.ids, check.name);
  if (check.sources !== undefined)
    t.deepEqual(
      found.map(({ source }) => source),
      check.sources,
      check.name,
    );
  const touched = new Set(check.operations.map(([{ id }]) => id));
  await engine.write(
    index,
    [...touched].map((id) => {
      const document = collection.documents[id];
      return document === undefined ? { kind: 'delete', id } : { kind: 'upsert', id, document };
    }),
  );
};

const runFailing = async (
  t: ExecutionContext,
  { engine, index, collection }: Filled,
  check: Form<'code'>,
): Promise<void> => {
  const runQuery = async (): Promise<unknown> => engine.search(index, checkQuery(collection, check));
  const error = await t.throwsAsync(runQuery(), { code: check.code }, check.name);
  for (const part of 'naming' in check ? check.naming : [])
    t.true(error!.message.includes(part), `${check.name}: ${error!.message}`);
};

const runWalk = async (
  t: ExecutionContext,
  { engine, index, tiesOpen }: Filled,
  check: Form<'walk'>,
  { hits: first }: SearchQuery,
): Promise<void> => {
  const seen: Hit[] = [];
  for (let searchAfter = first!.searchAfter; ; searchAfter = seen.at(-1)!.cursor) {
    const { hits } = await engine.search(index, { hits: { ...first!, searchAfter }, facets: [] });
    t.is(hits!.total, check.ids.length, check.name);
    if (hits!.hits.length === 0) break;
    t.true(hits!.hits.length <= check.size && seen.length < 1_000, check.name);
    seen.push(...hits!.hits);
  }
  t.deepEqual(idsOf(inTieOrder(seen, tiesOpen, check.ids)), check.ids, check.name);
};

const compareHits = (
  t: ExecutionContext,
  { tiesOpen }: Filled,
  check: Form<'hits'>,
  { hits, total }: { readonly hits: readonly Hit[]; readonly total: number | null },
): void => {
  const found = inTieOrder(hits, tiesOpen, check.ids ?? []);
  if (check.ids !== undefined) t.deepEqual(idsOf(found), check.ids, check.name);
  if (check.total !== undefined) t.is(total, check.total, check.name);
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

const idsOf = (hits: readonly Hit[]): readonly string[] => hits.map(({ id }) => id);

/** Where ties are open, hits of the same sort values as they are expected. */
const inTieOrder = (
  hits: readonly Hit[],
  tiesOpen: boolean | undefined,
  expected: readonly string[],
): readonly Hit[] => {
  if (tiesOpen !== true) return hits;
  const keyOf = ({ cursor }: Hit): string => JSON.stringify(cursor.slice(0, -1));
  const groups = Map.groupBy(hits, keyOf);
  return [...groups.values()].flatMap((tied) =>
    tied.toSorted((left, right) => expected.indexOf(left.id) - expected.indexOf(right.id)),
  );
};
