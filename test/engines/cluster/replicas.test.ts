import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';
import { postQuery, startNode, type RunningNode } from '../../whole/end-to-end/processes.ts';
import { onServers } from './on-servers.ts';

const [index, sets] = ['tributary-replicated', 'tributary-replicated-sets'];
const count = 300;
const mapping = { properties: { id: { type: 'keyword' }, shelf: { type: 'keyword' } } };

const { privateKey } = generateKeyPairSync('ed25519');

/** A server with a folder of its own and the key of all, over the same cluster. */
const startReplica = async (t: ExecutionContext, url: string): Promise<RunningNode> => {
  const folder = temporaryFolder(t, {
    'configs/books/base.json': { documentType: 'book', esIndex: index },
    'server.pem': String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  });
  const node = await startNode({
    ...{ CONFIGS_PATH: join(folder, 'configs'), DATA_PATH: join(folder, 'data'), NODES_PATH: 'off' },
    ...{ ES_HOST: url, SERVER_KEY_PATH: join(folder, 'server.pem') },
    ...{ ENABLE_SETS: 'true', ES_ARRANGER_SETS_INDEX: sets },
  });
  t.teardown(() => node.kill());
  return node;
};

const valueOf = async (node: RunningNode, query: string, variables: Record<string, unknown> = {}) => {
  const { data, errors = [] } = await postQuery(`${node.url}/graphql`, query, variables);
  if (data === undefined || errors.length > 0) throw new Error(errors.map(({ message }) => message).join());
  return data;
};

interface Hits {
  readonly total: number;
  readonly edges: readonly { readonly searchAfter: unknown; readonly node: { readonly id: string } }[];
}

const hitsOf = async (node: RunningNode, variables: Record<string, unknown>): Promise<Hits> => {
  const query = `query ($after: JSON, $sort: [Sort], $filters: JSON) { book {
    hits(first: 40, searchAfter: $after, sort: $sort, filters: $filters) { total edges { searchAfter node { id } } }
  } }`;
  return ((await valueOf(node, query, variables))['book'] as { hits: Hits }).hits;
};

await onServers((server, cluster) => {
  test(`${server.name}: two replicas continue each other's pages and use each other's sets`, async (t) => {
    t.timeout(240_000);
    await cluster.manage({ kind: 'delete', index });
    await cluster.manage({ kind: 'create', index, mapping });
    const books = Array.from({ length: count }, (_, at) => ({ id: `b${at}`, shelf: `s${at % 3}` }));
    await cluster.write(
      index,
      books.map((document) => ({ kind: 'upsert', id: document.id, document })),
    );
    const replicas = await Promise.all([startReplica(t, server.url), startReplica(t, server.url)]);
    for (const sort of [[], [{ fieldName: 'shelf', order: 'asc' }]]) {
      const ids: string[] = [];
      let after: unknown = null;
      for (let turn = 0; ids.length < count; turn++) {
        const { edges } = await hitsOf(replicas[turn % 2]!, { after, sort });
        if (edges.length === 0) break;
        ids.push(...edges.map(({ node }) => node.id));
        after = edges.at(-1)!.searchAfter;
      }
      t.is(ids.length, count);
      t.is(new Set(ids).size, count);
    }
    const saving =
      'mutation ($sqon: JSON!) { saveSet(type: book, userId: "ann", path: "id", sqon: $sqon) { setId size } }';
    const shelf = { op: 'in', content: { fieldName: 'shelf', value: ['s1'] } };
    const { saveSet } = await valueOf(replicas[0]!, saving, { sqon: shelf });
    const { setId, size } = saveSet as { setId: string; size: number };
    t.is(size, count / 3);
    const filters = { op: 'in', content: { fieldName: 'id', value: [`set_id:${setId}`] } };
    t.is((await hitsOf(replicas[1]!, { filters })).total, count / 3);
  });
  return async () => {
    for (const one of [index, sets]) await cluster.manage({ kind: 'delete', index: one });
  };
});
