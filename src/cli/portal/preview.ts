import { once } from 'node:events';
import { existsSync, watchFile, unwatchFile } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { PortalConfig } from '../../server/config/config.ts';
import { lookProblems, type LookNames } from '../../server/config/look-names.ts';
import { asTributaryError } from '../../lib/errors/errors.ts';
import { connectionReason } from '../../lib/net/connection-reason.ts';
import { problemText, type Problem } from '../../lib/text/problem.ts';

/** A running preview. */
export interface Preview {
  readonly url: string;
  readonly close: () => void;
}

interface PreviewOptions {
  /** The server whose pages and records are shown; ends with a slash. */
  readonly api: string;
  readonly port: number;
  /** The file that is being edited. */
  readonly file: string;
  /** Reads the file again. @throws TributaryError CONFIG_INVALID */
  readonly readLook: (warnings: Problem[]) => PortalConfig['look'];
  /** Called after each change with null, or with the problem in the file. */
  readonly onChange: (problem: string | null) => void;
}

const pollMs = 250;

/**
 * A server's portal with the look of a file that is being edited, on this machine only: everything but the look comes
 * from the server, and pages reload when the file changes. While the file is invalid or missing, they keep its last state.
 */
export const openPreview = async (options: PreviewOptions): Promise<Preview> => {
  const { api, port, file, readLook, onChange } = options;
  const watching = new Set<ServerResponse>();
  let look: PortalConfig['look'] = {};
  let wasThere = false;
  const read = (): void => {
    const isMissing = wasThere && !existsSync(file);
    const warnings: Problem[] = [];
    let problem = isMissing ? `${file} is missing` : null;
    try {
      if (!isMissing) look = readLook(warnings);
      if (warnings.length > 0) problem = warnings.map(problemText).join('; ');
      wasThere ||= existsSync(file);
    } catch (error) {
      problem = asTributaryError(error).message;
    }
    tell(problem);
    if (problem === null) void tellUnknown(look);
  };
  const tell = (problem: string | null): void => {
    onChange(problem);
    for (const response of watching) response.write(`data: ${JSON.stringify(problem)}\n\n`);
  };
  const tellUnknown = async (read: PortalConfig['look']): Promise<void> => {
    const names = await namesAt(api).catch(() => null);
    const problems = names === null ? [] : lookProblems(read, names);
    if (problems.length > 0 && read === look) tell(problems.join('; '));
  };
  read();
  watchFile(file, { interval: pollMs }, read);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '/', 'http://preview');
    if (pathname === '/portal/preview') return watch(response, watching);
    if (pathname === '/portal/assets/preview.js') return send(response, 'text/javascript', script);
    const served = await passOn(request, api);
    const headers = headersOf(served);
    if (pathname === '/portal/config.json' && served.ok)
      return send(
        response,
        'application/json',
        JSON.stringify({ ...((await served.json()) as object), look, publicUrl: null }),
      );
    if (served.headers.get('content-type')?.startsWith('text/html') && served.body !== null) {
      response.writeHead(served.status, headers);
      response.end((await served.text()).replace('</head>', `${tag}</head>`));
      return undefined;
    }
    response.writeHead(served.status, headers);
    if (served.body === null) response.end();
    else await pipeline(Readable.fromWeb(served.body), response);
    return undefined;
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(502, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(`${error instanceof Error ? error.message : String(error)}\n`);
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      unwatchFile(file, read);
      server.close();
      server.closeAllConnections();
    },
  };
};

const served = z.object({
  sources: z.array(z.object({ id: z.string(), kind: z.string(), path: z.string() })),
});
const described = z.object({ fields: z.record(z.string(), z.unknown()) });

/** What a server has, for a file that names it. @throws Error where that cannot be known, as without a token */
const namesAt = async (api: string): Promise<LookNames> => {
  const get = async (path: string): Promise<unknown> => (await fetch(new URL(path, api))).json();
  const { sources } = served.parse(await get('portal/config.json'));
  const fields = await Promise.all(
    sources.map(async ({ kind, path }) =>
      Object.keys(
        described.parse(
          await get(kind === 'network' ? `${path}/introspection/fields` : `introspection/${path}`),
        ).fields,
      ),
    ),
  );
  return { fields: new Set(fields.flat()), sources: sources.map(({ id }) => id) };
};

/** @throws Error naming the server that does not answer, and why */
const passOn = async (request: IncomingMessage, api: string): Promise<Response> => {
  const headers = new Headers();
  for (const name of ['accept', 'accept-language', 'authorization', 'content-type']) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
  // the dot makes it a relative path, even if it begins with two slashes
  return fetch(new URL(`.${request.url}`, api), {
    method: request.method ?? 'GET',
    headers,
    redirect: 'manual',
    ...(hasBody && { body: Readable.toWeb(request), duplex: 'half' }),
  }).catch((cause: unknown) => {
    throw new Error(`${api} does not answer: ${connectionReason(cause)}`, { cause });
  });
};

/** Leaves out headers of the encoding, which fetch has decoded, and of the connection. */
const headersOf = ({ headers }: Response): Record<string, string> =>
  Object.fromEntries(
    [...headers].filter(
      ([name]) => !/^(connection|keep-alive|transfer-encoding|content-(encoding|length))$/.test(name),
    ),
  );

const send = (response: ServerResponse, type: string, text: string): void => {
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' });
  response.end(text);
};

const watch = (response: ServerResponse, watching: Set<ServerResponse>): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.flushHeaders();
  watching.add(response);
  response.once('close', () => watching.delete(response));
};

const tag = '<script type="module" src="/portal/assets/preview.js"></script>\n';

/** Reloads the page, or shows the file's problem above it. */
const script = `new EventSource('/portal/preview').onmessage = ({ data }) => {
  const problem = JSON.parse(data);
  if (problem === null) return location.reload();
  const note = document.querySelector('#preview-problem') ?? document.createElement('p');
  note.id = 'preview-problem';
  note.className = 'note warn';
  note.setAttribute('role', 'alert');
  note.textContent = problem;
  document.body.prepend(note);
};
`;
