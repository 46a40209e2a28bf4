import { createMcpHandler } from '@modelcontextprotocol/server';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { badUserInput, TributaryError } from '../../lib/errors/errors.ts';
import type { DoorModule, Entrance } from '../../server/http/doors/door.ts';
import { methodNotAllowed } from '../../server/http/koa/http-context.ts';
import { withMeantArguments } from './arguments.ts';
import { createTools, toolInputs } from './tools.ts';

/** Model Context Protocol over streamable HTTP, without sessions: each request is answered independently. */
export const { serve, errorBody }: DoorModule<Entrance> = {
  serve: async (context, entrance) => {
    if (entrance.path.length > 0)
      throw new TributaryError('NOT_FOUND', `there is nothing here: ${entrance.url} is the address`);
    if (context.method !== 'POST') throw methodNotAllowed(context, 'POST');
    const sent = await entrance.readBody();
    // the protocol has no batches, each part of which would cost what a request costs
    if (Array.isArray(sent)) throw badUserInput('send one message: batches are not part of the protocol');
    const parsedBody = withMeantArguments(sent, toolInputs);
    const handler = createMcpHandler(() => createTools(entrance));
    const left = new AbortController();
    context.res.once('close', () => {
      left.abort();
      void handler.close();
    });
    const request = new Request(`${entrance.origin}${context.path}`, {
      method: context.method,
      headers: headersOf(context.headers),
      signal: left.signal,
      body: JSON.stringify(parsedBody),
    });
    const response = await handler.fetch(request, { parsedBody });
    context.body = response.body === null ? null : Readable.fromWeb(response.body as ReadableStream);
    // after the body: setting none would make a 202 a 204
    context.status = response.status;
    for (const [name, value] of response.headers) context.set(name, value);
  },
  errorBody: ({ code, message }) => ({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32_000, message: `${message} (${code})` },
  }),
};

/** Headers about the encoding of the body, which has been unpacked and parsed. */
const ofBody: ReadonlySet<string> = new Set(['content-encoding', 'content-length', 'transfer-encoding']);

const headersOf = (headers: Readonly<Record<string, string | string[] | undefined>>): Headers => {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !ofBody.has(name)) all.set(name, [value].flat().join(', '));
  return all;
};
