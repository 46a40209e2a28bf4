import test, { type ExecutionContext } from 'ava';
import { draftRelease } from '../../../../src/capabilities/disclosure/release/make-release.ts';
import { publishRelease } from '../../../../src/capabilities/disclosure/release/publish-release.ts';
import { openReleaseStore } from '../../../../src/capabilities/disclosure/release/release-store.ts';
import { combinations } from '../../../../src/capabilities/disclosure/table/released-table.ts';
import type { PrivateTable } from '../../../../src/capabilities/disclosure/renewal/renewal.ts';
import type { JsonObject } from '../../../../src/lib/json/json.ts';
import { parseSqon } from '../../../../src/sqon/parse.ts';
import { temporaryFolder } from '../../../server/config/temporary-folder.ts';
import { openGallery, openPortal } from '../../../federation/download/galleries.ts';
import { defaultSettings } from '../../../server/http/running-app.ts';
import { cohortDisclosure, cohortFields, cohortProperties, engineOver } from '../cohort.ts';
import { below, seeded, type Random } from '../random-units.ts';
import { serveRelease, throwingEngine } from '../served-release.ts';
import { changeOf, type BlockChange } from './telling-blocks.ts';

/** How many questions are put to each release; `npm run test:long` puts all 1 200 of them. */
const questionCount = Math.min(1_200, Number(process.env['SERIES_CASES'] ?? 36));

const sites = ['C50', 'C34', 'C18'];
const disclosure = {
  ...cohortDisclosure,
  strata: 'study',
  dimensions: [
    { fieldName: 'sex', values: ['female', 'male'] },
    { fieldName: 'age', edges: [40] },
    { fieldName: 'site', values: sites },
    { fieldName: 'weight', edges: [10, 20, 30] },
  ],
};
const fieldNames = disclosure.dimensions.map(({ fieldName }) => fieldName);

const donor = (random: Random, id: string): JsonObject => ({
  donor_id: id,
  study: ['north', 'south'][below(random, 2)]!,
  sex: ['female', 'male'][below(random, 2)]!,
  age: below(random, 80),
  site: sites[below(random, sites.length)]!,
  weight: 5 + 10 * below(random, 2),
});

/** Each slot 300 gain weight, one is corrected, one goes, and some come. */
const slotLater = (documents: readonly JsonObject[], slot: number, random: Random): readonly JsonObject[] => {
  const [corrected, ...others] = documents.slice(1);
  return [
    ...others.map((one, index) =>
      (index + 300 * slot) % others.length < 300 ? { ...one, weight: Number(one['weight']) + 10 } : one,
    ),
    { ...corrected!, site: sites[below(random, sites.length)]! },
    ...Array.from({ length: below(random, 30) }, (_, number) => donor(random, `${slot} ${number}`)),
  ];
};

interface Question {
  readonly filters: object;
  /** The positions of its dimensions. */
  readonly block: readonly number[];
}

const is = (fieldName: string, ...value: readonly string[]) => ({ op: 'in', content: { fieldName, value } });
const compares = (op: string, fieldName: string, value: number) => ({
  op,
  content: { fieldName, value: [value] },
});

/** Conditions on each dimension: its cells, and unions of them. */
const conditions: readonly (readonly object[])[] = [
  [is('sex', 'female'), is('sex', 'male')],
  [compares('lt', 'age', 40), compares('gte', 'age', 40)],
  sites.flatMap((site, at) => [is('site', site), is('site', site, sites[(at + 1) % sites.length]!)]),
  [10, 20, 30].flatMap((edge) => [compares('lt', 'weight', edge), compares('gte', 'weight', edge)]),
];

/** Cells of blocks, unions and complements of them, and all of it over more dimensions than are released together. */
const questionsOf = (random: Random, count: number): readonly Question[] =>
  Array.from({ length: count }, () => {
    const block = [0, 1, 2, 3].filter(() => random() < 0.55);
    const parts = block.map(
      (dimension) => conditions[dimension]![below(random, conditions[dimension]!.length)]!,
    );
    const kind = below(random, 4);
    const content = parts.map((part) => (random() < 0.2 ? { op: 'not', content: [part] } : part));
    if (content.length === 0) return { block, filters: { op: 'and', content } };
    return { block, filters: { op: kind === 0 ? 'or' : 'and', content } };
  });

interface Served {
  readonly table: PrivateTable;
  /** By door, the answer to each question. */
  readonly answers: Readonly<Record<string, readonly string[]>>;
  /** What is refused, word by word. */
  readonly refusals: readonly string[];
}

const bounds = 'total upper_bound exact estimate';
const json = (value: unknown): string => JSON.stringify(value).replaceAll(/"([a-zA-Z]+)":/g, '$1:');

