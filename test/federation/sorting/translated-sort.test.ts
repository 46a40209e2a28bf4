import type { ExecutionContext } from 'ava';
import test from 'ava';
import { graphql } from 'graphql';
import type { JsonObject, JsonValue } from '../../../src/json/json.ts';
import type { Random } from '../../engines/random-documents.ts';
import { seeded } from '../../engines/random-documents.ts';
import { runs } from '../../fast-check.ts';
import { openGallery, openPortal, serveGallery, type Portal } from '../download/galleries.ts';
import { serveEstablishedServer } from '../established/established-server.ts';
import { contextOf } from '../node-fixtures.ts';

// nodes that code their values differently are sorted as their records are shown

type Values = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface Clinic {
  readonly nodeId: string;
  /** The types of its fields, and how many values a record may have of each. */
  readonly properties: Readonly<Record<string, { readonly type: string }>>;
  readonly most: number;
  /** What its records hold, by field. */
  readonly codes: Readonly<Record<string, readonly JsonValue[]>>;
  readonly values: Values;
}

const text = { type: 'keyword' };
const numbers = { type: 'integer' };
const sites = Array.from({ length: 60 }, (_, at) => `site ${(at * 37) % 60}`);

const near: Clinic = {
  nodeId: 'near',
  properties: { id: text, sex: text, site: text, smokes: text, age: numbers },
  most: 3,
  codes: {
    sex: ['F', 'f', 'M', 'Other', 'A*', 'Female'],
    site: ['Ä', 'B', 'set_id:x'],
    smokes: ['yes', 'no'],
  },
  values: { sex: { F: 'Female', f: 'Female', M: 'Male', Other: 'Aught' }, site: { B: 'Zoo', Ä: 'A' } },
};
const far: Clinic = {
  nodeId: 'far',
  properties: { id: text, sex: numbers, site: text, smokes: { type: 'boolean' }, age: { type: 'long' } },
  most: 1,
  codes: { sex: [0, 1, 2, 9, 10, -1], site: ['A', 'Zoo', 'b'], smokes: [true, false] },
  values: { sex: { 1: 'Male', 2: 'Female' }, smokes: { true: 'yes', false: 'no' }, site: { b: 'B' } },
};
const wide: Clinic = {
  nodeId: 'wide',
  properties: near.properties,
  most: 1,
  codes: { sex: ['W', 'X', 'Male'], site: sites, smokes: ['y', 'n', 'yes'] },
  values: {
    sex: { W: 'Female', X: 'Male' },
    site: { 'site 3': 'zone', 'site 40': 'A', 'site 41': 'zone' },
    smokes: { y: 'yes', n: 'no' },
  },
};
const old: Clinic = { ...wide, nodeId: 'old', codes: { ...wide.codes, site: ['site 3', 'site 40', 'Zoo'] } };
const clinics = [near, far, wide, old];

interface Person {
  readonly nodeId: string;
  readonly stored: JsonObject;
  /** The sort values as the network's values, each a list. */
  readonly shown: Readonly<Record<string, readonly JsonValue[]>>;
}

const people = (random: Random, { nodeId, codes, values, most }: Clinic, count: number): readonly Person[] =>
  Array.from({ length: count }, (_, at) => {
    const id = `${nodeId}-${String((at * 7) % 100).padStart(2, '0')}`;
    const held = Object.entries({ ...codes, age: [30, 31, 32, 65] }).flatMap(([field, all]) => {
      const several = random.chance(0.15) ? 0 : random.chance(0.3) ? most : 1;
      return several === 0 ? [] : [[field, Array.from({ length: several }, () => random.pick(all))] as const];
    });
    const shown = held.map(([field, own]) => [field, own.map((one) => shownAs(one, values[field]))] as const);
    const stored = held.map(([field, own]) => [field, own.length === 1 ? own[0]! : own] as const);
    return {
      nodeId,
      stored: { id, ...Object.fromEntries(stored) },
      shown: { id: [id], ...Object.fromEntries(shown) },
    };
  });

const shownAs = (value: JsonValue, listed: Values[string] | undefined): JsonValue =>
  listed === undefined ? value : (listed[String(value)] ?? String(value));

interface Key {
  readonly fieldName: string;
  readonly order: 'asc' | 'desc';
  readonly missing?: 'first' | 'last';
  readonly mode?: 'min' | 'max';
}

const compare = (a: JsonValue, b: JsonValue): number =>
  typeof a === 'number' && typeof b === 'number'
    ? a - b
    : Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));

/** The value that a record is sorted by. */
const valueOf = ({ shown }: Person, { fieldName, order, mode = order === 'asc' ? 'min' : 'max' }: Key) => {
  const [first, ...others] = (shown[fieldName] ?? []).toSorted(compare);
  return mode === 'min' ? first : (others.at(-1) ?? first);
};

const comparePeople = (a: Person, b: Person, sort: readonly Key[]): number => {
  for (const key of sort) {
    const { order, missing = order === 'asc' ? 'first' : 'last' } = key;
    const [one, other] = [valueOf(a, key), valueOf(b, key)];
    if (one === undefined || other === undefined) {
      if (one !== other) return (one === undefined) === (missing === 'first') ? -1 : 1;
      continue;
    }
    const compared = compare(one, other);
    if (compared !== 0) return order === 'asc' ? compared : -compared;
  }
  return compare(a.nodeId, b.nodeId);
};

const inOrder = (all: readonly Person[], sort: readonly Key[]): readonly JsonValue[] =>
  all.toSorted((a, b) => comparePeople(a, b, sort)).map(({ shown }) => shown['id']![0]!);

