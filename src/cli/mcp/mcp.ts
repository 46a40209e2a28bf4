import type { Readable, Writable } from 'node:stream';
import { secretIn } from '../../server/config/environment.ts';
import { invalidInput } from '../../lib/errors/errors.ts';
import { isJsonObject } from '../../lib/json/json.ts';
import { connectionReason } from '../../lib/net/connection-reason.ts';
import { linesIn, parseCommandLine, runCommand, type Command } from '../terminal/command-line.ts';

/**
 * The command `tributary mcp`: forwards messages of the Model Context Protocol to a server, until its input ends.
 * @returns the exit code: 0 at the end of the input, 2 for an invalid command line
 */
export const runMcp: Command = (argv, env) =>
  runCommand(argv, env, {
    name: 'mcp',
    about: aboutMcp,
    rows: options,
    exit: '0 at the end of the input',
    optionsOf: mcpOptions,
    work: async (options) => {
      await passOn(process.stdin, process.stdout, options);
      return 0;
    },
  });

interface McpOptions {
  /** The URL for messages of the protocol. */
  readonly url: string;
  readonly token: string | undefined;
}

const mcpOptions = (argv: readonly string[], env: NodeJS.ProcessEnv): McpOptions => {
  const { values } = parseCommandLine(argv, options);
  const base = values.url ?? `http://127.0.0.1:${env['SERVER_PORT'] ?? '5050'}`;
  if (!URL.canParse(base) || !/^https?:/.test(base))
    throw invalidInput(`--url is not an address: http://127.0.0.1:5050, for example`);
  const url = base.replace(/\/$/, '');
  return { url: url.endsWith('/mcp') ? url : `${url}/mcp`, token: secretIn(env, 'TRIBUTARY_TOKEN') };
};

/** Forwards messages, one per line, concurrently; writes the answers in the order in which they arrive. */
export const passOn = async (input: Readable, output: Writable, options: McpOptions): Promise<void> => {
  const pending = new Set<Promise<void>>();
  for await (const line of linesIn(input)) {
    if (line.trim() === '') continue;
    const answered = answer(line, options).then((messages) => {
      for (const message of messages) output.write(`${message}\n`);
      pending.delete(answered);
    });
    pending.add(answered);
  }
  await Promise.all(pending);
};

const answer = async (line: string, { url, token }: McpOptions): Promise<readonly string[]> => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: line,
    });
    const text = await response.text();
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const messages = isStream ? dataOf(text) : [text];
    const given = messages.filter((message) => message.trim() !== '');
    // e.g. an HTML page of a proxy
    if (!given.every(isJson)) return failed(line, `${url} answered HTTP ${response.status} without JSON`);
    return given.map((message) => withId(message, line));
  } catch (error) {
    return failed(line, `${url} cannot be reached: ${connectionReason(error)}`);
  }
};

/** The messages in server-sent events. */
const dataOf = (events: string): readonly string[] =>
  events.split(/\r?\n\r?\n/).map((event) =>
    event
      .split(/\r?\n/)
      .filter((one) => one.startsWith('data:'))
      .map((one) => one.slice('data:'.length).trim())
      .join('\n'),
  );

const isJson = (message: string): boolean => {
  try {
    JSON.parse(message);
    return true;
  } catch {
    return false;
  }
};

/** Adds the message's id to an error without one, which came before parsing: the client waits for its own id. */
const withId = (message: string, line: string): string => {
  const parsed: unknown = JSON.parse(message);
  const id = idOf(line);
  return isJsonObject(parsed) && parsed['id'] === null && id !== undefined
    ? JSON.stringify({ ...parsed, id })
    : JSON.stringify(parsed);
};

/** An error response; none for a notification. */
const failed = (line: string, message: string): readonly string[] => {
  const id = idOf(line);
  return id === undefined ? [] : [JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message } })];
};

const idOf = (line: string): unknown => {
  try {
    const message: unknown = JSON.parse(line);
    return isJsonObject(message) ? message['id'] : undefined;
  } catch {
    return null;
  }
};

const options = { '--url URL': 'the server; http://127.0.0.1:SERVER_PORT by default' };

const aboutMcp = `
Speaks the Model Context Protocol on standard input and output, for agents that start programs, and passes what it reads
on to a running server. TRIBUTARY_TOKEN, or the file that TRIBUTARY_TOKEN_FILE names, is the token of the caller.`;
