import test from 'ava';
import { openEmbeddedEngine } from '../../../../src/engines/embedded/embedded-engine.ts';
import type { CursorValue, SortKey } from '../../../../src/engines/engine.ts';
import { temporaryFolder } from '../../../server/config/temporary-folder.ts';
import { sampled } from '../../../fast-check.ts';

// So many documents share a first sort key that they are put in the order of all keys before all of them were seen.

interface Shell {
  readonly id: string;
  readonly family: string;
  readonly place: string;
  readonly width?: number;
}

const shells: readonly Shell[] = Array.from({ length: 60_000 }, (_, at) => ({
  id: `s${at}`,
  family: at % 7 === 0 ? 'Veneridae' : 'Conidae',
  place: `place ${(at * 7_919) % 20_011}`,
  ...(at % 5 !== 0 && { width: (at * 104_729) % 1_009 }),
}));

const keyOf = (path: string, type: string, order: 'asc' | 'desc'): SortKey => ({
  field: { path, type, nestedIn: [] },
  order,
  mode: order === 'asc' ? 'min' : 'max',
  missing: order === 'asc' ? 'last' : 'first',
});

const compareAt = ({ field, order }: SortKey, left: Shell, right: Shell): number => {
  const [a, b] = [left, right].map((shell) => shell[field.path as keyof Shell]) as (
    | string
    | number
    | undefined
  )[];
  if (a === b) return 0;
  const ascending = a === undefined ? 1 : b === undefined ? -1 : a < b ? -1 : 1;
  return order === 'asc' ? ascending : -ascending;
};

const inOrder = (sort: readonly SortKey[]): readonly string[] =>
  [...shells.keys()]
    .sort((left, right) => {
      for (const key of sort) {
        const difference = compareAt(key, shells[left]!, shells[right]!);
        if (difference !== 0) return difference;
      }
      return left - right;
    })
    .map((at) => shells[at]!.id);

const family = keyOf('family', 'keyword', 'asc');
const sorts: Readonly<Record<string, readonly SortKey[]>> = {
  'two keywords': [family, keyOf('place', 'keyword', 'desc')],
  'a keyword and a number, some without it': [family, keyOf('width', 'long', 'desc')],
  'three keys': [
    keyOf('family', 'keyword', 'desc'),
    keyOf('width', 'long', 'asc'),
    keyOf('place', 'keyword', 'asc'),
  ],
};

test('pages of documents that mostly share their first sort key are in the order of all keys', async (t) => {
  const engine = openEmbeddedEngine(temporaryFolder(t, {}));
  t.teardown(() => engine.close());
  const properties = {
    family: { type: 'keyword' },
    place: { type: 'keyword' },
    width: { type: 'long' },
  };
  await engine.manage({ kind: 'create', index: 'shells', mapping: { properties } });
  await engine.write(
    'shells',
    shells.map(({ id, ...document }) => ({ kind: 'upsert', id, document })),
  );
  for (const [name, sort] of sampled(Object.entries(sorts))) {
    const expected = inOrder(sort);
    const page = async (size: number, offset: number, searchAfter: readonly CursorValue[] | null = null) => {
      const hits = {
        filter: { kind: 'all' } as const,
        sort,
        size,
        offset,
        searchAfter,
        source: [],
        trackTotal: false,
      };
      return (await engine.search('shells', { hits, facets: [] })).hits!.hits;
    };
    for (const [size, offset] of [
      [0, 0],
      [1, 0],
      [50, 0],
      [50, 9_950],
      [9_000, 12_000],
    ] as const) {
      const ids = (await page(size, offset)).map(({ id }) => id);
      t.is(ids.join(), expected.slice(offset, offset + size).join(), `${name}: ${size} from ${offset}`);
    }
    const found: string[] = [];
    let after: readonly CursorValue[] | null = null;
    do {
      const next = await page(7_000, 0, after);
      found.push(...next.map(({ id }) => id));
      after = next.length === 7_000 ? next.at(-1)!.cursor : null;
    } while (after !== null);
    // a comparison of their texts: the assertion's own takes seconds for lists this long
    t.is(found.join(), expected.join(), `${name}: one page after the other`);
    const [first] = await page(1, 0);
    const isEqual = (id: string): boolean =>
      sort.every(
        (key) => compareAt(key, shells[Number(id.slice(1))]!, shells[Number(first!.id.slice(1))]!) === 0,
      );
    const behind = (await page(3, 0, first!.cursor.slice(0, sort.length))).map(({ id }) => id);
    t.deepEqual(behind, expected.filter((id) => !isEqual(id)).slice(0, 3), `${name}: without a tie-break`);
  }
});

test('an average that shows as the greatest long ties with it', async (t) => {
  const engine = openEmbeddedEngine(temporaryFolder(t, {}));
  t.teardown(() => engine.close());
  const properties = {
    marks: { type: 'nested', properties: { n: { type: 'long' } } },
    list: { type: 'integer' },
  };
  await engine.manage({ kind: 'create', index: 'longs', mapping: { properties } });
  const most = '9223372036854775807';
  const documents = [
    { marks: [{ n: most }, { n: most }], list: [1, 3] },
    { marks: [{ n: most }], list: 2 },
    { marks: [{ n: most }, { n: most }], list: 1 },
  ];
  await engine.write(
    'longs',
    documents.map((document, at) => ({ kind: 'upsert', id: `l${at}`, document }) as const),
  );
  const sort: readonly SortKey[] = [
    {
      ...keyOf('marks.n', 'long', 'asc'),
      field: { path: 'marks.n', type: 'long', nestedIn: ['marks'] },
      mode: 'avg',
    },
    { ...keyOf('list', 'integer', 'asc'), mode: 'max' },
  ];
  const page = async (searchAfter: readonly CursorValue[] | null, size: number) => {
    const hits = {
      sort,
      filter: { kind: 'all' },
      searchAfter,
      offset: 0,
      size,
      source: [],
      trackTotal: false,
    } as const;
    return (await engine.search('longs', { hits, facets: [] })).hits!.hits;
  };
  const all = await page(null, 9);
  t.deepEqual(
    all.map(({ id, cursor }) => [id, ...cursor.slice(0, 2)]),
    [
      ['l2', most, 1],
      ['l1', most, 2],
      ['l0', most, 3],
    ],
  );
  t.deepEqual(
    (await page(all[0]!.cursor, 9)).map(({ id }) => id),
    ['l1', 'l0'],
  );
});
