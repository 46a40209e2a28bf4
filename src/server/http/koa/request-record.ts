import type { Span } from '@opentelemetry/api';
import type { Allowance } from '../../../engines/allowance.ts';
import { sizeOf } from '../../../lib/json/json.ts';
import { recordSpan, traceIdOf } from '../../../lib/runtime/tracing.ts';
import type { AuditedQuestion, AuditFn, QueriedNode, SearchTimes } from '../../../search/request-context.ts';

/** What the log records about the queries of a request: their cost, but neither filters nor values. */
interface RequestQuestions {
  catalogue?: string;
  network?: string;
  /** How many queries reached a catalogue. */
  questions: number;
  /** The kind of query that reveals most. */
  kind?: AuditedQuestion['kind'];
  rows: number;
  /** The time that searches took, waiting included; they may overlap. */
  searchMs: number;
  /** The parts of search time: waiting for a thread or a connection, and in the engine. */
  queueMs: number;
  engineMs: number;
  /** The estimated cost that limits are checked against, in microseconds of CPU time. */
  cost: number;
  /** About how many characters the largest filter has. */
  filterSize: number;
  /** How many nodes networks queried. */
  nodes: number;
  /** The id and the error code of each failed node. */
  readonly failedNodes: string[];
  /** The slowest node, and how long it took. */
  slowestNode?: string;
  slowestNodeMs: number;
  /** `ok`, or the code of the last error. */
  state: string;
}

/** What happened in a request: its log line, its metrics, its spans and its audit lines are written from it. */
interface RequestRecord {
  /** When the request arrived, on the clock of performance.now(). */
  readonly arrivedMs: number;
  /** The span of the request; unset: its parts are not recorded. */
  readonly span: Span | undefined;
  /** Where its queries are audited; unset: in the log only. */
  audit?: AuditFn | null;
  /** The door that it uses, where not every server has it. */
  door?: string;
  /** The outcome of each GraphQL operation. */
  readonly operations: string[];
  /** Unset before there is anything to note. */
  questions?: RequestQuestions;
}

/** The Koa context of a request. */
type RequestKey = object;

const records = new WeakMap<RequestKey, RequestRecord>();

/** Begins the record of a request. @param span the span of the request; undefined: it is not traced */
export const beginRecord = (context: RequestKey, span: Span | undefined): void =>
  void records.set(context, newRecord(span));

const newRecord = (span: Span | undefined): RequestRecord => ({
  arrivedMs: performance.now(),
  span,
  operations: [],
});

const recordOf = (context: RequestKey): RequestRecord => {
  const known = records.get(context) ?? newRecord(undefined);
  records.set(context, known);
  return known;
};

const noted = (context: RequestKey): RequestQuestions =>
  (recordOf(context).questions ??= {
    ...{ questions: 0, rows: 0, searchMs: 0, queueMs: 0, engineMs: 0, cost: 0, filterSize: 0 },
    ...{ nodes: 0, failedNodes: [], slowestNodeMs: 0, state: 'ok' },
  });

const wholeMs = ['searchMs', 'queueMs', 'engineMs', 'slowestNodeMs', 'cost'] as const;

/** What the log records about the queries of a request; undefined if there were none. */
export const questionsOf = (context: RequestKey): Partial<RequestQuestions> | undefined => {
  const found = records.get(context)?.questions;
  if (found === undefined) return undefined;
  // refused before any query
  if (found.questions + found.nodes === 0) return { state: found.state };
  const rounded = Object.fromEntries(wholeMs.map((key) => [key, Math.round(found[key])]));
  const { nodes, failedNodes, slowestNode, slowestNodeMs, ...others } = { ...found, ...rounded };
  return { ...others, ...(nodes > 0 && { nodes, failedNodes, slowestNode, slowestNodeMs }) };
};

/** Ordered by how much a query reveals. */
const kinds: readonly AuditedQuestion['kind'][] = ['count', 'rows', 'set', 'download'];

const note = (context: RequestKey, question: AuditedQuestion): void => {
  const record = noted(context);
  const { catalogueId, network, kind, state, rows, tookMs, filters, nodes } = question;
  if (catalogueId !== null) {
    record.catalogue = catalogueId;
    record.questions += 1;
    record.searchMs += tookMs;
    record.rows += rows;
  }
  if (network !== null) record.network = network;
  record.kind = kinds[Math.max(kinds.indexOf(kind), kinds.indexOf(record.kind ?? 'count'))]!;
  if (state !== 'ok') record.state = state;
  record.filterSize = Math.max(record.filterSize, filters === null ? 0 : sizeOf(filters));
  for (const node of nodes) noteNode(record, node);
  const name = network === null ? 'query catalogue' : 'query network';
  recordSpan(spanOf(context), name, tookMs, state === 'ok' ? null : state, {
    ...{ 'tributary.catalogue': catalogueId ?? undefined, 'tributary.network': network ?? undefined },
    ...{ 'tributary.kind': kind, 'tributary.rows': rows },
  });
};

