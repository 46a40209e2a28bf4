import { hash } from 'node:crypto';
import type { CatalogueResult, CatalogueHit, HitsRequest } from '../../search/query.ts';
import type { RequestContext } from '../../search/request-context.ts';
import { compareRows, rowValues, type MergedValue, type MergeKey } from '../merge/hits.ts';
import type { QueryPlan } from '../query/plan.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { retryBudgetOf, retrying } from '../../lib/net/retry.ts';
import { fanout, type NodeResult } from '../query/fanout.ts';
import { isNewer, noteAnswer, type NodePart } from './node-part.ts';
import { missingFrom } from '../remote/network-node.ts';

/** One page of a node's rows. */
export interface NodePage {
  readonly hits: readonly CatalogueHit[];
  /** The sort values of each hit. */
  readonly values: readonly (readonly MergedValue[])[];
}

export interface PageSettings {
  readonly context: RequestContext;
  readonly pageRows: number;
  /** The offset limit of a node without cursors. */
  readonly window: number;
  /** The maximum number of records from this node; null for all. */
  readonly limit: number | null;
  /** Called after each page, and when the node stays unavailable. @throws to abort a file that must not lack records */
  readonly check: (part: NodePart) => void;
}

/**
 * All rows of one node, page by page: by cursor, or by offset if the node has none. A failed page is requested again
 * from the end of the previous one; when the node stays unavailable the pages end, with the reason in `part.end`.
 */
export const nodePages = async function* (
  part: NodePart,
  plan: QueryPlan,
  keys: readonly MergeKey[],
  settings: PageSettings,
): AsyncGenerator<NodePage> {
  const walk = openWalk(part, plan, keys, settings);
  while (part.end.kind === 'open') {
    const first = walk.wanted();
    if (first === 0) return;
    const memory = settings.context.withPageMemory(part.received === 0);
    const answer = await walk.next(first, memory.context);
    const page = answer && walk.take(answer);
    settings.check(part);
    if (page === null) return;
    if (page.hits.length > 0) yield page;
    memory.end();
  }
};

interface WalkPosition {
  readonly read: number;
  readonly hits: Pick<HitsRequest, 'offset' | 'searchAfter'>;
  readonly isByOffset: boolean;
}

const openWalk = (
  part: NodePart,
  plan: QueryPlan,
  keys: readonly MergeKey[],
  { pageRows, window, limit }: PageSettings,
) => {
  const valuesOf = (hits: readonly CatalogueHit[]) => hits.map((hit) => rowValues(hit, plan, keys));
  const repeats = plan.node.config.source.kind === 'remote' ? repetitions() : none;
  let position: WalkPosition = { read: 0, hits: { offset: 0, searchAfter: null }, isByOffset: false };
  let last: readonly MergedValue[] | null = null;
  let isOrdered = true;
  const faultOf = (answer: CatalogueResult, first: number): string | null => {
    const { hits } = answer;
    if (hits.length > first) return `returned ${hits.length} rows where ${first} were requested`;
    if (hits.length === 0 && part.matches !== null && position.read < part.matches && !isNewer(part, answer))
      return `returned no more rows after ${position.read} of ${part.matches}`;
    if (repeats.isKnown(hits))
      return `returned rows again that it had returned before, after ${position.read}`;
    const [top] = hits;
    // rows of a network's institution that was unavailable may arrive later, once it is back
    const isInOrder = isOrdered && !part.partial;
    if (top && last && isInOrder && compareRows(last, rowValues(top, plan, keys), keys) > 0)
      return `returned rows out of order after ${position.read}`;
    return null;
  };
  return {
    /** How many rows to request; 0 when there are no more. */
    wanted: (): number => {
      const { read, isByOffset } = position;
      if (limit !== null && read >= limit) part.end = { kind: 'limit', rows: limit };
      else if (isByOffset && read >= window) part.end = { kind: 'window', rows: window };
      else return Math.min(pageRows, (limit ?? Infinity) - read, isByOffset ? window - read : Infinity);
      return 0;
    },
    next: async (first: number, context: RequestContext): Promise<CatalogueResult | null> => {
      const { query } = plan;
      const hits = { ...query.hits!, ...position.hits, first, trackTotal: false };
      const paged = { ...plan, query: { ...query, hits } };
      const answer = await queryWithRetries(paged, context, {
        waitsForCircuit: true,
        faultOf: (answer) => faultOf(answer, first),
      });
      if (answer.answer === null) part.end = { kind: 'failed', answer };
      return answer.answer;
    },
    take: (answer: CatalogueResult): NodePage => {
      noteAnswer(part, answer);
      const { hits } = answer;
      part.received += hits.length;
      const values = valuesOf(hits);
      isOrdered &&= values.every((value, at) => at === 0 || compareRows(values[at - 1]!, value, keys) <= 0);
      last = values.at(-1) ?? last;
      repeats.add(hits);
      const read = position.read + hits.length;
      const cursor = hits.at(-1)?.cursor ?? [];
      // without a tiebreaker a cursor would skip rows
      const isByOffset = position.isByOffset || cursor.length <= plan.sortedBy.length;
      position = {
        read,
        isByOffset,
        hits: isByOffset ? { offset: read, searchAfter: null } : { offset: 0, searchAfter: cursor },
      };
      // a node that does not report its matches may also return fewer rows than requested: only an empty page is the end
      const isLast = part.matches !== null && read >= part.matches;
      if (hits.length === 0 || isLast) part.end = { kind: 'whole' };
      return { hits, values };
    },
  };
};

