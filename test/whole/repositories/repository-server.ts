import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import Koa from 'koa';
import type { Fault } from './faults.ts';
import { misbehave } from './faults.ts';
import { listen } from '../../listening.ts';

/** What a repository does wrong; may be changed while it runs. */
export interface Switches {
  /** Before each answer that lists records. */
  pageLatencyMs: number;
  fault: Fault | null;
  /** Listings answered well before the fault begins. */
  goodPages: number;
  /** Requests the fault spoils before all is well again. */
  faultTimes: number;
  /** Spoils only requests whose path and query hold this text; "" is all of them. */
  faultOn: string;
}

export interface LoggedRequest {
  /** Path and query as they came. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

export interface RepositoryServer {
  readonly url: string;
  /** Every request, in order. */
  readonly requests: LoggedRequest[];
  readonly switches: Switches;
  close(): Promise<void>;
}

/** What one kind of repository answers to a GET; undefined for an address it does not know. */
export type Answer = (path: readonly string[], query: URLSearchParams) => Answered | undefined;

export interface Answered {
  readonly status: number;
  readonly body: unknown;
  /** A page of records, in contrast to one record or a list of names. */
  readonly isPage?: boolean;
}

/** One kind of repository. */
export interface Repository {
  readonly answer: Answer;
  readonly quirks: object;
  /** Replaces members of the record, or takes it out with null. @returns false when there is none of the id */
  readonly change: (recordId: string, members: object | null) => boolean;
}

export interface Address {
  /** Any that is free without it. */
  readonly port?: number;
  /** A path in front of every other. */
  readonly basePath?: string;
}

/** Serves on 127.0.0.1 until it is closed. */
export const serveRepository = async (
  repository: Repository,
  { port = 0, basePath = '' }: Address,
): Promise<RepositoryServer> => {
  const requests: LoggedRequest[] = [];
  const switches: Switches = {
    pageLatencyMs: 0,
    fault: null,
    goodPages: 0,
    faultTimes: Infinity,
    faultOn: '',
  };
  const app = new Koa();
  // a connection that ends early is what tests are about; anything else is a mistake here
  app.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') console.error(error);
  });
  app.use(async (context) => {
    const { req, res } = context;
    const address = req.url ?? '/';
    if (address.startsWith('/_control')) {
      context.status = await control(repository, switches, req);
      return;
    }
    requests.push({ url: address, headers: req.headers });
    const { pathname, searchParams } = new URL(address, 'http://localhost');
    const path = pathname.startsWith(`${basePath}/`) ? segmentsOf(pathname.slice(basePath.length)) : [];
    const answered = context.method === 'GET' ? repository.answer(path, searchParams) : undefined;
    if (answered?.isPage) await delay(switches.pageLatencyMs);
    const fault = takeFault(switches, address, answered);
    if (fault !== null) {
      context.respond = false;
      return misbehave(fault, res);
    }
    context.status = answered?.status ?? 404;
    context.body = answered?.body ?? { message: 'no such address' };
  });
  const { url, stop } = await listen(createServer(app.callback()), port);
  return {
    url: `${url}${basePath}`,
    requests,
    switches,
    close: stop,
  };
};

const segmentsOf = (pathname: string): string[] => pathname.split('/').slice(1).map(decodeURIComponent);

/** Changes a repository that runs in a separate process. @returns the status */
const control = async (
  repository: Repository,
  switches: Switches,
  request: IncomingMessage,
): Promise<number> => {
  const [, records, recordId] = segmentsOf(request.url ?? '');
  const body = request.method === 'PATCH' ? ((await json(request)) as Record<string, object>) : null;
  if (records === 'records' && recordId !== undefined) return repository.change(recordId, body) ? 204 : 404;
  Object.assign(switches, body?.['switches']);
  Object.assign(repository.quirks, body?.['quirks']);
  return body === null ? 405 : 204;
};

/** The fault this request meets; counts good pages and faults down. */
const takeFault = (switches: Switches, address: string, answered: Answered | undefined): Fault | null => {
  if (switches.fault === null || !address.includes(switches.faultOn) || switches.faultTimes <= 0) return null;
  if (switches.goodPages > 0) {
    if (answered?.isPage) switches.goodPages -= 1;
    return null;
  }
  switches.faultTimes -= 1;
  return switches.fault;
};
