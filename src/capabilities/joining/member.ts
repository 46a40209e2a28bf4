import { once } from 'node:events';
import {
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { WebSocket } from 'ws';
import type { Admission, CloseReason, Identity, Membership } from './handshake.ts';
import { answerGreeting, checkAdmission, HandshakeError, keyThumbprint } from './handshake.ts';
import { dialPath } from '../../federation/remote/node-statements.ts';
import { memberKeyHeader } from './hubs-file.ts';
import { proxyFor, ProxyRefusal } from './proxy.ts';
import {
  closedBy,
  closeWith,
  maxMessageBytes,
  readLastWord,
  receiveText,
  sessionOptions,
  tunnelStream,
} from './web-socket.ts';

/** Answers a request that came through a tunnel. */
export type ServeTunnelled = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

export interface DialSettings {
  readonly membership: Membership;
  readonly identity: Identity;
  readonly serve: ServeTunnelled;
  readonly maxResponseBytes: number;
  /** HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in upper or lower case. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: { readonly info: LogFn; readonly warn: LogFn };
  /** The hub has changed its key: the new thumbprint. */
  readonly onHubKey?: (thumbprint: string) => void;
}

type LogFn = (details: object, message: string) => void;

export interface Dialling {
  /** Resolves with the first tunnel. */
  readonly connected: Promise<unknown>;
  /** Stops new requests; those in progress may end until the connection is closed. */
  readonly retire: () => void;
  readonly close: () => Promise<void>;
}

const handshakeMs = 10_000;
/** How long requests in progress may take when a tunnel is closed. */
const finishMs = 2_000;
const firstPauseMs = 1_000;
const maxPauseMs = 60_000;
/** A member that waits to be accepted dials more often: its administrator is waiting too. */
const invitedPauseMs = 5_000;
/** The time over which members return to a hub that has stopped or cannot be reached. */
const spreadMs = 10_000;
/** How long a hub that cannot be reached is assumed to be restarting. */
const restartMs = 300_000;

/**
 * How long to wait before dialling again, in milliseconds: full jitter, so that the members of a hub do not all come back
 * at once.
 * @param reason why there is no tunnel
 * @param failures the number of failures in a row
 * @param goneMs the time since there was a tunnel, or since the first attempt
 */
export const pauseMs = (reason: Error, failures: number, goneMs: number): number => {
  const why = reason instanceof HandshakeError ? reason.reason : 'lost';
  // the process that has replaced this one, such as its successor, must stay
  if (why === 'replaced') return maxPauseMs;
  const growing = Math.min(maxPauseMs, firstPauseMs * 2 ** failures);
  const lost = goneMs < restartMs ? Math.min(spreadMs, growing) : growing;
  const pauses: Partial<Record<CloseReason, number>> = {
    ...{ invited: invitedPauseMs, goingAway: spreadMs },
    ...{ lost, tooSlow: lost },
  };
  return Math.random() * (pauses[why] ?? growing);
};

/** Keeps a tunnel to a hub: dials, serves, and dials again after it was lost. */
export const dialHub = (settings: DialSettings): Dialling => {
  const { membership, log } = settings;
  const ended = new AbortController();
  const connected = Promise.withResolvers<null>();
  let isRetired = false;
  let session: ServerHttp2Session | null = null;
  let logged = '';
  /** Logs a change; null: connected. */
  const note = (reason: string | null, isInvited = false): void => {
    if (logged === String(reason)) return;
    logged = String(reason);
    const details = { hub: membership.audience, node: membership.nodeId };
    if (reason === null) log.info(details, 'connected to the hub');
    else
      log.warn(
        { ...details, reason },
        isInvited ? 'waits to be accepted by the hub' : 'not connected to the hub',
      );
  };
  const keepDialling = async (): Promise<void> => {
    let failures = 0;
    let goneSince = Date.now();
    while (!ended.signal.aborted && !isRetired) {
      const reason = await dialOnce(settings, ended.signal, (opened) => {
        session = opened;
        connected.resolve(null);
        failures = 0;
        note(null);
      }).catch((error: unknown) => error as Error);
      if (session !== null) goneSince = Date.now();
      session = null;
      if (ended.signal.aborted || isRetired) return;
      note(reason.message, reason instanceof HandshakeError && reason.reason === 'invited');
      const waitMs = pauseMs(reason, failures, Date.now() - goneSince) + 50;
      failures = Math.min(failures + 1, 10);
      await sleep(waitMs, undefined, { signal: ended.signal, ref: false }).catch(() => undefined);
    }
  };
  const done = keepDialling();
  return {
    connected: connected.promise,
    retire: () => {
      isRetired = true;
      session?.close();
    },
    close: async () => {
      if (session !== null) await finished(session);
      ended.abort();
      await done;
    },
  };
};

/** Resolves once the requests in progress are answered, or after their time limit. */
const finished = async (session: ServerHttp2Session): Promise<void> => {
  const closed = new Promise((resolve) => session.once('close', () => resolve(null)));
  // a session that was retired is already closing, and never calls back
  session.close();
  await Promise.race([closed, sleep(finishMs, undefined, { ref: false })]);
};

/** Dials once, and resolves with the reason when the tunnel has ended. @throws HandshakeError, or errors of the connection */
const dialOnce = async (
  settings: DialSettings,
  ended: AbortSignal,
  onOpen: (session: ServerHttp2Session) => void,
): Promise<Error> => {
  const socket = openSocket(settings);
  const close = (): void => closeWith(socket, 'goingAway', 'this server stops');
  ended.addEventListener('abort', close);
  let lastWord: Error | null = null;
  const closed = new Promise<Error>((resolve) =>
    socket.once('close', (code, reason) => resolve(lastWord ?? closedBy(code, reason.toString()))),
  );
  try {
    const { state, next } = await shakeHands(socket, settings, ended);
    if (next !== undefined) settings.onHubKey?.(keyThumbprint(next));
    if (state === 'invited') throw new HandshakeError('invited', 'waits to be accepted by the hub');
    // before the first bytes of HTTP/2
    socket.send('ready');
    const session = serveOver(socket, settings);
    session.once('goaway', (_code, _stream, data) => (lastWord = readLastWord(data)));
    onOpen(session);
    return await closed;
  } catch (error) {
    socket.terminate();
    throw error;
  } finally {
    ended.removeEventListener('abort', close);
  }
};

/**
 * Introduces this server to a hub that has invited it, and hangs up.
 * @returns whether it is already accepted, and what the hub reports about its network
 * @throws HandshakeError, or errors of the connection
 */
export const introduce = (settings: CallSettings): Promise<Admission> =>
  calling(settings, async (_socket, admission) => admission);

/**
 * Notifies a hub that this server has left its network. Nothing else does, and an open tunnel of this server ends.
 * @returns `invited`: the hub had not accepted it, and has nothing to note
 * @throws HandshakeError, or errors of the connection
 */
export const sayGoodbye = (settings: CallSettings): Promise<Admission['state']> =>
  calling(settings, async (socket, { state }) => {
    if (state === 'invited') return state;
    const closed = once(socket, 'close');
    socket.send('ready');
    closeWith(socket, 'left', 'this server has left the network');
    await closed;
    return state;
  });

type CallSettings = Pick<DialSettings, 'membership' | 'identity' | 'env'>;

/** Dials, exchanges the messages, and hangs up. */
const calling = async <Answer>(
  settings: CallSettings,
  say: (socket: WebSocket, admission: Admission) => Promise<Answer>,
): Promise<Answer> => {
  const socket = openSocket(settings);
  try {
    return await say(socket, await shakeHands(socket, settings, new AbortController().signal));
  } finally {
    socket.terminate();
  }
};

const shakeHands = async (
  socket: WebSocket,
  { membership, identity }: CallSettings,
  ended: AbortSignal,
): Promise<Admission> => {
  const signal = AbortSignal.any([ended, AbortSignal.timeout(handshakeMs)]);
  const greeting = await receiveText(socket, signal);
  const { statement, ...answered } = await answerGreeting(greeting, membership, identity);
  socket.send(statement);
  return checkAdmission(await receiveText(socket, signal), answered, membership.nodeId);
};

const openSocket = ({ membership: { audience }, identity, env }: CallSettings): WebSocket => {
  const url = new URL(audience);
  const target = `${url.protocol === 'http:' ? 'ws' : 'wss'}://${url.host}${url.pathname.replace(/\/$/, '')}${dialPath}`;
  const proxy = proxyFor(url, env);
  const agent = proxy === null ? undefined : new HttpsProxyAgent(proxy);
  const socket = new WebSocket(target, {
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    handshakeTimeout: handshakeMs,
    followRedirects: false,
    headers: { [memberKeyHeader]: identity.thumbprint },
    agent,
  });
  // reported by the function that waits for its messages
  socket.on('error', () => undefined);
  agent?.on('proxyConnect', ({ statusCode }) => {
    if (statusCode !== 200) socket.emit('error', new ProxyRefusal(statusCode));
  });
  return socket;
};

/** The maximum that an answer writes ahead of its reader: a session applies one limit to the sum over all streams. */
const pieceBytes = 64 * 1024;

/** Writes a whole body in pieces, each once the reader has room for it. */
const endInPieces = (response: Http2ServerResponse): void => {
  const end = response.end.bind(response);
  const endWith = (body?: string | Uint8Array): Http2ServerResponse => {
    if (body === undefined) return end();
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    return bytes.length <= pieceBytes ? end(bytes) : Readable.from(piecesOf(bytes)).pipe(response);
  };
  Object.assign(response, { end: endWith });
};

/**
 * Gives a response the state that one of HTTP/1 has: of HTTP/2, a cancelled one counts as finished, and the work for a hub
 * that has left would go on.
 */
const showState = (response: Http2ServerResponse): void => {
  const { stream } = response;
  Object.defineProperties(response, {
    closed: { get: () => stream.closed },
    destroyed: { get: () => stream.destroyed },
    writableNeedDrain: { get: () => stream.writableNeedDrain },
    writableFinished: { get: () => stream.writableFinished && !stream.aborted },
  });
};

const piecesOf = function* (bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
};

/** Serves HTTP/2 over an open connection. */
const serveOver = (socket: WebSocket, { serve, maxResponseBytes }: DialSettings): ServerHttp2Session => {
  const server = createServer(sessionOptions(maxResponseBytes), (request, response) => {
    endInPieces(response);
    showState(response);
    serve(request, response);
  });
  let opened: ServerHttp2Session | null = null;
  server.once('session', (session) => {
    opened = session;
    session.on('error', () => undefined);
    session.once('close', () => socket.terminate());
  });
  // its session exists at once
  server.emit('connection', tunnelStream(socket));
  return opened!;
};
