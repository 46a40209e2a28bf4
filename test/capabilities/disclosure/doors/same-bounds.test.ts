import test from 'ava';
import { isJsonObject, type JsonObject } from '../../../../src/lib/json/json.ts';
import { engineOver } from '../cohort.ts';
import { below, seeded, type Random } from '../random-units.ts';
import { folderWithRelease, nodeKinds, serveRelease } from '../served-release.ts';
import { documents, graphql, mcp, send, type Door } from './doors.ts';

/** `npm run test:all -- disclosure` sends 800, as the attack on bounds does. */
const questions = Math.min(800, Number(process.env['DISCLOSURE_CASES'] ?? 60));

const values: Readonly<Record<string, readonly string[]>> = {
  sex: ['female', 'male'],
  site: ['C50.1'],
  genes: ['TP53', 'KRAS', 'EGFR'],
  'samples.kind': ['blood', 'tissue'],
};

interface Condition {
  readonly field: string;
  readonly value: string;
  readonly negate: boolean;
}

const condition = (random: Random): Condition => {
  const field = Object.keys(values)[below(random, 4)]!;
  const known = values[field]!;
  return { field, value: known[below(random, known.length)]!, negate: random() < 0.5 };
};

const sqonOf = ({ field, value, negate }: Condition): JsonObject => {
  const leaf = { op: 'in', content: { fieldName: field, value: [value] } };
  return negate ? { op: 'not', content: [leaf] } : leaf;
};

type Interval = readonly [lower: unknown, upper: unknown];
const object = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** A question that all of the conditions hold, at each door of a catalogue or a network, and how its bounds are read. */
const doorsTo = (
  conditions: readonly Condition[],
  isNetwork: boolean,
): readonly { readonly door: Door; readonly read: (body: JsonObject) => Interval }[] => {
  const base = isNetwork ? '/network' : '/cohort';
  const sqon: JsonObject = { op: 'and', content: conditions.map(sqonOf) };
  const requested = isNetwork
    ? 'network(filters: $filters) { total upper_bound }'
    : 'donor { hits(filters: $filters) { total upper_bound } }';
  const query = `query($filters: JSON) { ${requested} }`;
  return [
    {
      door: { ...graphql(`${base}/graphql`, '', 'open'), body: { query, variables: { filters: sqon } } },
      read: ({ data }) => {
        const { network, donor } = object(data);
        const { total, upper_bound: upper } = object(network ?? object(donor)['hits']);
        return [total, upper];
      },
    },
    {
      door: {
        ...{ method: 'POST', path: `${base}/beacon/individuals`, expected: 'open' },
        body: {
          query: {
            filters: conditions.map(({ field: id, value, negate }) => ({
              ...{ id, value },
              operator: negate ? '!' : '=',
            })),
          },
        },
      },
      read: ({ responseSummary, info }) => {
        const { minRange, maxRange } = object(object(info)['resultCountDescription']);
        const { numTotalResults } = object(responseSummary);
        return minRange === undefined ? [numTotalResults, numTotalResults] : [minRange, maxRange];
      },
    },
    {
      door: mcp('summarise', { catalogue: base.slice(1), where: conditions, facets: [] }, 'open'),
      read: ({ result }) => {
        const { lower, upper } = object(object(object(result)['structuredContent'])['total']);
        return [lower, upper];
      },
    },
  ];
};

const answerAt = async (url: string, door: Door): Promise<JsonObject> => {
  const text = await (await send(url, door)).text();
  return object(JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text));
};

for (const node of nodeKinds)
  test(`no door tells more of a question than GraphQL, of a node that ${node}`, async (t) => {
    const folder = await folderWithRelease(t, documents);
    const { url } = await serveRelease(t, folder, engineOver(documents), { node });
    const random = seeded(800);
    let wide = 0;
    // the way changes nothing in what is answered
    const rounds = node === 'is here' ? questions : Math.min(150, questions);
    for (let round = 0; round < rounds; round += 1) {
      const conditions = Array.from({ length: 1 + below(random, 3) }, () => condition(random));
      const requested = doorsTo(conditions, random() < 0.5);
      const [known, ...others] = await Promise.all(
        requested.map(async ({ door, read }) => read(await answerAt(url, door))),
      );
      for (const other of others) t.deepEqual(other, known, JSON.stringify(conditions));
      const [lower, upper] = known!;
      if (Number(upper) > Number(lower)) wide += 1;
    }
    t.true(wide > rounds / 2, String(wide));
  });
