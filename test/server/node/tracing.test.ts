import { createServer } from 'node:http';
import { join } from 'node:path';
import { SpanStatusCode } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-node';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import { readEnvironment } from '../../../src/server/config/environment.ts';
import { loadConfig } from '../../../src/server/config/load.ts';
import { createApp } from '../../../src/server/http/app.ts';
import { openNode } from '../../../src/server/node/open-node.ts';
import { problemText } from '../../../src/lib/text/problem.ts';
import { temporaryFolder } from '../config/temporary-folder.ts';
import { fakeRepository, record } from '../../indexing/jobs/fake-repository.ts';
import { indexAll, onRecord, openQueue, run } from '../../indexing/jobs/queue-fixture.ts';
import { listening } from '../../listening.ts';

const titles = ['Atlas', 'Bees'];

/** A server over two books and over others' that have addresses. */
const serve = async (t: ExecutionContext, nodes: readonly object[] = []) => {
  const config = loadConfig(
    { DATA_PATH: join(temporaryFolder(t, {}), 'data') },
    {
      configs: { books: { documentType: 'book', esIndex: 'books' } },
      nodes: { nodes: [{ nodeId: 'here', catalogue: 'books' }, ...nodes] } as never,
    },
  );
  const lines: string[] = [];
  const node = await openNode(config, {
    log: pino({}, { write: (line) => void lines.push(line) }),
    secret: () => undefined,
    prepare: async (engine) => {
      const mapping = { properties: { title: { type: 'keyword' } } };
      await engine.manage({ kind: 'create', index: 'books', mapping });
      const writes = titles.map((title) => ({ kind: 'upsert', id: title, document: { title } }) as const);
      await engine.write('books', writes);
    },
  });
  t.teardown(() => node.close());
  const parts = node.join();
  await parts.networks.get('network')!.ready;
  /** The trace of the last question, discovery before it aside. */
  const lastTrace = (): unknown =>
    lines
      .map((line) => JSON.parse(line) as { readonly trace_id?: string; readonly kind?: string })
      .findLast(({ kind }) => kind !== undefined)?.trace_id;
  return { ...(await listening(t, createServer(createApp(parts).callback()))), lastTrace };
};

/** A hub over its own books and those of two servers, of which one is forwarded `traceparent`. */
const serveNetwork = async (t: ExecutionContext) => {
  const [far, other] = [await serve(t), await serve(t)];
  const remote = (nodeId: string, { url }: { readonly url: string }) => ({
    ...{ nodeId, graphqlUrl: `${url}/books/graphql`, documentType: 'book' },
    timeoutMs: 60_000,
  });
  const headers = ['traceparent'];
  const hub = await serve(t, [{ ...remote('far', far), headers }, remote('untraced', other)]);
  return { far, other, hub };
};

const filters = { op: 'in', content: { fieldName: 'title', value: ['Atlas'] } };
const query =
  'query ($filters: JSON) { network(filters: $filters) { total nodes { status } hits(first: 1) { edges { node { title } } } } }';

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

const traceId = `${'a'.repeat(31)}1`;
const parentId = 'b'.repeat(16);
const variables = { filters };

const exporter = new InMemorySpanExporter();
const parentOf = (span: ReadableSpan): string | undefined => span.parentSpanContext?.spanId;
const ofTrace = (id: string): ReadableSpan[] =>
  exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === id);

test.serial(
  'without an SDK a traceparent is forwarded as it came, and the log names its trace',
  async (t) => {
    const { hub, far, other } = await serveNetwork(t);
    const traceparent = `00-${traceId}-${parentId}-01`;
    const { data } = await send(`${hub.url}/network/graphql`, { query, variables }, { traceparent });
    t.is(data?.network.total, 3);
    t.deepEqual([hub.lastTrace(), far.lastTrace(), other.lastTrace()], [traceId, traceId, undefined]);
    const wrong = await send(`${hub.url}/books/graphql`, { query: '{ nothing }' });
    t.false('traceId' in wrong.errors![0]!.extensions);
  },
);

const exporting = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_SERVICE_NAME: 'hub' };

test.serial('variables of an SDK warn only where there is none', (t) => {
  t.deepEqual(readEnvironment(exporting).warnings.map(problemText), [
    'OTEL_EXPORTER_OTLP_ENDPOINT is not read: load an OpenTelemetry SDK with `--import`: it reads OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS',
  ]);
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
  t.deepEqual(readEnvironment(exporting).warnings, []);
});

