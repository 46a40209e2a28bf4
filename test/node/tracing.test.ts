import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import { loadConfig } from '../../src/config/load.ts';
import { createApp } from '../../src/http/app.ts';
import { traceParentOf } from '../../src/http/koa/request-questions.ts';
import { openNode } from '../../src/node/open-node.ts';
import { openTracer } from '../../src/runtime/tracing.ts';
import { temporaryFolder } from '../config/temporary-folder.ts';
import { listening } from '../listening.ts';

interface Recorded {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status?: { readonly code: number };
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly service: unknown;
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: Pick<Recorded, 'attributes'>;
    readonly scopeSpans: readonly { readonly spans: readonly Omit<Recorded, 'service'>[] }[];
  }[];
}

const attribute = ({ attributes }: Pick<Recorded, 'attributes'>, key: string): unknown =>
  Object.values(attributes.find((one) => one.key === key)?.value ?? {})[0];

/** Takes in spans as a collector does. */
const collect = async (t: ExecutionContext, status = 200) => {
  const bodies: string[] = [];
  const keys = new Set<unknown>();
  const server = createServer(async (request, response) => {
    keys.add(request.headers['x-key']);
    if (request.url === '/otlp/v1/traces') bodies.push(await text(request));
    response.writeHead(status).end('{}');
  });
  const { url } = await listening(t, server);
  const spans = (): readonly Recorded[] =>
    bodies
      .flatMap((body) => (JSON.parse(body) as Export).resourceSpans)
      .flatMap(({ resource, scopeSpans }) =>
        scopeSpans[0]!.spans.map((span) => ({ ...span, service: attribute(resource, 'service.name') })),
      );
  return { url: `${url}/otlp`, bodies, keys, spans };
};

const titles = ['Atlas', 'Bees'];

/** A server over two books, and over another's if it has an address. */
const serve = async (t: ExecutionContext, env: Record<string, string>, nodes: readonly object[]) => {
  const config = loadConfig(
    {
      DATA_PATH: join(temporaryFolder(t, {}), 'data'),
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b',
      ...env,
    },
    {
      configs: { books: { documentType: 'book', esIndex: 'books' } },
      nodes: { nodes: [{ nodeId: 'here', catalogue: 'books' }, ...nodes] } as never,
    },
  );
  const node = await openNode(config, {
    log: pino({ level: 'silent' }),
    secret: () => undefined,
    prepare: async (engine) => {
      const mapping = { properties: { title: { type: 'keyword' } } };
      await engine.manage({ kind: 'create', index: 'books', mapping });
      const writes = titles.map((title) => ({ kind: 'upsert', id: title, document: { title } }) as const);
      await engine.write('books', writes);
    },
  });
  const parts = node.join();
  await parts.network!.ready;
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await node.close();
    isOpen = false;
  };
  t.teardown(close);
  return { ...(await listening(t, createServer(createApp(parts).callback()))), close };
};

const filters = { op: 'in', content: { fieldName: 'title', value: ['Atlas'] } };
const query =
  'query ($filters: JSON) { network(filters: $filters) { total nodes { status } hits(first: 1) { edges { node { title } } } } }';

const traced = 'a'.repeat(31);

const send = async (url: string, body: object, headers: Record<string, string> = {}) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer secret-token', ...headers },
    body: JSON.stringify(body),
  });
  return (await response.json()) as {
    readonly data?: { readonly network: { readonly total: number } };
    readonly errors?: readonly { readonly extensions: Readonly<Record<string, unknown>> }[];
  };
};

