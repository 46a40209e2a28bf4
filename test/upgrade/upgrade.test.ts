import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import Koa from 'koa';
import { pino } from 'pino';
import { trailKeys } from '../../src/access/audit/audit-trail.ts';
import { verifyTrail } from '../../src/access/audit/verify-trail.ts';
import { createRouter } from '../../src/library.ts';
import { serverKey } from '../../src/runtime/server-key.ts';
import { temporaryFolder } from '../config/temporary-folder.ts';
import { postQuery } from '../end-to-end/processes.ts';
import { listening } from '../listening.ts';

const here = import.meta.dirname;
const checkout = join(here, '../..');
const archives = globSync(join(here, 'data/*.tgz')).sort();

/** What write-data.ts noted of a version. */
interface Written {
  readonly release?: boolean;
  readonly set?: string;
  readonly link?: string;
  readonly key?: string;
  readonly audited?: boolean;
}

interface Donor {
  readonly donor_id: string;
  readonly genes: readonly string[];
  readonly [name: string]: unknown;
}

const donors = readFileSync(join(here, 'donors.ndjson'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Donor);

const unpacked = (t: ExecutionContext, archive: string): string => {
  const folder = temporaryFolder(t, {});
  execFileSync('tar', ['xzf', archive, '-C', folder]);
  return folder;
};

const serve = async (
  t: ExecutionContext,
  folder: string,
  create = createRouter,
): Promise<{ readonly url: string }> => {
  const router = await create({
    portal: true,
    env: {
      ...{ CONFIGS_PATH: join(folder, 'configs'), DATA_PATH: join(folder, 'data') },
      ...{
        NODES_PATH: join(folder, 'nodes.json'),
        ENABLE_SETS: 'true',
        OPEN: 'true',
        GRAPHQL_MAX_DEPTH: '9',
      },
    },
    logger: pino({ level: 'silent' }),
  });
  t.teardown(router.close);
  const app = new Koa().use(router.routes() as unknown as Koa.Middleware);
  return listening(t, createServer(app.callback()));
};

/** Serves what an earlier version wrote. */
const opened = async (t: ExecutionContext, archive: string) => {
  const folder = unpacked(t, archive);
  const written = JSON.parse(readFileSync(join(folder, 'written.json'), 'utf8')) as Written;
  const { url } = await serve(t, folder);
  const valuesOf = async (path: string, query: string, variables = {}): Promise<Record<string, unknown>> => {
    const { data, errors } = await postQuery(url + path, query, variables);
    t.is(errors, undefined);
    return data ?? {};
  };
  return { folder, url, written, valuesOf };
};

const records = `query ($filters: JSON) { donor {
  hits(first: 200, filters: $filters, sort: [{ fieldName: "long" }]) { total edges { node {
    donor_id sex genes age seen long note samples { hits { edges { node { site weight } } } }
  } } }
  aggregations(filters: $filters) { age { stats { max } } genes { buckets { key doc_count } } }
} }`;

interface Records {
  readonly donor: {
    readonly hits: {
      readonly total: number;
      readonly edges: readonly {
        readonly node: Donor & {
          readonly samples: { readonly hits: { readonly edges: readonly { readonly node: unknown }[] } };
        };
      }[];
    };
    readonly aggregations: unknown;
  };
}

test('the data of earlier versions are here', (t) => t.true(archives.length >= 10));

/** The trail is whole, and whoever alters a line of it is noticed. */
const checkTrail = (t: ExecutionContext, trail: string, key: ReturnType<typeof serverKey>): void => {
  const problems = (): readonly string[] =>
    verifyTrail(trail, { ...trailKeys(key), days: 3650 }).flatMap((file) => file.problems);
  t.deepEqual(problems(), []);
  const file = globSync(join(trail, '*.jsonl')).find((one) =>
    readFileSync(one, 'utf8').includes('"loopback"'),
  )!;
  writeFileSync(file, readFileSync(file, 'utf8').replace('"loopback"', '"elsewhere"'));
  t.not(problems().length, 0);
};

test('data of a version to come are refused in one line, and left as they are', async (t) => {
  const folder = unpacked(t, join(here, 'data/1.0.0.tgz'));
  const file = join(folder, 'data/donors.sqlite');
  const db = new DatabaseSync(file);
  db.exec("UPDATE meta SET v = 99 WHERE k = 'layout'");
  db.close();
  const before = readFileSync(file);
  const { url } = await serve(t, folder);
  const answer = await (await fetch(`${url}/donors/graphql?query={__typename}`)).text();
  t.regex(answer, /has layout 99, this program reads 2: use the version that wrote it/);
  t.deepEqual(readFileSync(file), before);
});

for (const archive of archives)
  test(`what ${basename(archive, '.tgz')} wrote opens with all it holds`, async (t) => {
    const { folder, url, written, valuesOf } = await opened(t, archive);
    const { donor } = (await valuesOf('/donors/graphql', records)) as unknown as Records;
    t.is(donor.hits.total, donors.length);
    t.deepEqual(
      donor.hits.edges.map(({ node: { samples, seen, ...rest } }) => ({
        ...rest,
        seen: String(seen).slice(0, 10),
        samples: samples.hits.edges.map(({ node }) => node),
      })),
      // without isArray in its configuration, a field shows its first value
      donors.map((one) => ({ ...one, genes: one.genes[0] })),
    );
    t.deepEqual(donor.aggregations, {
      age: { stats: { max: 79 } },
      genes: {
        buckets: [
          { key: 'KRAS', doc_count: 120 },
          { key: 'TP53', doc_count: 40 },
        ],
      },
    });
    const network = await valuesOf('/network/graphql', '{ network { total nodes { status } } }');
    t.deepEqual(network, { network: { total: 120, nodes: [{ status: 'OK' }] } });
    if (written.set !== undefined) {
      const filters = { op: 'in', content: { fieldName: 'donor_id', value: [`set_id:${written.set}`] } };
      const { donor: saved } = (await valuesOf('/donors/graphql', records, {
        filters,
      })) as unknown as Records;
      t.is(saved.hits.total, 60);
    }
    if (written.link !== undefined)
      t.deepEqual(await (await fetch(`${url}/portal/links/${written.link}`)).json(), { sort: 'age' });
    const key = serverKey(undefined, join(folder, 'data'), pino({ level: 'silent' }));
    if (written.key !== undefined) t.is(key.thumbprint, written.key);
    if (written.release === true) {
      const query = '{ patients { aggregations { sex { buckets { key doc_count upper_bound } } } } }';
      const cell = { doc_count: 60, upper_bound: 69 };
      const missing = { key: '__missing__', doc_count: 0, upper_bound: 9 };
      t.deepEqual(await valuesOf('/patients/graphql', query), {
        patients: {
          aggregations: {
            sex: {
              buckets: [{ key: 'female', ...cell }, { key: 'male', ...cell }, missing],
            },
          },
        },
      });
    }
    if (written.audited === true) checkTrail(t, join(folder, 'data/audit'), key);
  });

/** The commit whose version takes the other role: the newest in the history that the data of a version are of. */
const earlier = 'c49302c5';

/** An earlier version of the library, from the history, over the dependencies of now; null: the history is not here. */
const earlierVersion = async (t: ExecutionContext): Promise<typeof createRouter | null> => {
  const git = (...args: readonly string[]) =>
    spawnSync('git', args, { cwd: checkout, maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'ignore'] });
  if (git('cat-file', '-e', earlier).status !== 0) return null;
  const folder = temporaryFolder(t, {});
  execFileSync('tar', ['x', '-C', folder], { input: git('archive', earlier, 'src', 'package.json').stdout });
  symlinkSync(join(checkout, 'node_modules'), join(folder, 'node_modules'));
  const library = (await import(join(folder, 'src/library.ts'))) as {
    readonly createRouter: typeof createRouter;
  };
  return library.createRouter;
};

