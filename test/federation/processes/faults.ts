import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Fault } from './fault-proxy.ts';

/** What a fault must come to in `nodes`. */
export interface ExpectedFailure {
  readonly state: 'timeout' | 'unreachable' | 'refused' | 'badResponse';
  readonly code: string;
  readonly errors: RegExp;
}

const timeout: ExpectedFailure = {
  state: 'timeout',
  code: 'NODE_TIMEOUT',
  errors: /^did not answer (in time|within \d+ ms)$/,
};
const unreachable = (errors: RegExp): ExpectedFailure => ({
  state: 'unreachable',
  code: 'NODE_UNREACHABLE',
  errors,
});
const badResponse = (errors: RegExp): ExpectedFailure => ({
  state: 'badResponse',
  code: 'NODE_BAD_RESPONSE',
  errors,
});
const connection = unreachable(/^connection (closed|reset|failed)$/);

const json = { 'content-type': 'application/json' };
const send =
  (status: number, body: string, headers: Record<string, string> = json): Fault =>
  (response) =>
    void response.writeHead(status, headers).end(body);

/** The answer's headers and its first half, then whatever comes. */
const half =
  (goOn: (response: ServerResponse) => void): Fault =>
  async (response, forward) => {
    const { status, headers, body } = await forward();
    response.writeHead(status, { ...headers, 'content-length': String(body.length) });
    response.write(body.subarray(0, body.length / 2), () => goOn(response));
  };

/** More than any answer may be. */
const tooLarge = 80 * 1024 * 1024;

/** Writes as fast as it is read, until enough or the reader leaves. */
const flood: Fault = (response) => {
  const chunk = Buffer.alloc(1024 * 1024, ' ');
  let left = tooLarge / chunk.length;
  const pour = (): void => {
    while (left-- > 0) if (!response.write(chunk)) return void response.once('drain', pour);
    response.end();
  };
  response.writeHead(200, json);
  pour();
};

const drip: Fault = async (response, forward) => {
  const { status, headers, body } = await forward();
  response.writeHead(status, headers);
  let at = 0;
  const timer = setInterval(() => response.write(body.subarray(at, (at += 1))), 100);
  response.on('close', () => clearInterval(timer));
};

/** A well-formed answer to any question, but for what `change` does to its only catalogue. */
const changed =
  (change: (document: Record<string, never>) => void): Fault =>
  async (response, forward) => {
    const { status, headers, body } = await forward();
    const answer = JSON.parse(body.toString()) as { data: Record<string, Record<string, never>> };
    for (const document of Object.values(answer.data)) change(document);
    response.writeHead(status, headers).end(JSON.stringify(answer));
  };

/** A node's own words, which no caller may read. */
export const foreignText = 'SELECT secret FROM /srv/app/db.ts:12';
const graphqlError = (extensions: object) =>
  JSON.stringify({ data: null, errors: [{ message: foreignText, extensions }] });

// packed beforehand: it takes a good part of the node's time
const bomb = gzipSync(Buffer.alloc(tooLarge, ' '));

interface FaultCase {
  readonly fault: Fault;
  readonly expected: ExpectedFailure;
  /** Its answer is long: a busy machine may take longer to read it than the node's deadline. */
  readonly isLong?: boolean;
}

/** What can go wrong between two processes. */
export const faults: Readonly<Record<string, FaultCase>> = {
  'no answer at all': { fault: () => undefined, expected: timeout },
  'a slow drip': { fault: drip, expected: timeout },
  'half an answer, then silence': { fault: half(() => undefined), expected: timeout },
  'cut before the headers': { fault: (response) => void response.destroy(), expected: connection },
  'cut after the headers': {
    fault: (response) => {
      response.writeHead(200, { ...json, 'content-length': '100' });
      response.flushHeaders();
      setTimeout(() => response.destroy(), 50);
    },
    expected: connection,
  },
  'cut in the middle of the body': { fault: half((response) => response.destroy()), expected: connection },
  'no HTTP': {
    fault: (response) => void response.socket?.end('220 mail.example.org ESMTP\r\n'),
    expected: connection,
  },
  'HTTP 500': { fault: send(500, foreignText), expected: unreachable(/^answered HTTP 500$/) },
  'HTTP 503': { fault: send(503, foreignText), expected: unreachable(/^answered HTTP 503$/) },
  'HTTP 403': {
    fault: send(403, foreignText),
    expected: {
      state: 'refused',
      code: 'NODE_REFUSED',
      errors: /^needs a credential, or another one \(HTTP 403\)$/,
    },
  },
  'GraphQL errors on HTTP 200': {
    fault: send(200, graphqlError({})),
    expected: badResponse(/^answered with GraphQL errors$/),
  },
  'GraphQL errors beside data': {
    fault: async (response, forward) => {
      const answer = JSON.parse((await forward()).body.toString()) as object;
      await send(200, JSON.stringify({ ...answer, errors: [{ message: foreignText }] }))(response, forward);
    },
    expected: badResponse(/^answered with GraphQL errors$/),
  },
  'a refusal as GraphQL': {
    fault: send(200, graphqlError({ code: 'FORBIDDEN' })),
    expected: {
      state: 'refused',
      code: 'NODE_REFUSED',
      errors: /^answered with GraphQL errors \(FORBIDDEN\)$/,
    },
  },
  'no JSON': { fault: send(200, '{"data":{"speci'), expected: badResponse(/^the answer is not GraphQL$/) },
  'JSON of another kind': { fault: send(200, '[1,2,3]'), expected: badResponse(/^the answer is /) },
  'an empty body': { fault: send(200, ''), expected: badResponse(/^the answer is not GraphQL$/) },
  'a web page': {
    fault: send(200, '<!doctype html><title>Sign in</title>', { 'content-type': 'text/html' }),
    expected: badResponse(/^the answer is text\/html, not JSON$/),
  },
  'a huge body': {
    fault: flood,
    expected: badResponse(/^the answer is larger than 67108864 bytes$/),
    isLong: true,
  },
  'a gzip bomb': {
    fault: (response) => void response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(bomb),
    expected: badResponse(/^the answer is larger than 67108864 bytes$/),
    isLong: true,
  },
  'a redirect to the same host': {
    fault: send(307, '', { location: '/graphql?again' }),
    expected: badResponse(/^redirects are not followed \(HTTP 307\)$/),
  },
  'a negative count': {
    fault: changed((document) => Object.assign(document, { hits: { total: -5, edges: [] } })),
    expected: badResponse(/^the answer is malformed at hits\.total$/),
  },
  'no catalogue': {
    fault: send(200, '{"data":{"specimen":null}}'),
    expected: badResponse(/^the answer is malformed at specimen$/),
  },
  'a value nested 100 000 levels deep': {
    fault: async (response, forward) => {
      const { body } = await forward();
      const deep = `"_source":{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
      response.writeHead(200, json).end(body.toString().replace(/"_source":\{[^}]*\}/, deep));
    },
    expected: badResponse(/^the answer /),
  },
};
