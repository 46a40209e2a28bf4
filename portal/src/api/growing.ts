import { ApiError, dataOf, query, request, type GraphQLBody } from './server.ts';

/** Partial numbers appear only after this delay: most queries finish sooner. */
const patienceMs = 700;
/** Between partial numbers: each is read and drawn whole, while the last nodes' answers wait. */
const paceMs = 250;

/**
 * One GraphQL operation of a network, read as its nodes answer.
 * @param grown called with the data of an answer that lacks nodes which may still answer
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
    for await (const { event, data } of eventsIn(response)) {
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
    // a server before this one answers once
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

/** Server-sent events, as far as this server writes them: a name, and one line of data. */
const eventsIn = async function* (response: Response): AsyncGenerator<ServerEvent> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const parts = (text + part.value).split('\n\n');
    text = parts.pop() ?? '';
    for (const one of parts) {
      const [, event, data] = /^event: (\w+)\ndata: ([^\n]*)$/.exec(one) ?? [];
      if (event !== undefined && data !== undefined) yield { event, data };
    }
  }
};