interface Repetitions {
  readonly isKnown: (hits: readonly CatalogueHit[]) => boolean;
  readonly add: (hits: readonly CatalogueHit[]) => void;
}

/**
 * Detects rows repeated from the previous page or from the end of any page: a node whose cursors loop would never end.
 * Indexes may share ids, and the values requested of their records may be equal, but then their cursors differ.
 */
const repetitions = (): Repetitions => {
  let previous: KnownRows = new Map();
  const ends: KnownRows = new Map();
  return {
    isKnown: (hits) => {
      const rows = rowsIn(hits);
      const isIn = (known: KnownRows, { content, place }: KnownRow): boolean => {
        const places = known.get(content);
        return places !== undefined && (place === null || places.has(null) || places.has(place));
      };
      return rows.some((row) => isIn(previous, row)) || rows.slice(-1).some((row) => isIn(ends, row));
    },
    add: (hits) => {
      const rows = rowsIn(hits);
      previous = new Map();
      for (const row of rows) note(previous, row);
      for (const row of rows.slice(-1)) note(ends, row);
    },
  };
};

/** A row: its content, and its cursor as text; null if the cursors of its page do not distinguish rows. */
interface KnownRow {
  readonly content: string;
  readonly place: string | null;
}

type KnownRows = Map<string, Set<string | null>>;

const rowsIn = (hits: readonly CatalogueHit[]): readonly KnownRow[] => {
  const places = hits.map(({ cursor }) => JSON.stringify(cursor));
  const areDistinct = new Set(places).size === places.length;
  return hits.map((hit, at) => ({ content: fingerprint(hit), place: areDistinct ? places[at]! : null }));
};

const note = (known: KnownRows, { content, place }: KnownRow): void => {
  known.set(content, (known.get(content) ?? new Set()).add(place));
};

/** Catalogues of this process need no check. */
const none: Repetitions = { isKnown: () => false, add: () => undefined };

const fingerprint = ({ id, source }: CatalogueHit): string => hash('sha1', `${id} ${JSON.stringify(source)}`);

const attempts = 4;

/** The longest wait before the second attempt at a node; it doubles with each further attempt. */
const firstPauseMs = 600;

/** The time until the circuit allows another attempt after three failures in a row, plus a margin. */
const circuitMs = 10_000;

const circuitPollMs = 250;

export interface RetryPolicy {
  /** Whether to wait for a node whose circuit was opened by other requests: not before a file has begun. */
  readonly waitsForCircuit: boolean;
  /** The fault of a received answer, which counts as a failure of the node; null if it has none. */
  readonly faultOf: (answer: CatalogueResult) => string | null;
}

/**
 * Queries one node, retrying up to three times on transient failures: each attempt has its own deadline and follows a
 * pause, or the wait the node requests if it fits the deadline. A node's failure never throws; it is in the answer.
 * @throws the signal's reason when the caller has disconnected
 */
export const queryWithRetries = async (
  plan: QueryPlan,
  context: RequestContext,
  patience: RetryPolicy,
): Promise<NodeResult> => {
  const { config } = plan.node;
  const { timeoutMs } = config;
  let failed: NodeResult | null = null;
  let circuitUntilMs: number | null = null;
  let isGivenUp = false;
  const send = async (attempt: number): Promise<NodeResult> => {
    for (;;) {
      const result = outcomeOf((await fanout([plan], context.withoutRetries()))[0]!, patience);
      context.signal?.throwIfAborted();
      if (result.state !== 'circuitOpen') return (failed = result);
      // this query's own failures may have opened it
      if (!patience.waitsForCircuit && attempt === 1) return result;
      circuitUntilMs ??= performance.now() + Math.max(timeoutMs, circuitMs);
      isGivenUp = performance.now() > circuitUntilMs;
      // the original failure is more informative than the open circuit
      if (isGivenUp) return failed ?? result;
      await pause(circuitPollMs, context);
    }
  };
  const { outcome } = await retrying(send, {
    attempts,
    delays: { firstMs: firstPauseMs, maxMs: timeoutMs },
    isTransient: (result) => !isGivenUp && mayPass(result, timeoutMs),
    retryAfterMs: retryAfterMs,
    signal: context.signal,
    budget: retryBudgetOf(config),
  });
  context.signal?.throwIfAborted();
  return outcome;
};

const outcomeOf = (result: NodeResult, { faultOf }: RetryPolicy): NodeResult => {
  const { answer } = result;
  const reason = answer && faultOf(answer);
  if (reason === null) return result;
  // a network whose institutions are away runs out of rows
  const missing = answer?.hits.length === 0 ? missingFrom(answer) : null;
  if (missing !== null)
    return {
      ...{ ...result, state: 'unreachable', code: 'NODE_UNREACHABLE', answer: null },
      reason: `${reason}: ${missing}`,
    };
  return { ...result, state: 'badResponse', code: 'NODE_BAD_RESPONSE', reason, answer: null };
};

const mayPass = (result: NodeResult, timeoutMs: number): boolean =>
  passing.has(result.state) && retryAfterMs(result) <= timeoutMs;

const passing: ReadonlySet<NodeResult['state']> = new Set(['timeout', 'unreachable', 'busy', 'badResponse']);

const retryAfterMs = ({ retryAfterSeconds = 0 }: NodeResult): number => retryAfterSeconds * 1_000;

const pause = async (ms: number, { signal }: RequestContext): Promise<void> => {
  await sleep(ms, undefined, signal ? { signal } : {}).catch(() => undefined);
  signal?.throwIfAborted();
};
