import { dataOf, send, type GraphQLBody, type NetworkPart } from './server.ts';

/** How long a first answer waits for institutions, at least for one: those that take longer are slow. */
const patienceMs = 700;
const soon = `{ share: 0.01, ms: ${patienceMs} }`;
/** How long an institution that was slow is expected to be slow again. */
const latelyMs = 300_000;

/** When each institution of a network was last slow. */
const slowAt = new Map<string, Map<string, number>>();

/** What is known of how long an institution took: to answer a query, or most of its last queries. */
export interface Taken {
  readonly nodeId: string;
  readonly tookMs: number | null | undefined;
}

/** Notes which institutions of a network were slow. @param path the network's */
export const noteTimes = (path: string, taken: readonly Taken[]): void => {
  const slow = taken.filter(({ tookMs }) => (tookMs ?? 0) >= patienceMs);
  if (slow.length === 0) return;
  const known = slowAt.get(path) ?? new Map<string, number>();
  slowAt.set(path, known);
  for (const { nodeId } of slow) known.set(nodeId, performance.now());
};

/** Whether one of the institutions that are queried was slow lately. @param nodes null or empty: all */
const wasSlow = (path: string, nodes: readonly string[] | null | undefined): boolean =>
  [...(slowAt.get(path) ?? [])].some(
    ([nodeId, at]) =>
      performance.now() - at < latelyMs && (nodes == null || nodes.length === 0 || nodes.includes(nodeId)),
  );

/**
 * The maximum number of whole answers at the same time: of a browser's six connections to a server, two are for first
 * answers.
 */
const maxWhole = 4;

const waiting: (() => void)[] = [];
let whole = 0;

/** Runs a limited number of requests at a time, the others in order. */
const inTurn = async <T>(run: () => Promise<T>): Promise<T> => {
  if (whole < maxWhole) whole += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await run();
  } finally {
    const next = waiting.shift();
    if (next === undefined) whole -= 1;
    else next();
  }
};

interface NetworkVariables {
  /** The institutions to query; null: all. */
  readonly nodes?: readonly string[] | null;
  readonly [name: string]: unknown;
}

/**
 * One GraphQL operation of a network. Where an institution was slow lately, it is sent twice together, once to be answered
 * without those that take long: the server sends each node one query for both.
 * @param documentOf the operation with this value of `waitFor`; null: without one
 * @param grown called with the data of an answer without the nodes that may still answer
 * @throws ApiError with the first error where there is no data to show
 */
export const querySoon = async <T extends object>(
  path: string,
  documentOf: (waitFor: string | null) => string,
  variables: NetworkVariables,
  grown: (data: T) => void,
  signal?: AbortSignal,
): Promise<T> => {
  const ask = async (waitFor: string | null): Promise<GraphQLBody<T>> => {
    const body = await send<T>(path, documentOf(waitFor), variables, signal);
    noteTimes(path, timesIn(body));
    return body;
  };
  if (!wasSlow(path, variables.nodes)) return dataOf(await ask(null));
  let isOver = false;
  const all = inTurn(async () => (isOver ? null : ask(null)));
  const first = ask(soon).then((body) => {
    if (!isAwaited(body)) return body;
    if (!isOver) grown(dataOf(body));
    return all;
  });
  try {
    // if the first answer fails, the whole answer tells whether that matters
    return dataOf((await Promise.race([all, first.catch(() => all)]))!);
  } finally {
    isOver = true;
  }
};

const partsOf = ({ data, extensions }: GraphQLBody<object>): readonly NetworkPart[] => {
  const roots: readonly (NetworkPart | null)[] = Object.values(data ?? {});
  return [...roots, extensions?.network ?? null].flatMap((part) => part ?? []);
};

const timesIn = (body: GraphQLBody<object>): readonly Taken[] =>
  partsOf(body).flatMap(({ nodes }) =>
    (nodes ?? []).flatMap(({ nodeId, took }) => (nodeId === undefined ? [] : [{ nodeId, tookMs: took }])),
  );

/** Whether some node may still answer. */
const isAwaited = (body: GraphQLBody<object>): boolean =>
  partsOf(body).some(
    ({ nodes, partial }) => nodes?.some(({ state }) => state === 'pending') ?? partial === true,
  );
