import { existsSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test from 'ava';
import { packagePath } from '../../../src/lib/runtime/server-version.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';
import { freePort } from '../../listening.ts';
import { runApart, type Ran } from '../../cli/run-here.ts';
import { countAt, institution, runWith as runProcess, sexesAt, until } from './institutions.ts';
import { startNode, type Settings } from './processes.ts';

const hubNodes = {
  network: { displayName: 'Nordic', documentType: 'person' },
  defaults: { timeoutMs: 60_000, discoveryTimeoutMs: 60_000 },
  nodes: [
    {
      nodeId: 'here',
      catalogue: 'person',
      values: { sex: { F: 'Female', M: 'Male' }, vital_status: { D: 'Deceased', L: 'Alive' } },
    },
  ],
};

const persons = `{"person_id":"H1","sex":"F","age_at_diagnosis":40,"vital_status":"L","photo":"none"}
{"person_id":"H2","sex":"M","age_at_diagnosis":50,"vital_status":"D"}
`;
const patienten = `{"person_id":"O1","Geschlecht":"w","ageAtDx":41,"VitalStatus":"lebend","photo":"https://pictures.example.org/one"}
{"person_id":"O2","Geschlecht":"m","ageAtDx":51,"VitalStatus":"verstorben"}
{"person_id":"O3","Geschlecht":"w","ageAtDx":61,"VitalStatus":"lebend"}
`;

/** What a command line asks for: its command, and its options without their values. */
const wordsIn = (line: string): readonly string[] =>
  line
    .replace(/"[^"]*"/g, '')
    .split(/\s+/)
    .filter((word, at) => at === 0 || word.startsWith('--') || word === 'accept' || word === 'refuse');

/** The commands of joining in the documents of both sides, in blocks and in sentences. */
const documented = ['docs/institution.md', 'docs/consortium.md']
  .flatMap((document) => [
    ...readFileSync(packagePath(document), 'utf8').matchAll(
      /(?:^|`)(?:tributary )?((?:invite|join|members|leave)\b[^`\n:]*)(?=`|$)/gm,
    ),
  ])
  .flatMap(([whole, line]) => (/^`|^tributary /.test(whole) ? [line!.trim()] : []));
const ran: string[] = [];

/** Runs a command with a text on standard input: its exit code and what it printed. */
const runWith = (input: string, args: readonly string[], settings: Settings): Promise<Ran> => {
  ran.push(args.join(' '));
  return runApart(args, settings, input);
};

/** The state of a node in the answers of a hub. */
const stateOf = async (url: string, nodeId: string): Promise<string | undefined> =>
  (await countAt(url)).nodes.find((node) => node.nodeId === nodeId)?.state;

test('an institution joins by its invitation, is counted in the names of the network, goes and comes back', async (t) => {
  t.timeout(600_000);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const hubSettings = await institution(temporaryFolder(t, {}), 'person', persons, {
    'nodes.json': hubNodes,
  });
  const hub = { ...hubSettings, PUBLIC_URL: url, SERVER_PORT: String(port) };
  const oslo = await institution(temporaryFolder(t, {}), 'patient', patienten);
  const hubNode = await startNode(hub);
  t.teardown(() => hubNode.kill());

  const invited = await runWith('', ['invite', 'oslo', '--display-name', 'Oslo'], hub);
  t.is(invited.code, 0, invited.stderr);
  const open = await runWith(invited.stdout, ['join', '--yes'], oslo);
  t.is(open.code, 1);
  t.regex(open.stderr, /neither access rules nor a disclosure\.json/);
  await until(async () => (await stateOf(url, 'oslo')) === 'invited');
  const shown = await runWith(invited.stdout, ['join', '--records', '--dry-run'], oslo);
  t.is(shown.code, 0, shown.stderr);
  t.regex(shown.stdout, /sex +Geschlecht .*w = Female/);
  t.false(existsSync(oslo['HUBS_PATH']!));
  const edited = await runWith(invited.stdout, ['join', '--records', '--edit'], oslo);
  t.is(edited.code, 0, edited.stderr);
  const mapping = join(dirname(oslo['HUBS_PATH']!), 'fields.csv');
  t.regex(await readFile(mapping, 'utf8'), /"sex","Geschlecht"/);
  const joining = ['join', '--records', '--yes', '--mapping', mapping];
  ran.push(joining.join(' '));
  const joined = await runProcess(invited.stdout, joining, oslo);
  t.is(joined.code, 0, joined.errors);
  t.regex(joined.output, /callers of the hub get: rows, 5 fields, 3 records/);

  let member = await startNode(oslo);
  t.teardown(() => member.kill());
  await until(async () =>
    /waits to be accepted .*3 fields, 4 values/.test((await runWith('', ['members'], hub)).stdout),
  );
  const network = await fetch(`${url}/network`, { headers: { accept: 'application/json' } });
  const { nodes: listed } = (await network.json()) as { nodes: { nodeId: string; waits?: object }[] };
  t.like(
    listed.find(({ nodeId }) => nodeId === 'oslo'),
    { dialsIn: true, waits: { fields: 3, values: 4 } },
  );
  t.regex((await runWith('', ['members', 'oslo'], hub)).stdout, /sex +Geschlecht +w = Female, m = Male/);
  t.is((await runWith('', ['members', 'accept', 'oslo'], hub)).code, 0);
  await until(async () => (await stateOf(url, 'oslo')) === 'ok');
  t.is((await countAt(url)).hits.total, 5);
  t.deepEqual(await sexesAt(url), [
    { key: 'Female', doc_count: 3 },
    { key: 'Male', doc_count: 2 },
  ]);

  const hubChecked = await runApart(['check'], hub);
  t.regex(hubChecked.stdout, /node oslo: ok, as the running server says/, hubChecked.stderr);

  const checked = await runWith('', ['join', '--check'], oslo);
  t.is(checked.code, 0, checked.stderr);

  await member.kill();
  await until(async () => (await stateOf(url, 'oslo')) === 'disconnected');
  t.is((await countAt(url)).hits.total, 2);
  member = await startNode(oslo);
  await until(async () => (await stateOf(url, 'oslo')) === 'ok');

  const elsewhere = await runWith(
    invited.stdout,
    ['join', '--records', '--yes'],
    await institution(temporaryFolder(t, {}), 'other', patienten),
  );
  t.is(elsewhere.code, 1);
  t.regex(elsewhere.stderr, /key is not accepted/);

  t.is((await runWith('', ['leave'], oslo)).code, 0);
  await until(async () => /"left": "\d{4}-/.test(await readFile(hubSettings['NODES_PATH']!, 'utf8')));
  await until(async () => (await stateOf(url, 'oslo')) === 'invited');
  t.regex((await runWith('', ['members'], hub)).stdout, /^oslo +Oslo +not invited$/m);
  t.is((await runWith('', ['members', 'accept', 'oslo'], hub)).code, 1);

  await member.kill();
  const again = await runWith('', ['invite', 'oslo', '--accept', '--rekey'], hub);
  t.is(again.code, 0, again.stderr);
  const nodesFile = hubSettings['NODES_PATH']!;
  const entryOf = async (): Promise<Record<string, unknown>> =>
    (JSON.parse(await readFile(nodesFile, 'utf8')) as { nodes: Record<string, unknown>[] }).nodes[1]!;
  const rejoin = () => runWith(again.stdout, ['join', '--records', '--yes', '--mapping', mapping], oslo);
  t.is((await rejoin()).code, 0);
  // whoever leaves before it has proposed anything is not accepted by that
  t.regex((await runWith('', ['leave'], oslo)).stdout, /has not accepted this server, which may join again/);
  t.is((await entryOf())['key'], undefined);
  t.is((await rejoin()).code, 0);
  member = await startNode(oslo);
  await until(async () => (await stateOf(url, 'oslo')) === 'ok');
  // a key that an administrator takes out afterwards stays out, although it dials again
  const dialled = async () =>
    (
      JSON.parse(await readFile(join(hubSettings['DATA_PATH']!, 'members/oslo.json'), 'utf8')) as {
        dialled: string;
      }
    ).dialled;
  const before = await dialled();
  const { nodes, ...others } = JSON.parse(await readFile(nodesFile, 'utf8')) as { nodes: { key?: string }[] };
  const without = nodes.map(({ key: _key, ...entry }) => entry);
  await writeFile(nodesFile, JSON.stringify({ ...others, nodes: without }));
  await until(async () => (await dialled()) !== before);
  t.is((await entryOf())['key'], undefined);
  t.is((await runWith('', ['members', 'refuse', 'oslo'], hub)).code, 0);
  const isRun = (line: string): boolean =>
    ran.some((one) => wordsIn(line).every((word) => wordsIn(one).includes(word)));
  t.true(documented.length > 15);
  t.deepEqual(
    documented.filter((line) => !isRun(line)),
    [],
  );
});
