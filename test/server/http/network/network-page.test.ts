import test from 'ava';
import type { NetworkBody, NodeBody } from '../../../../src/server/http/network/network-body.ts';
import { networkPage } from '../../../../src/server/http/network/network-page.ts';

const nowMs = Date.parse('2026-03-04T03:00:00.000Z');

const node = (nodeId: string, more: Partial<NodeBody> = {}): NodeBody => ({
  nodeId,
  name: `Node ${nodeId}`,
  kind: 'remote',
  state: 'ok',
  since: '2026-03-01T00:00:00.000Z',
  lastError: null,
  lastAnswer: null,
  requests: 0,
  failures: 0,
  latencyMs: null,
  circuit: 'closed',
  discovery: null,
  withheld: false,
  disclosure: null,
  warnings: [],
  ...more,
});

const pageOf = (nodes: readonly NodeBody[], more: Partial<NetworkBody> = {}): string =>
  networkPage(
    {
      name: 'Trees',
      ready: true,
      partial: false,
      configuration: { since: '2026-03-04T00:00:00.000Z', problem: null },
      nodes: [...nodes],
      fields: [],
      warnings: [],
      ...more,
    },
    nowMs,
  );

const lastError = {
  code: 'NODE_UNREACHABLE',
  reason: 'connection refused',
  at: '2026-03-04T02:59:00.000Z',
} as const;

/** As a reader sees it. */
const textOf = (page: string): string =>
  page
    .replace(/<style>[^<]*<\/style>/, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

test('a node in trouble is named first, with why and since when', (t) => {
  const broken = node('b', { state: 'circuitOpen', since: '2026-03-04T01:30:00.000Z', lastError });
  const page = pageOf([node('a'), broken], { partial: true });
  const text = textOf(page);
  t.regex(text, /1 of 2 nodes is in trouble\. Answers are partial\. As of 2026-03-04 03:00:00 UTC/);
  t.regex(
    text,
    /Node b b did not answer three times in a row; .* Since 2026-03-04 01:30:00 UTC , for 1 hour\./,
  );
  t.regex(text, /connection refused NODE_UNREACHABLE, last at 2026-03-04 02:59:00 UTC/);
  t.deepEqual(
    [...page.matchAll(/scope="row">([^<]*)/g)].map(([, name]) => name),
    ['Node b', 'Node a'],
  );
});

test('a node that failed discovery is said to be tried again only where its entry says so', (t) => {
  const failed = (rediscoverMs: number | null): string =>
    textOf(pageOf([node('b', { state: 'discoveryFailed', rediscoverMs })], { partial: true }));
  t.regex(
    failed(null),
    /failed discovery and is not queried until its entry changes or this server restarts/,
  );
  t.regex(failed(90_000), /failed discovery and is not queried; it is tried again after 1 minute\. Since/);
});

test('a failure long past of a node that is well is in the table only', (t) => {
  const page = pageOf([node('a', { lastError })]);
  t.regex(textOf(page), /All nodes answer/);
  t.false(page.includes('<ul class="trouble">'));
  t.true(page.includes('connection refused'));
});

test('a node that fails now and then does not make answers partial', (t) => {
  t.regex(textOf(pageOf([node('a', { state: 'failing', lastError })])), /All nodes are still queried/);
});

for (const [since, shown] of [
  ['2026-03-04T03:00:00.000Z', 'for 0 seconds'],
  ['2026-03-04T02:59:01.000Z', 'for 59 seconds'],
  ['2026-03-04T02:59:00.000Z', 'for 1 minute'],
  ['2026-03-02T02:59:00.000Z', 'for 2 days'],
] as const)
  test(`a state since ${since} holds ${shown}`, (t) => {
    t.true(textOf(pageOf([node('a', { state: 'unavailable', since })])).includes(`${shown}.`));
  });

test('with a thousand nodes those in trouble are shown, the others are folded, and fields are counted', (t) => {
  const nodes = Array.from({ length: 1_000 }, (_, at) =>
    node(`n${at}`, at < 30 ? { state: 'circuitOpen', lastError } : {}),
  );
  const field = {
    path: 'genus',
    name: 'genus',
    type: 'keyword',
    isArray: true,
    nodes: nodes.map(({ nodeId }, at) =>
      at < 30
        ? ({ nodeId, state: 'unknown', path: null, type: null, reason: 'why' } as const)
        : ({
            nodeId,
            state: 'covered',
            path: at < 100 ? 'taxon' : 'genus',
            type: 'keyword',
            reason: null,
          } as const),
    ),
  };
  const warnings = Array.from({ length: 21 }, (_, at) => `warning ${at}`);
  const page = pageOf(nodes, { partial: true, fields: [field], warnings });
  const [open, others] = page.split('<details><summary>970 nodes that are not</summary>');
  t.is([...open!.matchAll(/<li>/g)].length, 21);
  t.regex(open!, /<li>And 10 more, in the table below\.<\/li>/);
  t.notRegex(pageOf(nodes.slice(10)), /more, in the table below/);
  t.is([...open!.matchAll(/scope="row"/g)].length, 30);
  t.is([...others!.matchAll(/scope="row"/g)].length, 971);
  t.regex(page, /<details><summary>21 warnings<\/summary>/);
  t.regex(
    textOf(page),
    /Fields, and how many nodes have them Field Type Same name Another name Missing In conflict Not known genus \[keyword\] 900 70 0 0 30 $/,
  );
});

test('a node that is a network says how many institutions are behind it', (t) => {
  t.true(textOf(pageOf([node('eu', { institutions: 5 })])).includes('a network of 5 institutions'));
});

test('of 32 nodes nothing is folded', (t) => {
  t.false(pageOf(Array.from({ length: 32 }, (_, at) => node(`n${at}`))).includes('<details>'));
});

test('a node that waits to be accepted says since when, and how much it proposes', (t) => {
  const waits = { dialled: '2026-03-04T02:59:00.000Z', fields: 3, values: 4 };
  const page = textOf(pageOf([node('oslo', { state: 'invited', dialsIn: true, waits })], { partial: true }));
  t.regex(
    page,
    /Node oslo oslo has used its invitation and waits to be accepted; it proposes 3 fields and 4 values/,
  );
  t.regex(page, /tributary members oslo/);
  t.regex(page, /Last dialled 2026-03-04 02:59:00 UTC/);
  t.regex(page, /oslo, dials in/);
});
