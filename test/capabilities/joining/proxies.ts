import { createServer, request as httpRequest, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ExecutionContext } from 'ava';
import { generate } from 'selfsigned';
import { listen, type Listening } from '../../listening.ts';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A certificate for localhost that an organization has issued to itself. */
export const certificateOf = async (organization: string, validFrom = new Date()): Promise<Certificate> => {
  const names = [{ name: 'organizationName', value: organization }];
  const notAfterDate = new Date(validFrom.getTime() + 24 * 60 * 60 * 1000);
  const { private: key, cert } = await generate(names, {
    ...{ keyType: 'ec', notBeforeDate: validFrom, notAfterDate },
    extensions: [
      { name: 'basicConstraints', cA: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
  return { key, cert };
};

const serverOf = (certificate: Certificate | undefined, listener: RequestListener) =>
  certificate === undefined ? createServer(listener) : createTlsServer({ ...certificate }, listener);

/** Sends bytes both ways until either end closes. */
export const joinStreams = (one: Duplex, other: Duplex): void => {
  one.pipe(other);
  other.pipe(one);
  for (const [end, far] of [
    [one, other],
    [other, one],
  ] as const) {
    end.on('error', () => far.destroy());
    end.once('close', () => far.destroy());
  }
};

export interface ProxyOptions {
  /** `name:password`; unset: nobody needs one. */
  readonly credentials?: string;
  /** Refuses everything with this status. */
  readonly status?: number;
  /** Where all connections go instead, as to a proxy that inspects TLS. */
  readonly port?: number;
  /** Its own; unset: it speaks plain HTTP. */
  readonly certificate?: Certificate;
  /** Its own port; unset: any that is free. */
  readonly listenAt?: number;
}

export interface Proxy extends Listening {
  /** What it was to connect to, host and port. */
  readonly connected: readonly string[];
}

/** An HTTP proxy that allows CONNECT, until `stop`. */
export const openProxy = async ({
  credentials,
  status,
  port,
  certificate,
  listenAt,
}: ProxyOptions = {}): Promise<Proxy> => {
  const connected: string[] = [];
  const server = serverOf(certificate, (_, response) => response.writeHead(405).end());
  const wanted = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
  server.on('connect', ({ url = '', headers }: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    const refusal =
      status ?? (wanted !== undefined && headers['proxy-authorization'] !== wanted ? 407 : null);
    if (refusal !== null) return void socket.end(`HTTP/1.1 ${refusal} No\r\nContent-Length: 0\r\n\r\n`);
    connected.push(url);
    const { hostname, port: own } = new URL(`http://${url}`);
    const far = connect(port ?? Number(own || 80), port === undefined ? hostname : '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      joinStreams(socket, far);
    });
    far.on('error', () => socket.destroy());
  });
  return { ...(await listen(server, listenAt)), connected };
};

export interface FrontOptions {
  readonly certificate?: Certificate;
  /** As many proxies are configured by default. */
  readonly stripsUpgrade?: boolean;
  /** Its own; unset: any that is free. */
  readonly port?: number;
}

/** A reverse proxy before a server on this machine, until `stop`. */
export const openFront = async (
  to: number,
  { certificate, stripsUpgrade = false, port }: FrontOptions = {},
): Promise<Listening> => {
  const forward = (request: IncomingMessage, headers: IncomingMessage['headers']) =>
    httpRequest({ port: to, host: '127.0.0.1', method: request.method, path: request.url, headers });
  const server = serverOf(certificate, (request, response) => {
    const { upgrade: _upgrade, ...headers } = request.headers;
    const sent = forward(request, { ...headers, connection: 'close' });
    sent.on('response', (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    sent.on('error', () => response.destroy());
    request.pipe(sent);
  });
  if (!stripsUpgrade)
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const sent = forward(request, request.headers);
      socket.on('error', () => sent.destroy());
      sent.on('error', () => socket.destroy());
      sent.on('upgrade', (answer, far, farHead) => {
        const lines = answer.rawHeaders.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`));
        socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`);
        socket.write(farHead);
        far.write(head);
        joinStreams(socket, far);
      });
      sent.on('response', (answer) => {
        socket.end(`HTTP/1.1 ${answer.statusCode} No\r\nContent-Length: 0\r\n\r\n`);
        answer.resume();
      });
      sent.end();
    });
  return listen(server, port);
};

/** What listens until a test is over. */
export const during = async <Open extends Pick<Listening, 'stop'>>(
  t: ExecutionContext,
  opening: Promise<Open>,
): Promise<Open> => {
  const opened = await opening;
  t.teardown(opened.stop);
  return opened;
};