const randomSort = (random: Random): readonly Key[] => [
  ...Array.from({ length: 1 + random.below(3) }, () => ({
    fieldName: random.pick(['sex', 'sex', 'site', 'smokes', 'age']),
    order: random.pick(['asc', 'desc'] as const),
    ...(random.chance(0.5) && { missing: random.pick(['first', 'last'] as const) }),
    ...(random.chance(0.3) && { mode: random.pick(['min', 'max'] as const) }),
  })),
  // ties within a node stand in its own order, which no record reveals
  { fieldName: 'id', order: random.pick(['asc', 'desc'] as const) },
];

const openClinics = async (t: ExecutionContext, seed: number, count: number) => {
  const random = seeded(seed);
  const all = clinics.map((clinic) => ({ clinic, people: people(random, clinic, count) }));
  const nodes: object[] = [];
  const asGallery = ({ clinic, people: own }: (typeof all)[number]) =>
    openGallery(t, {
      documentType: clinic.nodeId,
      properties: clinic.properties,
      documents: own.map(({ stored }) => stored),
    });
  for (const one of all.slice(1)) {
    const { nodeId, properties, values } = one.clinic;
    const remote = { nodeId, documentType: nodeId, values };
    if (nodeId !== 'old')
      nodes.push({ ...remote, graphqlUrl: `${await serveGallery(t, await asGallery(one))}/graphql` });
    else {
      const documents = Object.fromEntries(one.people.map(({ stored }) => [String(stored['id']), stored]));
      const server = await serveEstablishedServer({ documentType: nodeId, properties, documents });
      t.teardown(server.close);
      nodes.push({ ...remote, graphqlUrl: server.url });
    }
  }
  const { nodeId, values } = near;
  const portal = await openPortal(t, {
    local: await asGallery(all[0]!),
    nodes: {
      defaults: { timeoutMs: 60_000, discoveryTimeoutMs: 60_000 },
      nodes: [{ nodeId, catalogue: nodeId, values }, ...nodes],
    },
    pageRows: 14,
  });
  return { random, portal, people: all.flatMap((one) => one.people) };
};

const page = `query ($first: Int, $offset: Int, $sort: [Sort], $after: JSON, $filters: JSON) { network(filters: $filters) {
  nodes { nodeId state errors }
  hits(first: $first, offset: $offset, sort: $sort, searchAfter: $after) { total edges { searchAfter node { id } } } } }`;

interface Page {
  readonly nodes: readonly { readonly state: string; readonly errors: string }[];
  readonly hits: {
    readonly total: number;
    readonly edges: readonly { searchAfter: string; node: { id: string } }[];
  };
}

const send = async (
  t: ExecutionContext,
  { network }: Portal,
  variableValues: Record<string, unknown>,
): Promise<Page> => {
  const result = await graphql({
    schema: network.ownSchema(),
    source: page,
    variableValues,
    contextValue: contextOf(),
  });
  t.is(result.errors?.[0]?.message, undefined);
  const answer = (result.data as unknown as { network: Page }).network;
  t.deepEqual(
    answer.nodes.filter(({ state }) => state !== 'ok').map(({ errors }) => errors),
    [],
  );
  return answer;
};

const walked = async (
  t: ExecutionContext,
  portal: Portal,
  variables: Record<string, unknown>,
  rows: number,
) => {
  const ids: string[] = [];
  for (let after: string | null = null; ids.length < rows;) {
    const { hits } = await send(t, portal, { ...variables, after });
    ids.push(...hits.edges.map(({ node }) => node.id));
    if (hits.edges.length === 0) break;
    after = hits.edges.at(-1)!.searchAfter;
  }
  return ids;
};

for (const seed of [1, 2])
  test(`pages, offsets and files stand in the network's order, whatever codes the nodes use (${seed})`, async (t) => {
    t.timeout(300_000);
    const { random, portal, people: all } = await openClinics(t, seed, 25);
    for (let round = 0; round < runs(4); round += 1) {
      const sort = randomSort(random);
      const wanted = inOrder(all, sort);
      const label = JSON.stringify(sort);
      const first = 3 + random.below(30);
      t.deepEqual(await walked(t, portal, { first, sort }, all.length), wanted, label);
      const offset = random.below(60);
      const { hits } = await send(t, portal, { first, offset, sort });
      t.is(hits.total, all.length);
      t.deepEqual(
        hits.edges.map(({ node }) => node.id),
        wanted.slice(offset, offset + first) as string[],
        `${label} from ${offset}`,
      );
      const response = await portal.download({ files: [{ columns: [{ fieldName: 'id' }], sort }] });
      const lines = (await response.text()).trim().split('\n').slice(1);
      t.deepEqual(lines, wanted, label);
      t.true((await portal.manifest(response.headers.get('tributary-manifest'))).complete, label);
    }
  });

test('a filter on the sorted field holds in every group', async (t) => {
  const { portal, people: all } = await openClinics(t, 4, 25);
  const filters = { op: 'in', content: { fieldName: 'sex', value: ['Female', 'Aught', '9'] } };
  const found = all.filter(({ shown }) =>
    shown['sex']?.some((one) => ['Female', 'Aught', '9'].includes(String(one))),
  );
  const sort: readonly Key[] = [
    { fieldName: 'sex', order: 'desc' },
    { fieldName: 'id', order: 'asc' },
  ];
  t.deepEqual(await walked(t, portal, { first: 7, sort, filters }, all.length), inOrder(found, sort));
});
