import type { ExecutionContext } from 'ava';
import test from 'ava';
import { openSemaphore } from '../../../src/lib/concurrency/locks.ts';
import type { Manifest } from '../../../src/local/download/manifest.ts';
import { faultProxy, type FaultProxy } from '../processes/fault-proxy.ts';
import { openGallery, openPortal, serveGallery, type Portal } from './galleries.ts';
import { pageFaults, type PageFault } from './page-faults.ts';

const properties = { id: { type: 'keyword' }, height: { type: 'integer' } };
const rowsOf = (prefix: string, step: number) =>
  Array.from({ length: 20 }, (_, at) => ({ id: `${prefix}${at}`, height: at * step }));
const near = { documentType: 'near', properties, documents: rowsOf('n', 3) };
const far = { documentType: 'far', properties, documents: rowsOf('f', 2) };

/** Each test has five servers: all tests at once would take longer to start them than discovery waits. */
const tests = openSemaphore(8);

/** Two nodes of 20 rows, one of them behind a proxy, in pages of 5 rows: a count, then four pages. */
const open = async (t: ExecutionContext, entry: object = {}): Promise<Portal & { proxy: FaultProxy }> => {
  t.teardown(await tests.acquire(new AbortController().signal));
  t.timeout(300_000);
  const local = await openGallery(t, near);
  const proxy = faultProxy(0, await serveGallery(t, await openGallery(t, far)));
  await proxy.open();
  t.teardown(() => proxy.close());
  const nodes = {
    defaults: { discoveryTimeoutMs: 60_000 },
    nodes: [
      { nodeId: 'near', catalogue: 'near', timeoutMs: 60_000 },
      { nodeId: 'far', graphqlUrl: `${proxy.url}/graphql`, documentType: 'far', timeoutMs: 60_000, ...entry },
    ],
  };
  return { ...(await openPortal(t, { nodes, local, pageRows: 10 })), proxy };
};

/** Only what never answers has to be given up; a busy machine takes its time. */
const patience = ({ stayedAway }: PageFault): object =>
  stayedAway?.state === 'timeout' ? { timeoutMs: 12_000 } : {};

const requests = { count: 1, 'first page': 2, 'middle page': 3, 'last page': 5 };

/** Fails some requests of a download, numbered from 1. */
const failing = (proxy: FaultProxy, { fault }: PageFault, fails: (request: number) => boolean): void => {
  const before = proxy.seen;
  proxy.fault = async (response, forward) => {
    if (fails(proxy.seen - before)) return fault(response, forward);
    const { status, headers, body } = await forward();
    response.writeHead(status, headers).end(body);
  };
};

const file = { columns: [{ fieldName: '_node' }, { fieldName: '_id' }, { fieldName: 'height' }] };
const sorted = { files: [{ ...file, sort: [{ fieldName: 'height' }] }] };

const downloaded = async ({ archived }: Portal, params: object) => {
  const { text, manifest: report } = await archived(params);
  return { lines: text.split('\n').slice(1, -1), report };
};

const rowsFrom = (lines: readonly string[], nodeId: string): readonly string[] =>
  lines.filter((line) => line.startsWith(`${nodeId}\t`));

const farNode = ({ nodes }: Manifest) => nodes.find(({ nodeId }) => nodeId === 'far')!;

/** The file has all rows, or the manifest records which of them it has. */
const assertHonest = (
  t: ExecutionContext,
  { lines, report }: { readonly lines: readonly string[]; readonly report: Manifest },
  whole: readonly string[],
  where: string,
): void => {
  t.deepEqual(rowsFrom(lines, 'near'), rowsFrom(whole, 'near'), where);
  const rows = rowsFrom(lines, 'far');
  const node = farNode(report);
  t.deepEqual(rows, rowsFrom(whole, 'far').slice(0, rows.length), where);
  t.is(node.records, rows.length, where);
  t.is(node.rowsComplete, rows.length === 20, where);
  t.is(report.complete, rows.length === 20, where);
  if (rows.length < 20) {
    const [last] = report.files[0]!.nodes.filter(({ nodeId }) => nodeId === 'far');
    t.is(last!.lastId, rows.at(-1)?.split('\t')[1] ?? null, where);
    t.not(node.stopped, null, where);
  }
  t.false(JSON.stringify(report).includes('secret'));
};

for (const [name, make] of Object.entries(pageFaults)) {
  test(`${name}: once, and the file is whole`, async (t) => {
    const portal = await open(t, patience(make()));
    const everywhere = Object.keys(requests) as (keyof typeof requests)[];
    const middle = ['middle page'] as const;
    for (const [params, places] of [
      [sorted, everywhere],
      [{ files: [file] }, middle],
    ] as const) {
      portal.proxy.fault = null;
      const whole = await downloaded(portal, params);
      t.true(whole.report.complete);
      t.is(whole.lines.length, 40);
      for (const where of places) {
        const fault = make();
        failing(portal.proxy, fault, (number) => number === requests[where]);
        const again = await downloaded(portal, params);
        assertHonest(t, again, whole.lines, where);
        if (fault.misleads !== true) t.deepEqual(again.lines, whole.lines, where);
      }
    }
  });

  test(`${name}: for good, and the manifest records what is missing`, async (t) => {
    const portal = await open(t, patience(make()));
    const whole = await downloaded(portal, sorted);
    const fault = make();
    failing(portal.proxy, fault, (number) => number >= 3);
    const cut = await downloaded(portal, sorted);
    assertHonest(t, cut, whole.lines, 'from the middle on');
    if (fault.stayedAway === null) return t.deepEqual(cut.lines, whole.lines);
    const { state, stopped, matches } = farNode(cut.report);
    t.is(state, fault.stayedAway.state);
    t.regex(stopped!, fault.stayedAway.stopped);
    t.is(matches, 20);
  });
}

test('a node that always sends Retry-After gets each request of a download four times', async (t) => {
  t.timeout(300_000);
  const portal = await open(t, { required: true });
  const before = portal.proxy.seen;
  portal.proxy.fault = (response) => void response.writeHead(429, { 'retry-after': '0' }).end();
  t.is((await portal.download(sorted)).status, 503);
  t.is(portal.proxy.seen - before, 4);
});

test('a node that fails three times in a row is waited for, and its rows go on where they were', async (t) => {
  t.timeout(300_000);
  const portal = await open(t);
  const whole = await downloaded(portal, sorted);
  const fault = pageFaults['HTTP 500']!();
  failing(portal.proxy, fault, (number) => number >= 3 && number <= 5);
  const again = await downloaded(portal, sorted);
  t.deepEqual(again.lines, whole.lines);
  t.true(again.report.complete);
});

for (const [name, entry, params] of [
  ['a required node', { required: true }, sorted],
  ['onFailure abort', {}, { ...sorted, onFailure: 'abort' }],
] as const)
  test(`${name}: the connection breaks, and the node is named where nothing has been sent yet`, async (t) => {
    const portal = await open(t, entry);
    const fault = pageFaults['truncated JSON']!();
    failing(portal.proxy, fault, (number) => number >= 4);
    const response = await portal.download(params);
    t.is(response.status, 200);
    await t.throwsAsync(response.text());
    failing(portal.proxy, fault, () => true);
    const refused = await portal.download(params);
    t.is(refused.status, 502);
    t.regex(await refused.text(), /node \\"far\\" (is required and )?failed: /);
  });