test('a query over two servers is one trace, without filters, values, tokens or answers', async (t) => {
  const collector = await collect(t);
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const far = await serve(t, { ...env, OTEL_SERVICE_NAME: 'far' }, []);
  const other = await serve(t, { ...env, OTEL_SERVICE_NAME: 'other' }, []);
  const remote = (nodeId: string, { url }: { readonly url: string }) => ({
    ...{ nodeId, graphqlUrl: `${url}/books/graphql`, documentType: 'book' },
    timeoutMs: 60_000,
  });
  const hub = await serve(t, { ...env, OTEL_SERVICE_NAME: 'hub' }, [
    { ...remote('far', far), headers: ['traceparent'] },
    remote('untraced', other),
  ]);
  const traceId = `${traced}1`;
  const parent = `00-${traceId}-${'b'.repeat(16)}-01`;
  const answer = await send(
    `${hub.url}/network/graphql`,
    { query, variables: { filters } },
    { traceparent: parent },
  );
  t.is(answer.data?.network.total, 3);
  await (await fetch(`${hub.url}/ping`)).text();
  const wrong = await send(`${hub.url}/books/graphql`, { query: '{ nothing }' });
  const ofError = wrong.errors![0]!.extensions['traceId'];
  await hub.close();
  await far.close();
  await other.close();

  t.deepEqual([...collector.keys], ['a b']);
  const spans = collector.spans();
  const own = spans.filter((span) => span.traceId === traceId);
  const named = (service: string, name: string) =>
    own.filter((span) => span.service === service && span.name === name);
  const [request] = named('hub', 'POST /network/graphql');
  t.is(request!.parentSpanId, 'b'.repeat(16));
  const calls = named('hub', 'query node');
  t.deepEqual(calls.map((span) => attribute(span, 'tributary.node')).sort(), ['far', 'untraced']);
  for (const name of ['plan', 'merge', 'query network', 'query catalogue', 'search engine', 'query node'])
    t.true(
      named('hub', name).length > 0 &&
        named('hub', name).every((one) => one.parentSpanId === request!.spanId),
      name,
    );
  t.deepEqual(new Set(own.map((span) => span.service)), new Set(['hub', 'far']));
  t.true(spans.some((span) => span.service === 'other' && span.parentSpanId === undefined));
  const [inner, ...more] = named('far', 'POST /:catalogue/graphql');
  t.is(more.length, 0);
  t.is(inner!.parentSpanId, calls.find((span) => attribute(span, 'tributary.node') === 'far')!.spanId);
  t.true(named('far', 'search engine').every((span) => span.parentSpanId === inner!.spanId));
  for (const { startTimeUnixNano: from, endTimeUnixNano: to } of own) {
    t.true(BigInt(from) <= BigInt(to));
    t.true(Math.abs(Number(BigInt(to) / 1_000_000n) - Date.now()) < 600_000);
  }
  t.true(
    spans.some((span) => span.traceId === ofError && attribute(span, 'http.response.status_code') === '400'),
  );
  t.false(spans.some((span) => span.name.includes('ping')));
  t.notRegex(collector.bodies.join(), /Atlas|title|secret-token|authorization/);
});

test('a collector that fails changes no answer, and is reported', async (t) => {
  const collector = await collect(t, 503);
  const reported: unknown[] = [];
  const config = { endpoint: collector.url, headers: undefined, serviceName: 'one', ratio: 1 };
  const tracer = openTracer(config, (error) => reported.push(error));
  tracer.start(undefined).end('request', 'ENGINE_ERROR', {});
  await tracer.close();
  t.regex(String(reported), /the collector of traces answered HTTP 503/);
  const [span] = collector.spans();
  t.like(span, { name: 'request', kind: 2, status: { code: 2 } });
  t.is(attribute(span!, 'error.type'), 'ENGINE_ERROR');
  const server = await serve(t, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }, []);
  t.is((await send(`${server.url}/network/graphql`, { query })).data?.network.total, 2);
});

test('traces are recorded by the ratio and by what their caller does, and the decision is passed on', async (t) => {
  const collector = await collect(t);
  const config = { endpoint: collector.url, headers: undefined, serviceName: 'one' };
  const tracers = [0, 0.5, 1].map((ratio) =>
    openTracer({ ...config, ratio }, (error) => t.fail(String(error))),
  );
  const parents = [
    '00-' + '0'.repeat(31) + '1-' + 'c'.repeat(16) + '-01',
    `00-${traced}f-${'c'.repeat(16)}-00`,
  ];
  const flags = tracers.map((tracer) =>
    parents.map((parent) => {
      const span = tracer.start(traceParentOf({ get: () => parent }));
      const child = span.child('client');
      child.end('child', null, { ratio: 0.25, none: undefined });
      t.is(span.traceId, parent.slice(3, 35));
      return child.traceparent.slice(-2);
    }),
  );
  t.deepEqual(flags, [
    ['00', '00'],
    ['01', '00'],
    ['01', '00'],
  ]);
  t.not(tracers[2]!.start(undefined).traceId, tracers[2]!.start(undefined).traceId);
  for (const malformed of ['', '00-x-y-01', `00-${traced}f-${'0'.repeat(16)}-01`])
    t.is(traceParentOf({ get: () => malformed }), undefined);
  for (const tracer of tracers) await tracer.close();
  const sent = collector.spans();
  t.deepEqual(
    sent.map(({ name, attributes }) => [name, attributes]),
    Array.from({ length: 2 }, () => ['child', [{ key: 'ratio', value: { doubleValue: 0.25 } }]]),
  );
});

test('a collector that is away costs a bounded amount of memory', async (t) => {
  const collector = await collect(t);
  const config = { endpoint: collector.url, headers: undefined, serviceName: 'one', ratio: 1 };
  const tracer = openTracer(config, (error) => t.fail(String(error)));
  for (let one = 0; one < 10_000; one += 1) tracer.start(undefined).end('request', null, {});
  await tracer.close();
  t.is(collector.spans().length, 4_096);
});