/** What a reader sees of the release of a folder through each door. */
const readThroughDoors = async (
  t: ExecutionContext,
  folder: string,
  table: PrivateTable,
  questions: readonly Question[],
  isNested: boolean,
): Promise<Served> => {
  const settings = {
    ...{ ...defaultSettings, bodyLimitBytes: 1_000_000 },
    network: { ...defaultSettings.network, maxAliases: 100 },
  };
  const { url } = await serveRelease(t, folder, throwingEngine(), {
    disclosure,
    settings,
    accessFilter: ({ headers }) =>
      headers['x-study'] === undefined ? null : parseSqon(is('study', String(headers['x-study']))),
  });
  const send = async (
    path: string,
    body: object,
    headers: Readonly<Record<string, string>> = {},
    base = url,
  ) => {
    const response = await fetch(base + path, {
      method: 'POST',
      // on a busy machine a request may meet the end of an idle connection
      headers: {
        'content-type': 'application/json',
        'x-request-id': 'same',
        connection: 'close',
        ...headers,
      },
      body: JSON.stringify(body),
    });
    return response.text();
  };
  const askAll = async (
    path: string,
    fieldsOf: (question: Question, name: string) => string,
    [open, close]: readonly [string, string] = ['', ''],
    headers: Readonly<Record<string, string>> = {},
    base = url,
  ): Promise<readonly string[]> => {
    const answers: string[] = [];
    for (let from = 0; from < questions.length; from += 12) {
      const part = questions.slice(from, from + 12);
      const fields = part.map((question, at) => fieldsOf(question, `q${at}`));
      const text = await send(path, { query: `{ ${open} ${fields.join(' ')} ${close} }` }, headers, base);
      const { data, errors } = JSON.parse(text) as { data: Record<string, unknown>; errors?: unknown };
      if (errors !== undefined) throw new Error(text.slice(0, 500));
      const found = (open === '' ? data : data['donor']) as Record<string, unknown>;
      answers.push(...part.map((_, at) => JSON.stringify(found[`q${at}`])));
    }
    return answers;
  };
  const hits = ({ filters }: Question, name: string) =>
    `${name}: hits(first: 0, filters: ${json(filters)}) { ${bounds} }`;
  const facets = ({ filters }: Question, name: string) =>
    `${name}: aggregations(filters: ${json(filters)}, aggregations_filter_themselves: true) { site { buckets { key doc_count upper_bound estimate } } }`;
  const network = ({ filters }: Question, name: string) =>
    `${name}: network(filters: ${json(filters)}) { ${bounds} }`;
  const donors = ['donor {', '}'] as const;
  const answers: Record<string, readonly string[]> = {
    catalogue: await askAll('/graphql', hits, donors),
    north: await askAll('/graphql', hits, donors, { 'x-study': 'north' }),
    facets: await askAll('/cohort/graphql', facets, donors),
    network: await askAll('/network/graphql', network),
  };
  if (isNested) {
    const gallery = await openGallery(t, {
      documentType: 'donor',
      properties: cohortProperties,
      documents: [],
    });
    const remote = { nodeId: 'inner', graphqlUrl: `${url}/network/graphql`, documentType: 'donor' };
    const patient = { timeoutMs: 60_000, discoveryTimeoutMs: 120_000 };
    const portal = await openPortal(t, {
      local: gallery,
      settings,
      nodes: { nodes: [{ ...remote, ...patient }] },
    });
    answers['network of networks'] = await askAll('/network/graphql', network, undefined, {}, portal.url);
  }
  const columns = [{ fieldName: 'donor_id', show: true }];
  const params = { files: [{ fileName: 'all', fileType: 'tsv', columns, sqon: null, sort: [] }] };
  const refusals = await Promise.all([
    send('/download', { params }),
    send('/network/download', { params }),
    send('/graphql', {
      query: `{ donor { hits(filters: ${json(is('sex', 'set_id:b7a3'))}) { ${bounds} } } }`,
    }),
    send('/graphql', { query: `{ donor { hits(filters: ${json(is('donor_id', 'D1'))}) { ${bounds} } } }` }),
    send('/graphql', { query: '{ donor { hits(first: 1) { edges { node { id } } } } }' }),
    send('/graphql', { query: 'mutation { saveSet(type: donor, path: "donor_id", sqon: {}) { ids } }' }),
  ]);
  // what a release says of itself stands beside a refusal: its date, and how many changes wait, in steps of the threshold
  const stated = /\d{4}-\d\d-\d\d|,"waits":\d+0(?=\D)/g;
  return { table, answers, refusals: refusals.map((text) => text.replaceAll(stated, '')) };
};

