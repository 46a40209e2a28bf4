import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { openEngine } from '../../../src/engines/open/open-engine.ts';
import { seeded, type Random } from '../../engines/random-documents.ts';
import { runs } from '../../fast-check.ts';
import { openGallery, openPortal, serveGallery } from '../download/galleries.ts';
import {
  fieldTypes,
  holds,
  printedOf,
  shownNumber,
  sortedBy,
  type Condition,
  type Record,
} from './typed-oracle.ts';
import { randomCondition, randomRecords, storedRecord, type Shape } from './typed-records.ts';

// values with stars and markers, digits, dates of several formats, addresses, versions and keys of flattened fields: a
// catalogue and a network over HTTP answer as the records say, by rules written down anew

/** Questions in all, TYPED_CASES=20000 for the full measure, and the first seed to repeat a failure with. */
const cases = Number(process.env['TYPED_CASES'] ?? runs(60));
const firstSeed = Number(process.env['FUZZ_SEED'] ?? 1);
const questionsEach = 200;

const shapes: readonly Shape[] = [
  { nodeId: 'near', dayFormat: undefined, x: 'long', lacks: [] },
  { nodeId: 'far', dayFormat: 'epoch_second', x: 'double', lacks: ['v'] },
  { nodeId: 'old', dayFormat: 'yyyy/MM/dd HH:mm:ss||epoch_millis', x: 'double', lacks: ['tags', 'ip'] },
];

const dataPath = await mkdtemp(join(tmpdir(), 'tributary-'));
const engine = await openEngine({ kind: 'embedded', dataPath });

test.after.always(async () => {
  await engine.close();
  await rm(dataPath, { recursive: true });
});

const propertiesOf = ({ dayFormat, x, lacks }: Shape) => ({
  id: { type: 'keyword' },
  code: { type: 'keyword' },
  n: { type: 'long' },
  x: { type: x },
  u: { type: 'unsigned_long' },
  day: { type: 'date', ...(dayFormat && { format: dayFormat }) },
  ...(!lacks.includes('ip') && { ip: { type: 'ip' } }),
  ...(!lacks.includes('v') && { v: { type: 'version' } }),
  ...(!lacks.includes('tags') && { tags: { type: 'flattened' } }),
});

const open = async (t: Parameters<typeof openGallery>[0], seed: number, random: Random) => {
  const records = shapes.flatMap((shape) => randomRecords(random, shape, 12));
  const lists = ['code', 'n', 'x', 'u', 'day', 'ip', 'v'];
  const extended = [
    ...lists.map((fieldName) => ({ fieldName, isArray: true })),
    { fieldName: 'tags.color', isArray: true },
  ];
  const galleries = await Promise.all(
    shapes.map((shape) =>
      openGallery(t, {
        documentType: `${shape.nodeId}_${seed}`,
        engine,
        properties: propertiesOf(shape),
        config: { extended },
        documents: records
          .filter(({ node }) => node === shape.nodeId)
          .map((record) => storedRecord(record, shape)),
      }),
    ),
  );
  const remote = await Promise.all(
    galleries.slice(1).map(async (gallery) => ({
      graphqlUrl: `${await serveGallery(t, gallery)}/graphql`,
      documentType: gallery.documentType,
    })),
  );
  const portal = await openPortal(t, {
    local: galleries[0]!,
    nodes: {
      defaults: { timeoutMs: 60_000, discoveryTimeoutMs: 60_000 },
      nodes: [
        { nodeId: 'near', catalogue: galleries[0]!.documentType },
        { nodeId: 'far', ...remote[0] },
        { nodeId: 'old', ...remote[1] },
      ],
    },
  });
  const runQuery = async (path: string, query: string, filters: unknown) => {
    const body = JSON.stringify({ query, variables: { filters } });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(portal.url + path, { method: 'POST', headers, body });
    const { data, errors } = (await response.json()) as { data: unknown; errors?: unknown };
    assert.equal(errors, undefined, JSON.stringify(errors));
    return Object.values(data as object)[0] as Answer;
  };
  return { records, runQuery, download: portal.download, catalogue: galleries[0]!.documentType };
};

interface Answer {
  readonly hits: {
    readonly total: number;
    readonly edges: readonly { readonly node: { readonly [field: string]: unknown } }[];
  };
  readonly aggregations: {
    readonly [field: string]: {
      readonly buckets: readonly { readonly key: string; readonly doc_count: number }[];
      readonly stats: unknown;
    };
  };
}

type Opened = Awaited<ReturnType<typeof open>>;

const requested = ['code', 'n', 'x', 'u', 'day', 'ip', 'v'] as const;

/** A place that is queried, and which records it has. */
interface Place {
  readonly path: string;
  readonly root: string;
  readonly records: readonly Record[];
  /** Fields that no record of the place can have are refused there or unknown. */
  readonly isNetwork: boolean;
}

