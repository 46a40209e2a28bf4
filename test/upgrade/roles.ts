/**
 * Lets this version and that of a checkout query each other, as hub and as node, and prints what each got.
 *
 *   node test/upgrade/roles.ts CHECKOUT
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { announcedUrl } from '../announced-url.ts';
import { postQuery } from '../end-to-end/processes.ts';
import { programEnvironment, programFile } from '../program.ts';

const [checkout] = process.argv.slice(2);
if (checkout === undefined) throw new Error('a checkout is missing');
const other = resolve(checkout, 'src/main.ts');
const archive = join(import.meta.dirname, 'data/d60f007c.tgz');

const serve = async (program: string, nodes: object | null) => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-roles-'));
  execFileSync('tar', ['xzf', archive, '-C', folder]);
  writeFileSync(join(folder, 'nodes.json'), JSON.stringify(nodes));
  const env = {
    ...programEnvironment,
    ...{ SERVER_PORT: '0', SERVER_HOST: '127.0.0.1', INDEXING_PORT: 'off', LOG_LEVEL: 'error' },
    ...{ CONFIGS_PATH: join(folder, 'configs/donors'), ...(nodes === null ? { NODES_PATH: 'off' } : {}) },
  };
  const server = spawn(process.execPath, [program, 'start'], { cwd: folder, env });
  const url = await announcedUrl(server);
  while (!(await fetch(`${url}/ready`)).ok) await sleep(50);
  return {
    url,
    stop: async () => {
      server.kill('SIGTERM');
      await once(server, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
};

const query = `query ($filters: JSON) { network(filters: $filters) {
  total nodes { nodeId status hits } aggregations { sex { buckets { key doc_count } } }
  hits(first: 3, sort: [{ fieldName: "long" }]) { edges { node { donor_id age } } }
} }`;
const filters = { op: 'gte', content: { fieldName: 'age', value: 40 } };

const answers = [];
for (const [hub, node] of [
  [programFile, programFile],
  [programFile, other],
  [other, programFile],
] as const) {
  const inner = await serve(node, null);
  const nodes = [{ nodeId: 'far', graphqlUrl: `${inner.url}/graphql`, documentType: 'donor' }];
  const outer = await serve(hub, { network: { documentType: 'donor' }, nodes });
  const { data, errors } = await postQuery(`${outer.url}/network/graphql`, query, { filters });
  answers.push(JSON.stringify({ data, errors }));
  await outer.stop();
  await inner.stop();
}
console.log(answers.join('\n'));
process.exitCode = new Set(answers).size === 1 ? 0 : 1;