/** What a reader of two releases would learn of few persons: none, if the rule of renewal holds. */
const findings = (before: Served, now: Served, questions: readonly Question[]): readonly string[] => {
  const blocks = [[], ...combinations(before.table.dimensions, before.table.order)];
  const known = new Map<string, BlockChange>();
  const change = (block: readonly number[], stratum: string | null): BlockChange => {
    const name = `${stratum} ${block.join()}`;
    const found = known.get(name) ?? changeOf(before.table, now.table, block, stratum);
    known.set(name, found);
    return found;
  };
  const ofTables = [null, 'north', 'south'].flatMap((stratum) =>
    blocks.flatMap((block) => {
      const { persons, required, isVisible } = change(block, stratum);
      return isVisible && persons < required ? [`${stratum} ${block.join()}: ${persons} persons`] : [];
    }),
  );
  const ofAnswers = Object.entries(now.answers).flatMap(([door, answers]) =>
    answers.flatMap((answer, at) => {
      if (answer === before.answers[door]![at]) return [];
      const { block } = questions[at]!;
      // facets add the site
      const seen = door === 'facets' ? [...new Set([...block, 2])].sort() : block;
      const strata = door === 'north' ? ['north'] : ['north', 'south'];
      const changes = strata.map((stratum) => change(seen, stratum));
      return changes.some(({ persons, required }) => persons >= required)
        ? []
        : [
            `${door} ${JSON.stringify(questions[at]!.filters)}: ${changes.map(({ persons }) => persons).join()}`,
          ];
    }),
  );
  const ofRefusals = now.refusals.filter((text, at) => text !== before.refusals[at]);
  return [...ofTables, ...ofAnswers, ...ofRefusals];
};

const quarter = 90 * 86_400_000;

/** So many slots of a cohort, each of which is read as soon as it is released. */
const series = async (
  t: ExecutionContext,
  slots: number,
  { isNested, byRule }: { readonly isNested: boolean; readonly byRule: boolean },
) => {
  const random = seeded(slots);
  const questions = questionsOf(random, questionCount);
  let documents: readonly JsonObject[] = Array.from({ length: 2_400 }, (_, id) => donor(random, `D${id}`));
  const folder = temporaryFolder(t, {});
  const store = openReleaseStore(folder, 'cohort');
  const read: Served[] = [];
  for (let slot = 0; slot < slots; slot += 1) {
    if (slot > 0) documents = slotLater(documents, slot, random);
    const source = {
      ...{ engine: engineOver(documents), index: 'donors', catalogueId: 'cohort' },
      ...{ fields: cohortFields, disclosure },
    };
    const nowMs = Date.UTC(2026, 10, 1) + slot * quarter;
    if (byRule) {
      const outcome = await publishRelease(source, store, { nowMs });
      if (outcome.kind === 'withheld') continue;
    } else {
      const date = new Date(nowMs).toISOString().slice(0, 10);
      const { release, table } = await draftRelease(source, { earlier: [], former: null, series: 1, date });
      store.publish(release, table, ['donors']);
    }
    const { table } = store.history(['donors']).kept.at(-1)!;
    read.push(await readThroughDoors(t, folder, table, questions, isNested));
  }
  return { read, questions };
};

const pairsOf = <Item>(items: readonly Item[]): readonly (readonly [Item, Item])[] =>
  items.flatMap((later, at) => items.slice(0, at).map((earlier) => [earlier, later] as const));

for (const slots of [2, 5, 20])
  test(`${slots} slots, all pairs of releases through every door: no block tells few persons`, async (t) => {
    const { read, questions } = await series(t, slots, { isNested: slots < 20, byRule: true });
    let differing = 0;
    for (const [before, now] of pairsOf(read)) {
      t.deepEqual(findings(before, now, questions), []);
      for (const [door, answers] of Object.entries(now.answers))
        differing += answers.filter((answer, at) => answer !== before.answers[door]![at]).length;
    }
    t.log(`${read.length} releases, ${questions.length} questions, ${differing} differences of answers`);
    t.true(read.length > slots / 2);
    t.true(differing > 0);
  });

test('that attack identifies single persons in releases that follow no rule', async (t) => {
  const { read, questions } = await series(t, 3, { isNested: false, byRule: false });
  const found = pairsOf(read).flatMap(([before, now]) => findings(before, now, questions));
  t.true(
    found.some((one) => one.startsWith('null ')),
    'in the tables',
  );
  for (const door of ['catalogue', 'north', 'facets', 'network'])
    t.true(
      found.some((one) => one.startsWith(door)),
      door,
    );
  t.is(fieldNames.length, read[0]!.table.dimensions.length);
});