const placesOf = ({ records, catalogue }: Opened): readonly Place[] => [
  { path: '/network/graphql', root: 'network', records, isNetwork: true },
  {
    path: '/graphql',
    root: catalogue,
    records: records.filter(({ node }) => node === 'near'),
    isNetwork: false,
  },
];

const compareOne = async (opened: Opened, random: Random): Promise<void> => {
  const { path, root, records, isNetwork } = random.pick(placesOf(opened));
  const condition = random.chance(0.05) ? null : randomCondition(random, 2);
  const found = records.filter((record) => condition === null || holds(condition, record, shapes));
  const field = random.pick(requested);
  const order = random.pick(['asc', 'desc'] as const);
  const numbers = ['n', 'x', 'u'] as const;
  const facets = ['code', 'ip', 'v', 'tags', 'tags__color'];
  const args = isNetwork ? '(filters: $filters, aggregations_filter_themselves: true)' : '';
  const own = isNetwork ? '' : '(filters: $filters, aggregations_filter_themselves: true)';
  const query = `query ($filters: JSON) { ${root}${args} {
    hits(${isNetwork ? '' : 'filters: $filters, '}first: 100, sort: [{ fieldName: "${field}", order: ${order} }, { fieldName: "id" }]) { total edges { node { id ${requested.join(' ')} } } }
    aggregations${own} { ${facets.map((name) => `${name} { buckets { key doc_count } }`).join(' ')} ${numbers.map((name) => `${name} { stats { count min max } }`).join(' ')} } } }`;

  const answer = await opened.runQuery(path, query, condition);
  const expected = sortedBy(found, field, order);
  assert.equal(answer.hits.total, found.length, 'total');
  assert.deepEqual(
    answer.hits.edges.map(({ node }) => ({ ...node, day: instantsOf(node['day']) })),
    expected.map((record) => ({ id: record.id, ...printedOf(record, requested) })),
    'hits',
  );
  for (const name of facets) {
    const counted = new Map<string, number>();
    const key = name.replace('__', '.');
    for (const record of found)
      for (const value of new Set(fieldTypes.keysOf(record, key)))
        counted.set(value, (counted.get(value) ?? 0) + 1);
    const buckets = answer.aggregations[name]!.buckets.filter(({ key: one }) => one !== '__missing__');
    assert.deepEqual(
      new Map(buckets.map(({ key: one, doc_count: count }) => [one, count])),
      new Map([...counted].filter(([one]) => one !== '__missing__')),
      `facet ${name}`,
    );
  }
  for (const name of numbers) {
    const held = found.flatMap((record): readonly (bigint | number)[] => record[name]);
    const ends = held.toSorted((left, right) => (left < right ? -1 : Number(left > right)));
    const [min, max] = [ends[0], ends.at(-1)].map((end) => (end === undefined ? null : shownNumber(end)));
    assert.deepEqual(answer.aggregations[name]!.stats, { count: held.length, min, max }, `stats of ${name}`);
  }
  if (random.chance(0.2)) await compareFile(opened, condition, found, isNetwork);
};

/** Dates as shown, which must be ISO 8601 however they were stored, in milliseconds. */
const instantsOf = (shown: unknown): readonly number[] | null => {
  if (shown === null) return null;
  return (shown as readonly string[]).map((text) => {
    assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/);
    return Date.parse(text);
  });
};

const written = ['n', 'x', 'u', 'code', 'ip'];

const compareFile = async (
  { download }: Opened,
  condition: Condition | null,
  found: readonly Record[],
  isNetwork: boolean,
): Promise<void> => {
  const columns = ['id', ...written, 'tags.color'].map((fieldName) => ({ fieldName }));
  const file = { fileName: 'x', fileType: 'json', sqon: condition, columns, sort: [{ fieldName: 'id' }] };
  const text = await (
    await download({ files: [file] }, isNetwork ? '/network/download' : '/download')
  ).text();
  const rows = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { [field: string]: unknown });
  assert.deepEqual(
    rows.map((row) =>
      Object.fromEntries(['id', ...written, 'tags.color'].map((field) => [field, row[field] ?? null])),
    ),
    sortedBy(found, 'id', 'asc').map((record) => ({
      id: record.id,
      ...printedOf(record, [...written, 'tags.color']),
    })),
    'rows of a file',
  );
};

test('a random network of rare types answers as its records say', async (t) => {
  t.timeout(120_000 + cases * 200);
  for (let done = 0, seed = firstSeed; done < cases; done += questionsEach, seed += 1) {
    const random = seeded(seed);
    const opened = await open(t, seed, random);
    for (let question = 0; question < Math.min(questionsEach, cases); question += 1)
      await compareOne(opened, random).catch((error: unknown) => {
        throw new Error(`FUZZ_SEED=${seed}, question ${question}: ${(error as Error).message}`, {
          cause: error,
        });
      });
  }
  t.pass();
});