test('this version and an earlier one query each other, as hub and as node', async (t) => {
  const other = await earlierVersion(t);
  if (other === null) {
    t.log(`the history has no ${earlier} here: git clone with all of it`);
    t.pass();
    return;
  }
  const query = `query ($filters: JSON) { network(filters: $filters) {
    total nodes { nodeId status hits } aggregations { genes { buckets { key doc_count } } }
    hits(first: 3, sort: [{ fieldName: "long" }]) { edges { node { donor_id age } } }
  } }`;
  const filters = { op: 'gte', content: { fieldName: 'age', value: 40 } };
  const answerOf = async (hub: typeof createRouter, node: typeof createRouter): Promise<unknown> => {
    const [inner, outer] = [unpacked(t, archives[0]!), unpacked(t, archives[0]!)];
    const { url } = await serve(t, inner, node);
    const far = { nodeId: 'far', graphqlUrl: `${url}/donors/graphql`, documentType: 'donor' };
    const nodes = { network: { documentType: 'donor' }, nodes: [{ ...far, timeoutMs: 60_000 }] };
    writeFileSync(join(outer, 'nodes.json'), JSON.stringify(nodes));
    const { url: at } = await serve(t, outer, hub);
    const status = async (): Promise<unknown> =>
      (await postQuery(`${at}/network/graphql`, '{ network { nodes { status } } }')).data?.['network'];
    while (JSON.stringify(await status()) !== '{"nodes":[{"status":"OK"}]}') await sleep(50);
    const { data, errors } = await postQuery(`${at}/network/graphql`, query, { filters });
    return { data, errors };
  };
  const expected = await answerOf(createRouter, createRouter);
  t.like(expected, { data: { network: { total: 40, nodes: [{ nodeId: 'far', hits: 40 }] } } });
  t.deepEqual(await answerOf(createRouter, other), expected);
  t.deepEqual(await answerOf(other, createRouter), expected);
});
