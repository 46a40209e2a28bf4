import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ExecutionContext } from 'ava';
import { pino } from 'pino';
import { maxAnswerBytes } from '../../../src/lib/net/bodies.ts';
import { sendInBounds, jsonSender } from '../../../src/server/http/answers/send-json.ts';
import { httpServer, connectionLimits } from '../../../src/server/http/koa/http-server.ts';
import { createIndexingApp, refusalBody } from '../../../src/indexing/service/indexing-app.ts';
import { openApiDocument } from '../../../src/indexing/service/openapi-document.ts';
import type { FakeJobs } from './fake-jobs.ts';
import { fakeJobs } from './fake-jobs.ts';
import { listening } from '../../listening.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The body as JSON. */
  readonly body: unknown;
}

export interface RunningService {
  readonly port: number;
  readonly jobs: FakeJobs;
  readonly log: () => string;
  /** Sends a request as it stands: no header is added but host and content-length, and the path is not made proper. */
  readonly send: (method: string, path: string, options?: SendOptions) => Promise<Answer>;
  /** Sends bytes and gives those that come back until the connection ends. */
  readonly sendRaw: (bytes: string) => Promise<string>;
}

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface ServiceOptions {
  readonly jobs?: FakeJobs;
  readonly token?: string;
  /** The largest body of an answer. */
  readonly maxResponseBytes?: number;
}

/** The service on a port of its own until the test is over; every answer is one that its description knows. */
export const runService = async (
  t: ExecutionContext,
  { jobs = fakeJobs(), token, maxResponseBytes = maxAnswerBytes }: ServiceOptions = {},
): Promise<RunningService> => {
  let logged = '';
  const log = pino({ level: 'info' }, { write: (line: string) => void (logged += line) });
  const app = createIndexingApp({
    ...{ jobs, token, log },
    answers: [sendInBounds(jsonSender(maxResponseBytes))],
  });
  const { server, serve } = httpServer(connectionLimits, refusalBody);
  serve(app.callback());
  const { port } = await listening(t, server);
  return {
    port,
    jobs,
    log: () => logged,
    send: async (method, path, options = {}) => {
      const answer = await send(port, method, path, options);
      t.true(isDescribed(method, path, answer, token !== undefined), `${method} ${path}: ${answer.status}`);
      return answer;
    },
    sendRaw: async (bytes) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(bytes);
      return text(socket);
    },
  };
};

const send = async (port: number, method: string, path: string, options: SendOptions): Promise<Answer> => {
  const { headers = {}, body: content = '' } = options;
  const length = 'transfer-encoding' in headers ? {} : { 'content-length': Buffer.byteLength(content) };
  const sent = request({ port, host: '127.0.0.1', method, path, headers: { ...length, ...headers } });
  sent.end(content);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = await text(response);
  const isJson = response.headers['content-type']?.startsWith('application/json') === true;
  return {
    status: response.statusCode!,
    headers: response.headers,
    text: body,
    body: isJson && method !== 'HEAD' ? JSON.parse(body) : undefined,
  };
};

/** Whether the description has the status for the operation; what no operation stands for, it cannot describe. */
const isDescribed = (method: string, path: string, { status }: Answer, requiresToken: boolean): boolean => {
  const { paths } = openApiDocument({ requiresToken }) as unknown as {
    readonly paths: Record<string, Record<string, { readonly responses?: Record<string, unknown> }>>;
  };
  const template = Object.keys(paths).find((known) =>
    new RegExp(`^${known.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path.split('?')[0]!),
  );
  const responses = template === undefined ? undefined : paths[template]![method.toLowerCase()]?.responses;
  return responses === undefined || String(status) in responses;
};
