import { gzipSync } from 'node:zlib';
import type { Fault, NodeResponse } from '../processes/fault-proxy.ts';

/** The outcome of a node that fails for good. */
export interface StayedAway {
  readonly state: string;
  readonly stopped: RegExp;
}

export interface PageFault {
  readonly fault: Fault;
  /** In the manifest; null: the answer can be read, and nothing is missing. */
  readonly stayedAway: StayedAway | null;
  /** A transient one costs the rest of the rows: the answer looks right, and leads astray. */
  readonly misleads?: true;
}

const json = { 'content-type': 'application/json' };
const timeout: StayedAway = { state: 'timeout', stopped: /timed out|within \d+ ms/ };
const unreachable: StayedAway = { state: 'unreachable', stopped: /connection (closed|reset|failed)/ };
const down = (status: number): StayedAway => ({
  state: 'unreachable',
  stopped: new RegExp(`HTTP ${status}`),
});
const bad = (stopped: RegExp): StayedAway => ({ state: 'badResponse', stopped });

const send =
  (status: number, body: string | Buffer, headers: Record<string, string> = json): Fault =>
  (response) =>
    void response.writeHead(status, headers).end(body);

/** The answer as the node gave it, changed. */
const changed =
  (change: (answer: NodeResponse) => Partial<NodeResponse>): Fault =>
  async (response, forward) => {
    const answer = await forward();
    const { status, headers, body } = { ...answer, ...change(answer) };
    response.writeHead(status, headers).end(body);
  };

interface Edge {
  searchAfter: unknown;
  node: Record<string, unknown>;
}

/** The page of rows as the node gave it, changed; a count has none. */
const changedRows = (change: (edges: Edge[]) => Edge[]): Fault =>
  changed(({ body }) => {
    const answer = JSON.parse(body.toString()) as { data: Record<string, { hits: { edges?: Edge[] } }> };
    for (const { hits } of Object.values(answer.data)) if (hits.edges) hits.edges = change(hits.edges);
    return { body: Buffer.from(JSON.stringify(answer)) };
  });

/** The answer to the question before, again. */
const repeated = (): Fault => {
  let before: NodeResponse | null = null;
  return async (response, forward) => {
    before ??= await forward();
    response.writeHead(before.status, before.headers).end(before.body);
  };
};

/** Faults in the middle of a stream of pages, made anew for each use. */
export const pageFaults: Readonly<Record<string, () => PageFault>> = {
  'connection reset before an answer': () => ({
    fault: (response) => void response.socket?.resetAndDestroy(),
    stayedAway: unreachable,
  }),
  'connection closed before an answer': () => ({
    fault: (response) => void response.destroy(),
    stayedAway: unreachable,
  }),
  'connection cut in the middle of the body': () => ({
    fault: async (response, forward) => {
      const { status, headers, body } = await forward();
      response.writeHead(status, { ...headers, 'content-length': String(body.length) });
      response.write(body.subarray(0, body.length / 2), () => response.destroy());
    },
    stayedAway: unreachable,
  }),
  'no HTTP': () => ({
    fault: (response) => void response.socket?.end('220 mail.example.org ESMTP\r\n'),
    stayedAway: unreachable,
  }),
  stall: () => ({ fault: () => undefined, stayedAway: timeout }),
  'half an answer, then a stall': () => ({
    fault: async (response, forward) => {
      const { status, headers, body } = await forward();
      response.writeHead(status, { ...headers, 'content-length': String(body.length) });
      response.write(body.subarray(0, body.length / 2));
    },
    stayedAway: timeout,
  }),
  'slow bytes': () => ({
    fault: async (response, forward) => {
      const { status, headers, body } = await forward();
      response.writeHead(status, headers);
      let at = 0;
      const timer = setInterval(() => response.write(body.subarray(at, (at += 1))), 50);
      response.on('close', () => clearInterval(timer));
    },
    stayedAway: timeout,
  }),
  'truncated JSON': () => ({
    fault: changed(({ body }) => ({ body: body.subarray(0, body.length - 20) })),
    stayedAway: bad(/not GraphQL/),
  }),
  'an empty body': () => ({ fault: send(200, ''), stayedAway: bad(/not GraphQL/) }),
  'a web page': () => ({
    fault: send(200, '<!doctype html><title>Sign in</title>', { 'content-type': 'text/html' }),
    stayedAway: bad(/text\/html, not JSON/),
  }),
  'the wrong content type': () => ({
    fault: changed(() => ({ headers: { 'content-type': 'text/plain' } })),
    stayedAway: null,
  }),
  'cut gzip': () => ({
    fault: changed(({ body }) => ({
      headers: { ...json, 'content-encoding': 'gzip' },
      body: gzipSync(body).subarray(0, 60),
    })),
    stayedAway: bad(/cannot be decompressed/),
  }),
  'an encoding that was not requested': () => ({
    fault: changed(() => ({ headers: { ...json, 'content-encoding': 'zstd' } })),
    stayedAway: bad(/content encoding/),
  }),
  'HTTP 500': () => ({ fault: send(500, 'SELECT secret'), stayedAway: down(500) }),
  'HTTP 503': () => ({
    fault: send(503, '', { ...json, 'retry-after': '1' }),
    stayedAway: { state: 'busy', stopped: /busy or not ready: retry after 1 s/ },
  }),
  'HTTP 429 with Retry-After': () => ({
    fault: send(429, '{}', { ...json, 'retry-after': '1' }),
    stayedAway: { state: 'busy', stopped: /rate-limited: retry after 1 s/ },
  }),
  'HTTP 429 without Retry-After': () => ({
    fault: send(429, '{}'),
    stayedAway: { state: 'busy', stopped: /rate-limited$/ },
  }),
  'a redirect': () => ({
    fault: send(307, '', { location: '/elsewhere' }),
    stayedAway: bad(/redirects are not followed/),
  }),
  'GraphQL errors': () => ({
    fault: send(200, JSON.stringify({ data: null, errors: [{ message: 'SELECT secret' }] })),
    stayedAway: bad(/GraphQL errors/),
  }),
  'another catalogue’s answer': () => ({
    fault: send(200, '{"data":{"other":{"hits":{"total":3}}}}'),
    stayedAway: bad(/malformed/),
  }),
  'a page without rows': () => ({
    fault: changedRows(() => []),
    stayedAway: bad(/no more rows after \d+ of \d+/),
  }),
  'more rows than were requested': () => ({
    fault: changedRows((edges) => [...edges, ...edges]),
    stayedAway: bad(/returned \d+ rows where \d+ were requested/),
  }),
  'rows without their ids': () => ({
    fault: changedRows((edges) => edges.map(({ searchAfter }) => ({ searchAfter, node: {} }))),
    stayedAway: bad(/malformed/),
  }),
  'cursors that are none': () => ({
    fault: changedRows((edges) => edges.map((edge) => ({ ...edge, searchAfter: { at: 1 } }))),
    stayedAway: bad(/malformed/),
  }),
  'the page before, again': () => ({ fault: repeated(), stayedAway: bad(/returned rows again/) }),
  'a cursor that leads back': () => ({
    fault: changedRows((edges) => edges.map((edge) => ({ ...edge, searchAfter: edges[0]!.searchAfter }))),
    stayedAway: bad(/returned rows again|out of order/),
    misleads: true,
  }),
  'a cursor of nowhere': () => ({
    fault: changedRows((edges) => edges.map((edge) => ({ ...edge, searchAfter: ['nowhere', 'tie:x'] }))),
    stayedAway: bad(/GraphQL errors|out of order/),
    misleads: true,
  }),
};
