import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import type { Engine } from '../../src/engines/engine.ts';
import { openEngine } from '../../src/engines/open/open-engine.ts';
import { TributaryError } from '../../src/errors/errors.ts';
import type { JsonObject } from '../../src/json/json.ts';
import { all } from '../../src/sqon/filter.ts';

export const documents = 1_000;
export const mapping = {
  dynamic: false,
  properties: { n: { type: 'long' }, crew: { type: 'nested', properties: { name: { type: 'keyword' } } } },
};

const documentOf = (n: number): JsonObject => ({ n, kept: `${n}`, crew: [{ name: `c${n % 7}` }, {}] });
export const idOf = (n: number): string => `d${String(n).padStart(5, '0')}`;
export const upsert = (n: number, id = idOf(n)) => ({ kind: 'upsert' as const, id, document: documentOf(n) });

export interface Ends {
  readonly source: Engine;
  readonly target: Engine;
  readonly folder: string;
}

/** A source with the index `ships_1`, also called `ships` and `fleet`, and an empty target. */
export const ends = async (t: ExecutionContext): Promise<Ends> => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-copy-'));
  const [source, target] = await Promise.all(
    ['from', 'to'].map((end) => openEngine({ kind: 'embedded', dataPath: join(folder, end) })),
  );
  t.teardown(async () => {
    await Promise.all([source!.close(), target!.close()]);
    rmSync(folder, { recursive: true });
  });
  await source!.manage({ kind: 'create', index: 'ships_1', mapping });
  await source!.write(
    'ships_1',
    Array.from({ length: documents }, (_, n) => upsert(n)),
  );
  for (const alias of ['ships', 'fleet'])
    await source!.manage({ kind: 'alias', alias, indices: ['ships_1'] });
  return { source: source!, target: target!, folder };
};

/** An engine that calls `before` with the number of each write, from 1 on, and the index that is written to. */
export const watched = (
  engine: Engine,
  before: (write: number, index: string) => Promise<unknown> | undefined,
): Engine => {
  let writes = 0;
  return {
    ...engine,
    write: async (index, operations) => {
      await before((writes += 1), index);
      return engine.write(index, operations);
    },
  };
};

export const cutAt = (last: number) => (write: number) => {
  if (write >= last) throw new TributaryError('ENGINE_ERROR', 'the power is gone');
  return undefined;
};

export const contents = async (engine: Engine, name: string): Promise<ReadonlyMap<string, JsonObject>> => {
  const { hits } = await engine.search(name, {
    hits: {
      filter: all,
      size: 10_000,
      offset: 0,
      sort: [],
      searchAfter: null,
      source: null,
      trackTotal: true,
    },
    facets: [],
  });
  return new Map(hits!.hits.map(({ id, source }) => [id, source]));
};
