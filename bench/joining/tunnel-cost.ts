import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acceptedMember, emptyHub } from '../../test/whole/end-to-end/accepted-members.ts';
import { until } from '../../test/whole/end-to-end/institutions.ts';
import { postQuery, startNode, type RunningNode } from '../../test/whole/end-to-end/processes.ts';
import { freePort } from '../../test/listening.ts';
import { processorMs } from '../processor-time.ts';
import { sized } from '../size.ts';

const rounds = sized(40, 2);
const questionsEach = sized(25, 2);
const questions: Readonly<Record<string, string>> = {
  'a count': '{ network { hits { total } } }',
  'a page and a facet':
    '{ network { hits(first: 50) { total edges { node { person_id sex age } } } aggregations { sex { buckets { key doc_count } } } } }',
};

interface Cost {
  readonly ms: readonly number[];
  readonly processorMs: number;
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!;

/** Sends a question again and again, each time with a condition of its own: nothing is answered from what is kept. */
const measured = async (
  hub: RunningNode,
  member: RunningNode,
  query: string,
  from: number,
): Promise<Cost> => {
  const pids = [hub.pid, member.pid];
  const processor = async (): Promise<number> =>
    (await Promise.all(pids.map(processorMs))).reduce((sum, one) => sum + one, 0);
  const before = await processor();
  const ms: number[] = [];
  for (let at = from; at < from + questionsEach; at++) {
    const filters = `filters: { op: "<", content: { fieldName: "age", value: ${200 + at} } }`;
    const start = performance.now();
    const { errors } = await postQuery(
      `${hub.url}/network/graphql`,
      query.replace('network', `network(${filters})`),
    );
    ms.push(performance.now() - start);
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
  }
  return { ms, processorMs: (await processor()) - before };
};

/** One member, asked by one hub through its tunnel and by another by its address, in turn. */
export const showTunnelCost = async (): Promise<boolean> => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-tunnel-cost-'));
  const [port, otherPort] = [await freePort(), await freePort()];
  const tunnelHub = emptyHub(join(folder, 'tunnel'), port);
  const addressHub = emptyHub(join(folder, 'address'), otherPort);
  const hubs = [{ name: 'hub', folder: join(folder, 'tunnel'), url: `http://127.0.0.1:${port}` }];
  const member = await startNode({
    ...(await acceptedMember(folder, 'oslo', 5_000, { hubs })),
  });
  const file = join(folder, 'address', 'nodes.json');
  const nodes = [{ nodeId: 'oslo', graphqlUrl: `${member.url}/graphql`, documentType: 'person' }];
  writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), nodes }));
  const ways = { tunnel: await startNode(tunnelHub), address: await startNode(addressHub) };
  const isWhole = async (hub: RunningNode): Promise<boolean> => {
    const { data } = await postQuery(`${hub.url}/network/graphql`, '{ network { hits { total } } }');
    return JSON.stringify(data).includes('5000');
  };
  for (const hub of Object.values(ways)) await until(() => isWhole(hub));

  let isWell = true;
  for (const [name, query] of Object.entries(questions)) {
    const costs: Record<keyof typeof ways, Cost[]> = { tunnel: [], address: [] };
    for (let round = -4; round < rounds; round++)
      for (const way of round % 2 === 0
        ? (['tunnel', 'address'] as const)
        : (['address', 'tunnel'] as const)) {
        const cost = await measured(ways[way], member, query, (round + 4) * questionsEach);
        // the first rounds are for the compiler
        if (round >= 0) costs[way].push(cost);
      }
    const ms = (way: keyof typeof ways, share = 0.5): number =>
      quantile(
        costs[way].flatMap((one) => one.ms),
        share,
      );
    const processor = (way: keyof typeof ways): number =>
      costs[way].reduce((sum, one) => sum + one.processorMs, 0) / rounds / questionsEach;
    const more = processor('tunnel') / processor('address') - 1;
    isWell &&= ms('tunnel') - ms('address') <= 1 && more <= 0.2;
    console.log(
      `${name}: ${ms('tunnel').toFixed(2)} ms through a tunnel, ${ms('address').toFixed(2)} ms by address (1 ms more at most), ${ms('tunnel', 0.1).toFixed(2)} and ${ms('address', 0.1).toFixed(2)} ms for the fastest tenth; processor time of hub and member ${processor('tunnel').toFixed(2)} and ${processor('address').toFixed(2)} ms, ${(more * 100).toFixed(0)} % more (20 at most)`,
    );
  }
  for (const one of [...Object.values(ways), member]) await one.stop();
  rmSync(folder, { recursive: true });
  return isWell;
};
