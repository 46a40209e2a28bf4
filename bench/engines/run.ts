/**
 * Prints what a node takes on a real OpenSearch beside the best body written by hand and sent straight to it, and what
 * the embedded engine takes with the same documents, side by side in one run; fails when answers differ.
 *
 *   node bench/engines/run.ts [documents]     default: 200000
 *
 * The server is one that test/whole/servers starts, with its whole compiler, or that of TEST_OPENSEARCH_URL (only its index
 * tributary-bench is touched). Nodes and server are processes of their own.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngine, type EngineSettings } from '../../src/engines/open/open-engine.ts';
import { Connections, type Way } from './connections.ts';
import { measureLatency, type Latency, type Times } from './latency.ts';
import { fill } from './loaded.ts';
import { startNode, type NodeProcess } from './node-process.ts';
import { questions, type Question } from './questions.ts';
import { openSearchServer, type SearchServer } from './search-server.ts';
import type { Selection } from './selections.ts';
import { measureRates, type Load } from './throughput.ts';

/** A question with what it needs to run again: unused filters, and its quickest body. */
interface Measured {
  readonly question: Question;
  readonly next: () => Selection;
  readonly body: Way<Selection>;
}

const heading = (what: string, ...columns: readonly string[]): void =>
  console.log(
    `\n${`${what}, load average ${loadavg()[0]!.toFixed(1)}`.padEnd(46)}${columns.map((column) => column.padStart(13)).join('')}`,
  );

const row = (what: string, ...cells: readonly string[]): void =>
  console.log(`${what.padEnd(46)}${cells.map((cell) => cell.padStart(13)).join('')}`);

const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`;

const atMost = (value: number, target: number): string =>
  `${value.toFixed(2)} <= ${target} ${value <= target ? 'ok' : 'MISSED'}`.padStart(22);

const atLeast = (value: number, target: number): string =>
  `${value.toFixed(2)} >= ${target} ${value >= target ? 'ok' : 'MISSED'}`.padStart(22);

const load = async (settings: EngineSettings, documents: number): Promise<void> => {
  const engine = await openEngine(settings);
  try {
    const rate = await fill(engine, documents);
    row(`load, ${settings.kind}`, `${rate.toFixed(0)}/s`);
  } finally {
    await engine.close();
  }
};

interface Nodes {
  readonly server: SearchServer;
  readonly node: NodeProcess;
  readonly embedded: NodeProcess;
  /** Of the documents of the embedded node. */
  readonly dataPath: string;
}

const compareLatencies = async (nodes: Nodes): Promise<readonly Measured[]> => {
  const connections = {
    node: new Connections(nodes.node.url),
    server: new Connections(nodes.server.url),
    embedded: new Connections(nodes.embedded.url),
  };
  const port = await openEngine({ kind: 'embedded', dataPath: nodes.dataPath });
  heading('one client, new filters', 'node', 'best body', 'embedded', 'its engine');
  const measured: Measured[] = [];
  for (const question of questions) {
    let turn = 0;
    const next = (): Selection => question.selectionOf(turn++);
    const latency = await measureLatency(question, { ...connections, port }, next);
    sayLatency(question, latency);
    measured.push({ question, next, body: latency.body });
  }
  await Promise.all(Object.values(connections).map((side) => side.close()));
  await port.close();
  return measured;
};

const sayLatency = ({ name, targets }: Question, { median, quickTenth, tried, body }: Latency): void => {
  sayTimes(name, median);
  console.log(
    `${''.padEnd(46)}  node/body ${atMost(median.node / median.server, targets.slower)}` +
      `   body/engine ${atLeast(median.server / median.port, targets.embedded)}`,
  );
  sayTimes('  a tenth is quicker than', quickTenth);
  const [slower, faster] = [quickTenth.node / quickTenth.server, quickTenth.server / quickTenth.port];
  console.log(`${''.padEnd(46)}  node/body ${slower.toFixed(2)}   body/engine ${faster.toFixed(2)}`);
  for (const one of tried) row(`  ${one.name}${one.name === body.name ? ' (best)' : ''}`, '', ms(one.ms));
};

const sayTimes = (what: string, { node, server, embedded, port }: Times): void =>
  row(what, ms(node), ms(server), ms(embedded), ms(port));

const rateColumns = ['node', 'best body', 'node CPU', 'server CPU', 'bare CPU'];

/** @param what how a line ends, and the target share of the bare rate */
const compareRates = async (
  { server, node }: Nodes,
  name: string,
  target: number,
  [asNode, asBody]: readonly [Load['sent'], Load['sent']],
): Promise<void> => {
  const [through, bare] = await measureRates(
    [
      { url: node.url, sent: asNode },
      { url: server.url, sent: asBody },
    ],
    [node.cpuMs, server.cpuMs],
  );
  row(
    name,
    `${through!.perSecond.toFixed(0)}/s`,
    `${bare!.perSecond.toFixed(0)}/s`,
    ms(through!.cpuMs[0]!),
    ms(through!.cpuMs[1]!),
    ms(bare!.cpuMs[1]!),
  );
  const [nodeMs, serverMs] = through!.cpuMs as [number, number];
  console.log(
    `${''.padEnd(46)}  node/body ${atLeast(through!.perSecond / bare!.perSecond, target)}` +
      `   by CPU ${(bare!.cpuMs[1]! / (nodeMs + serverMs)).toFixed(2)}`,
  );
};

const measure = async (nodes: Nodes): Promise<void> => {
  const measured = await compareLatencies(nodes);
  heading('8 clients, new filters', ...rateColumns);
  for (const { question, next, body } of measured)
    await compareRates(nodes, question.name, question.targets.throughput, [
      () => question.node.sent(next()),
      () => body.sent(next()),
    ]);
  heading('8 clients, one request again and again', ...rateColumns);
  for (const { question, next, body } of measured) {
    // pages are not kept by the server
    if (question.targets === questions[0]!.targets) continue;
    const selection = next();
    const [fromNode, byHand] = [question.node.sent(selection), body.sent(selection)];
    const before = await nodes.server.cached();
    await compareRates(nodes, question.name, 0.5, [() => fromNode, () => byHand]);
    console.log(
      `${''.padEnd(46)}  answered from the server's cache: ${(await nodes.server.cached()) - before}`,
    );
  }
};

const run = async (documents: number): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-bench-'));
  const server = await openSearchServer();
  const running: NodeProcess[] = [];
  try {
    heading(`${documents} documents`, 'documents');
    await load({ kind: 'embedded', dataPath: folder }, documents);
    const { url } = server;
    const none = { user: undefined, password: undefined, apiKey: undefined, caFile: undefined };
    await load({ kind: 'opensearch', url, ...none }, documents);
    await server.merge();
    const node = await startNode(folder, { SEARCH_ENGINE: 'opensearch', ES_HOST: url });
    running.push(node);
    const embedded = await startNode(folder, { SEARCH_ENGINE: 'embedded', DATA_PATH: folder });
    running.push(embedded);
    await measure({ server, node, embedded, dataPath: folder });
  } finally {
    await Promise.all(running.map((one) => one.close()));
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
};

// leaving by an exit takes the servers along
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await run(Number(process.argv[2] ?? 200_000));
