import test from 'ava';
import type { FacetResult } from '../../../../src/engines/measure.ts';
import { openEmbeddedEngine } from '../../../../src/engines/embedded/embedded-engine.ts';
import { temporaryFolder } from '../../../server/config/temporary-folder.ts';

const size = { path: 'size', type: 'long', nestedIn: [] };

for (const [greatest, expected] of [
  [65_534, 65_535],
  [65_535, 65_536],
  [65_536, 'histogram of size has more than 65536 buckets, its interval must be at least 2'],
] as const)
  test(`of values from 0 to ${greatest} a histogram is ${expected}`, async (t) => {
    const engine = openEmbeddedEngine(temporaryFolder(t, {}));
    t.teardown(() => engine.close());
    await engine.manage({
      kind: 'create',
      index: 'stones',
      mapping: { properties: { size: { type: 'long' } } },
    });
    await engine.write(
      'stones',
      [0, greatest].map((value) => ({ kind: 'upsert', id: `s${value}`, document: { size: value } }) as const),
    );
    const search = () =>
      engine.search('stones', {
        facets: [
          { field: size, filter: { kind: 'all' }, objects: {}, measure: { kind: 'histogram', interval: 1 } },
        ],
      });
    if (typeof expected === 'string') {
      await t.throwsAsync(search(), { code: 'BAD_USER_INPUT', message: expected });
      return;
    }
    const [facet] = (await search()).facets as readonly [FacetResult];
    t.is(facet.kind === 'histogram' && facet.buckets.length, expected);
  });

test('groups of numbers count the documents that have any of their values, each once', async (t) => {
  const engine = openEmbeddedEngine(temporaryFolder(t, {}));
  t.teardown(() => engine.close());
  await engine.manage({
    kind: 'create',
    index: 'stones',
    mapping: { properties: { size: { type: 'long' } } },
  });
  await engine.write(
    'stones',
    [[1, 2], [2], [3], []].map(
      (sizes, at) => ({ kind: 'upsert', id: `s${at}`, document: { size: sizes } }) as const,
    ),
  );
  const measure = {
    kind: 'groups',
    values: [1, 2, 3, 4],
    sets: [
      { key: 'small', members: [0, 1] },
      { key: 'large', members: [2] },
      { key: 'absent', members: [3] },
    ],
  } as const;
  const { facets } = await engine.search('stones', {
    facets: [{ field: size, filter: { kind: 'all' }, objects: {}, measure }],
  });
  const [facet] = facets as readonly [FacetResult];
  t.deepEqual(facet.kind === 'groups' && facet.buckets, [
    { key: 'small', count: 2 },
    { key: 'large', count: 1 },
    { key: 'absent', count: 0 },
  ]);
});

for (const greatest of [9, '9007199254740993'])
  test(`a range has its lower end and not its upper one, with values up to ${greatest}`, async (t) => {
    const engine = openEmbeddedEngine(temporaryFolder(t, {}));
    t.teardown(() => engine.close());
    const properties = { size: { type: 'long' } };
    await engine.manage({ kind: 'create', index: 'stones', mapping: { properties } });
    await engine.write(
      'stones',
      [[1], [1, 1, 2], [2], [greatest]].map(
        (sizes, at) => ({ kind: 'upsert', id: `s${at}`, document: { size: sizes } }) as const,
      ),
    );
    const ranges = [{ from: 1, to: 2 }, { from: 2 }, { to: greatest }].map((one, at) => ({
      key: `${at}`,
      ...one,
    }));
    const measure = { kind: 'range', ranges } as const;
    const query = { facets: [{ field: size, filter: { kind: 'all' }, objects: {}, measure }] } as const;
    const { buckets } = (await engine.search('stones', query)).facets[0] as FacetResult<'range'>;
    t.deepEqual(
      buckets.map(({ count }) => count),
      [2, 3, 3],
    );
  });

for (const sets of [3, 300, 600])
  test(`groups of lists of values count each document once, in ${sets} sets that overlap`, async (t) => {
    const engine = openEmbeddedEngine(temporaryFolder(t, {}));
    t.teardown(() => engine.close());
    const properties = { code: { type: 'keyword' } };
    await engine.manage({ kind: 'create', index: 'stones', mapping: { properties } });
    const codes = Array.from({ length: 700 }, (_, at) =>
      [0, 1, 2, 3, 4].slice(0, at % 6).map((step) => (at * 7 + step * step) % 640),
    );
    await engine.write(
      'stones',
      codes.map(
        (list, at) =>
          ({ kind: 'upsert', id: `s${at}`, document: { code: list.map((code) => `c${code}`) } }) as const,
      ),
    );
    const members = Array.from({ length: sets }, (_, set) => [set, (set + 1) % 640, (set * 3) % 640]);
    const { facets } = await engine.search('stones', {
      facets: [
        {
          field: { path: 'code', type: 'keyword', nestedIn: [] },
          filter: { kind: 'all' },
          objects: {},
          measure: {
            kind: 'groups',
            values: Array.from({ length: 640 }, (_, code) => `c${code}`),
            sets: members.map((list, set) => ({ key: `k${set}`, members: list })),
          },
        },
      ],
    });
    const [facet] = facets as readonly [FacetResult];
    t.deepEqual(
      facet.kind === 'groups' && facet.buckets,
      members.map((list, set) => ({
        key: `k${set}`,
        count: codes.filter((own) => own.some((code) => list.includes(code))).length,
      })),
    );
  });

test('groups of nested values count each document once, wherever its objects are kept', async (t) => {
  const engine = openEmbeddedEngine(temporaryFolder(t, {}));
  t.teardown(() => engine.close());
  const properties = {
    parts: { type: 'nested', properties: { code: { type: 'keyword' }, even: { type: 'boolean' } } },
  };
  await engine.manage({ kind: 'create', index: 'stones', mapping: { properties } });
  // documents of three objects, one of which lies across the border of two chunks of 65 536
  const codes = Array.from({ length: 22_000 }, (_, at) => [at % 7, at % 5, at % 3]);
  await engine.write(
    'stones',
    codes.map(
      (list, at) =>
        ({
          kind: 'upsert',
          id: `s${at}`,
          document: { parts: list.map((code, part) => ({ code: `c${code}`, even: part % 2 === 0 })) },
        }) as const,
    ),
  );
  const members = [[0, 1], [2], [0, 1, 2, 3, 4, 5, 6], [5, 6], []];
  const field = { path: 'parts.code', type: 'keyword', nestedIn: ['parts'] };
  const even = {
    kind: 'terms',
    field: { path: 'parts.even', type: 'boolean', nestedIn: ['parts'] },
    values: [true],
  } as const;
  const measure = {
    kind: 'groups',
    values: Array.from({ length: 7 }, (_, code) => `c${code}`),
    sets: members.map((list, set) => ({ key: `k${set}`, members: list })),
  } as const;
  const { facets } = await engine.search('stones', {
    facets: [{ parts: { kind: 'all' } as const }, { parts: even }].map(
      (objects) => ({ field, filter: { kind: 'all' }, objects, measure }) as const,
    ),
  });
  for (const [index, isCounted] of [() => true, (part: number) => part % 2 === 0].entries()) {
    const facet = facets[index];
    t.deepEqual(
      facet?.kind === 'groups' && facet.buckets.map(({ count }) => count),
      members.map(
        (list) =>
          codes.filter((own) => own.some((code, part) => isCounted(part) && list.includes(code))).length,
      ),
    );
  }
});
