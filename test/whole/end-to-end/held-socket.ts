import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { programEnvironment, programFile } from '../../program.ts';
import type { Settings } from './processes.ts';

/** A server whose listening socket outlives it, as systemd keeps it. */
export interface HeldServer {
  readonly url: string;
  /** SIGTERM, waits for the end, and starts the next. @returns the exit code */
  readonly restart: () => Promise<number>;
  readonly close: () => Promise<void>;
}

/** A shell that keeps file descriptor 3: each line of its input ends the server, if there is one, and starts the next. */
const holder = `
server=
trap '' TERM
while read -r next; do
  if [ -n "$server" ]; then kill -TERM "$server"; wait "$server"; echo "ended $?"; fi
  if [ "$next" = stop ]; then exit; fi
  LISTEN_FDS=1 /bin/sh -c 'trap - TERM; LISTEN_PID=$$; export LISTEN_PID; exec "$@"' server "$@" >/dev/null &
  server=$!
done
`;

/** Starts a server on a socket that this function opened, and that a shell keeps. */
export const startHeld = async (settings: Settings): Promise<HeldServer> => {
  const listener = createServer();
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  // Node.js has no other way to name the socket of a server
  const { fd } = (listener as unknown as { readonly _handle: { readonly fd: number } })._handle;
  const child = spawn('/bin/sh', ['-c', holder, 'holder', process.execPath, programFile, 'start'], {
    env: { ...programEnvironment, LOG_LEVEL: 'warn', INDEXING_PORT: 'off', ...settings },
    stdio: ['pipe', 'pipe', 'inherit', fd],
  });
  listener.close();
  const [input, output] = [child.stdin!, child.stdout!];
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  const end = async (): Promise<number> => Number((await lines.next()).value!.replace('ended ', ''));
  input.write('start\n');
  return {
    url,
    restart: () => {
      input.write('start\n');
      return end();
    },
    close: async () => {
      const closed = once(child, 'close');
      input.write('stop\n');
      await closed;
    },
  };
};

/** What requests over connections that are kept as long as the server keeps them have come to. */
export interface Traffic {
  readonly answered: () => number;
  readonly failures: readonly string[];
  /** Resolves once every client has its answer. */
  readonly stop: () => Promise<void>;
}

/** Clients that send one request after the other, some at once, others a moment later. */
export const traffic = (clients: number, url: string, body: string): Traffic => {
  const failures: string[] = [];
  let answered = 0;
  let isOver = false;
  const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const client = async (agent: Agent, eager: boolean): Promise<void> => {
    while (!isOver) {
      try {
        const sent = request(`${url}/graphql`, { ...init, agent });
        sent.end(body);
        const [response] = (await once(sent, 'response')) as [IncomingMessage];
        const answer = await text(response);
        if (response.statusCode === 200 && answer.endsWith('}')) answered += 1;
        else failures.push(`${response.statusCode} ${answer.slice(0, 200)}`);
      } catch (error) {
        failures.push(String(error));
      }
      if (!eager) await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
    }
    agent.destroy();
  };
  const all = Array.from({ length: clients }, (_, at) =>
    client(new Agent({ keepAlive: true, maxSockets: 1 }), at % 2 === 0),
  );
  return {
    answered: () => answered,
    failures,
    stop: async () => {
      isOver = true;
      await Promise.all(all);
    },
  };
};