test.serial(
  'a query over two servers is one trace, without filters, values, tokens or answers',
  async (t) => {
    const { hub, far, other } = await serveNetwork(t);
    const traceparent = `00-${traceId}-${parentId}-01`;
    const answer = await send(`${hub.url}/network/graphql`, { query, variables }, { traceparent });
    t.is(answer.data?.network.total, 3);
    await (await fetch(`${hub.url}/ping`)).text();
    const wrong = await send(`${hub.url}/books/graphql`, { query: '{ nothing }' });
    const ofError = String(wrong.errors![0]!.extensions['traceId']);

    const own = ofTrace(traceId);
    const below = (parent: string) => own.filter((span) => parentOf(span) === parent);
    const named = (name: string, spans = own) => spans.filter((span) => span.name === name);
    const [request, ...none] = below(parentId);
    t.deepEqual([request!.name, none], ['POST /network/graphql', []]);
    const parts = below(request!.spanContext().spanId);
    for (const name of ['plan', 'merge', 'query network', 'query catalogue', 'search engine'])
      t.true(named(name, parts).length > 0, name);
    const calls = named('query node', parts);
    t.deepEqual(calls.map(({ attributes }) => attributes['tributary.node']).sort(), ['far', 'untraced']);
    const ofFar = calls.find(({ attributes }) => attributes['tributary.node'] === 'far')!;
    const [inner, ...more] = named('POST /:catalogue/graphql');
    t.deepEqual([parentOf(inner!), more], [ofFar.spanContext().spanId, []]);
    const ofInner = below(inner!.spanContext().spanId);
    t.is(named('search engine', ofInner).length, 1);
    t.is(own.length, 2 + parts.length + ofInner.length);
    const untraced = other.lastTrace();
    t.deepEqual([far.lastTrace(), untraced === traceId], [traceId, false]);
    t.true(ofTrace(String(untraced)).some((span) => parentOf(span) === undefined));
    for (const { startTime, endTime } of own) {
      t.true(startTime[0] < endTime[0] || (startTime[0] === endTime[0] && startTime[1] <= endTime[1]));
      t.true(Math.abs(endTime[0] * 1_000 - Date.now()) < 600_000);
    }
    t.deepEqual(
      ofTrace(ofError).flatMap(({ attributes }) => attributes['http.response.status_code'] ?? []),
      [400],
    );
    const all = exporter.getFinishedSpans();
    t.false(all.some((span) => span.name.includes('ping')));
    const texts = all.map(({ name, attributes, status }) => JSON.stringify({ name, attributes, status }));
    t.notRegex(texts.join(), /Atlas|title|secret-token|authorization/);
  },
);

test.serial('what a caller does not record, no server of the query records', async (t) => {
  const { hub, far } = await serveNetwork(t);
  const unrecorded = `${'a'.repeat(31)}2`;
  const traceparent = `00-${unrecorded}-${parentId}-00`;
  const { data } = await send(`${hub.url}/network/graphql`, { query, variables }, { traceparent });
  t.is(data?.network.total, 3);
  t.deepEqual([hub.lastTrace(), far.lastTrace()], [unrecorded, unrecorded]);
  t.deepEqual(ofTrace(unrecorded), []);
});

test.serial('parts of a download that is still read have the request as their parent', async (t) => {
  const { url } = await serve(t);
  const traced = `${'a'.repeat(31)}3`;
  const files = [{ fileType: 'tsv', columns: [{ fieldName: 'title', Header: 'Title' }], sqon: null }];
  const response = await fetch(`${url}/books/download`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent: `00-${traced}-${parentId}-01` },
    body: JSON.stringify({ files }),
  });
  t.regex(await response.text(), /Atlas/);
  const spans = ofTrace(traced);
  const request = spans.find((span) => parentOf(span) === parentId)!;
  t.true(spans.length > 2, spans.map(({ name }) => name).join());
  for (const span of spans)
    if (span !== request) t.is(parentOf(span), request.spanContext().spanId, span.name);
});

test.serial(
  'an attempt at a job is a span with its state and counts, and nothing of its records',
  async (t) => {
    const { queue } = await openQueue(t, [fakeRepository({}, [record('a'), record('b')])]);
    const { jobId } = await run(queue, indexAll());
    await run(queue, onRecord('indexRecord', 'secret'));
    const spans = exporter.getFinishedSpans().filter(({ name }) => name === 'indexing job');
    t.deepEqual(
      spans.map((span) => [parentOf(span), span.status.code, span.attributes['error.type']]),
      [
        [undefined, SpanStatusCode.UNSET, undefined],
        [undefined, SpanStatusCode.ERROR, 'NOT_FOUND'],
      ],
    );
    t.like(spans[0]!.attributes, {
      ...{ 'tributary.job': jobId, 'tributary.repository': 'museum', 'tributary.index': 'things' },
      ...{ 'tributary.state': 'succeeded', 'tributary.fetched': 2, 'tributary.indexed': 2 },
    });
    t.notRegex(JSON.stringify(spans.map(({ attributes }) => attributes)), /secret/);
  },
);