const maxFailedNodes = 10;

const noteNode = (record: RequestQuestions, { nodeId, state, tookMs }: QueriedNode): void => {
  record.nodes += 1;
  const isFailed = state !== 'ok' && state !== 'pending';
  if (isFailed && record.failedNodes.length < maxFailedNodes) record.failedNodes.push(`${nodeId} ${state}`);
  if (tookMs <= record.slowestNodeMs) return;
  record.slowestNode = nodeId;
  record.slowestNodeMs = tookMs;
};

/** Notes how long a search of a request took. */
export const noteSearch = (context: RequestKey, { engineMs, queueMs }: SearchTimes): void => {
  const record = noted(context);
  record.engineMs += engineMs;
  record.queueMs += queueMs;
  const attributes = { 'tributary.queue_ms': queueMs, 'tributary.engine_ms': engineMs };
  recordSpan(spanOf(context), 'search engine', engineMs + queueMs, null, attributes);
};

/** Notes the error that a request was answered with. */
export const noteError = (context: RequestKey, code: string): void => {
  noted(context).state = code;
};

/** Notes the outcomes of the GraphQL operations of a request, as outcomeOf gives them. */
export const noteOperations = (context: RequestKey, outcomes: readonly string[]): void => {
  recordOf(context).operations.push(...outcomes);
  const failure = outcomes.find((outcome) => outcome !== 'ok' && outcome !== 'partial');
  if (failure !== undefined) noteError(context, failure);
};

/** The outcomes of the GraphQL operations of a request. */
export const operationsOf = (context: RequestKey): readonly string[] => recordOf(context).operations;

/** An allowance whose costs are noted, whether they are admitted or refused. */
export const charged = (context: RequestKey, allowance: Allowance): Allowance => ({
  takeTurn: (...turn) => allowance.takeTurn(...turn),
  admit: (cost) => {
    noted(context).cost += cost.total;
    return allowance.admit(cost);
  },
  get paged() {
    return charged(context, allowance.paged);
  },
});

/** Sets where the queries of a request are audited. @param audit null: in the log only */
export const carryAudit = (context: RequestKey, audit: AuditFn | null): void => {
  recordOf(context).audit = audit;
};

/** Audits a query of a request; without `carryAudit`, nowhere. */
export const auditOf =
  (context: RequestKey): AuditFn =>
  (question) => {
    const { audit } = recordOf(context);
    if (audit === undefined) return;
    note(context, question);
    audit?.(question);
  };

/** When a request arrived, on the clock of performance.now(). */
export const arrivedMsOf = (context: RequestKey): number => recordOf(context).arrivedMs;

/** The pattern of the route that answers, without its optional parts; undefined if there is none. */
export const routeOf = (context: RequestKey): string | undefined =>
  '_matchedRoute' in context && typeof context._matchedRoute === 'string'
    ? context._matchedRoute.replaceAll(/\{[^}]*\}/g, '')
    : undefined;

/** Notes the door that a request uses, for doors that not every server has. */
export const noteDoor = (context: RequestKey, door: string): void => {
  recordOf(context).door = door;
};

/**
 * The door that a request uses: GraphQL, a download, or one that was noted, of a catalogue or a
 * network; otherwise undefined.
 */
export const doorOf = (context: RequestKey): string | undefined => {
  const route = routeOf(context) ?? '';
  const door = records.get(context)?.door ?? /\/(graphql|download)(?![^/{])/.exec(route)?.[1];
  return door !== undefined && /\/network[/{]/.test(route) ? `network ${door}` : door;
};

/** The span of a request; undefined for probes. */
export const spanOf = (context: RequestKey): Span | undefined => records.get(context)?.span;

/** The trace of a request, or else the one that its `traceparent` (W3C Trace Context) names. */
export const traceIdOfRequest = (context: { readonly get: (header: string) => string }): string | undefined =>
  traceIdOf(spanOf(context)) ?? traceparent.exec(context.get('traceparent'))?.[1];

const traceparent = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
