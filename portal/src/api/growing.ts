import {
  ApiError,
  dataOf,
  query,
  reading,
  request,
  send,
  type GraphQLBody,
  type NetworkPart,
} from './server.ts';

/** Answers soon, with at least one fast institution. Most networks have answered completely by then. */
const soon = '{ share: 0.01, ms: 1500 }';
/**
 * The maximum number of slow answers at the same time: of a browser's six connections to a server, two may stream, and one
 * is for fast requests.
 */
const maxSlow = 3;

const waiting: (() => void)[] = [];
let slow = 0;

/** Runs a limited number of slow requests at a time, the others in order. */
const inTurn = async <T>(run: () => Promise<T>): Promise<T> => {
  if (slow < maxSlow) slow += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await run();
  } finally {
    const next = waiting.shift();
    if (next === undefined) slow -= 1;
    else next();
  }
};

/**
 * One GraphQL operation of a network: nothing waits for its slow nodes.
 * @param documentOf the operation with this value of `waitFor`; null: without one
 * @param grown called with the data of an answer without the nodes that may still answer
 * @throws ApiError with the first error where there is no data to show
 */
export const querySoon = async <T extends object>(
  path: string,
  documentOf: (waitFor: string | null) => string,
  variables: Readonly<Record<string, unknown>>,
  grown: (data: T) => void,
  signal?: AbortSignal,
): Promise<T> => {
  const body = await send<T>(path, documentOf(soon), variables, signal);
  const data = dataOf(body);
  if (!isAwaited(body)) return data;
  grown(data);
  return inTurn(() => query<T>(path, documentOf(null), variables, signal));
};

/** Whether some node may still answer. */
const isAwaited = ({ data, extensions }: GraphQLBody<object>): boolean => {
  const roots: readonly (NetworkPart | null)[] = Object.values(data ?? {});
  return [...roots, extensions?.network ?? null].some(
    (part) =>
      part !== null && (part.nodes?.some(({ state }) => state === 'pending') ?? part.partial === true),
  );
};

/** Partial numbers appear only after this delay: most queries finish sooner. */
const patienceMs = 700;
/** The minimum time between partial numbers: each is read and drawn completely, which delays the last nodes' answers. */
const paceMs = 250;

/**
 * One GraphQL operation of a network, read as its nodes answer.
 * @param grown called with the data of an answer without the nodes that may still answer
 * @throws ApiError with the first error where there is no data to show
 */
export const growingQuery = async <T>(
  path: string,
  document: string,
  variables: Readonly<Record<string, unknown>>,
  grown: (data: T) => void,
  signal?: AbortSignal,
): Promise<T> => {
  let nextMs = performance.now() + patienceMs;
  let showing: ReturnType<typeof setTimeout> | undefined;
  try {
    const response = await request(`${path}/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: document, variables }),
      signal: signal ?? null,
    });
    for await (const { event, data } of eventsIn(response, signal)) {
      if (event === 'done') return dataOf(JSON.parse(data) as GraphQLBody<T>);
      clearTimeout(showing);
      const show = (): void => {
        nextMs = performance.now() + paceMs;
        const { data: now } = JSON.parse(data) as GraphQLBody<T>;
        if (now) grown(now);
      };
      showing = setTimeout(show, Math.max(0, nextMs - performance.now()));
    }
    throw new ApiError('offline', 'the answer ended early');
  } catch (error) {
    // an older server answers once
    if (error instanceof ApiError && error.kind === 'input') return query(path, document, variables, signal);
    throw error;
  } finally {
    clearTimeout(showing);
  }
};

interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** Server-sent events, limited to the format of this server: a name, and one line of data. */
const eventsIn = async function* (response: Response, signal?: AbortSignal): AsyncGenerator<ServerEvent> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const next = () => reading(reader.read(), signal);
  let text = '';
  for (let part = await next(); !part.done; part = await next()) {
    const parts = (text + part.value).split('\n\n');
    text = parts.pop() ?? '';
    for (const one of parts) {
      const [, event, data] = /^event: (\w+)\ndata: ([^\n]*)$/.exec(one) ?? [];
      if (event !== undefined && data !== undefined) yield { event, data };
    }
  }
};
