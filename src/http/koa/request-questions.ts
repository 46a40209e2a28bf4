import type { Span } from '@opentelemetry/api';
import { GraphQLError } from 'graphql';
import type { Allowance } from '../../engines/allowance.ts';
import { isJsonObject, sizeOf } from '../../json/json.ts';
import { recordSpan, traceIdOf } from '../../runtime/tracing.ts';
import type { AuditedQuestion, AuditFn, QueriedNode, SearchTimes } from '../../search/request-context.ts';

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

/** The Koa context of a request. */
type RequestKey = object;

const questions = new WeakMap<RequestKey, RequestQuestions>();

const recordOf = (context: RequestKey): RequestQuestions => {
  const known = questions.get(context) ?? {
    ...{ questions: 0, rows: 0, searchMs: 0, queueMs: 0, engineMs: 0, cost: 0, filterSize: 0 },
    ...{ nodes: 0, failedNodes: [], slowestNodeMs: 0, state: 'ok' },
  };
  questions.set(context, known);
  return known;
};

const wholeMs = ['searchMs', 'queueMs', 'engineMs', 'slowestNodeMs', 'cost'] as const;

/** What the log records about the queries of a request; undefined if there were none. */
export const questionsOf = (context: RequestKey): Partial<RequestQuestions> | undefined => {
  const found = questions.get(context);
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
  const record = recordOf(context);
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
  const record = recordOf(context);
  record.engineMs += engineMs;
  record.queueMs += queueMs;
  const attributes = { 'tributary.queue_ms': queueMs, 'tributary.engine_ms': engineMs };
  recordSpan(spanOf(context), 'search engine', engineMs + queueMs, null, attributes);
};

/** Notes the error that a request was answered with. */
export const noteError = (context: RequestKey, code: string): void => {
  recordOf(context).state = code;
};

/** Notes the first error of an answer to GraphQL, or of a batch. */
export const noteErrors = (context: RequestKey, body: unknown): void => {
  const [code] = [body].flat().flatMap((result: unknown) => errorCodesIn(result));
  if (code !== undefined) noteError(context, code);
};

const errorCodesIn = (result: unknown): readonly string[] => {
  const errors = isJsonObject(result) && Array.isArray(result['errors']) ? result['errors'] : [];
  return errors.flatMap((error: unknown) => {
    const extensions = error instanceof GraphQLError ? error.extensions : {};
    return typeof extensions['code'] === 'string' ? [extensions['code']] : [];
  });
};

/** An allowance whose costs are noted, whether they are admitted or refused. */
export const charged = (context: RequestKey, allowance: Allowance): Allowance => ({
  takeTurn: (...turn) => allowance.takeTurn(...turn),
  admit: (cost) => {
    recordOf(context).cost += cost.total;
    return allowance.admit(cost);
  },
  get paged() {
    return charged(context, allowance.paged);
  },
});

const audits = new WeakMap<RequestKey, AuditFn>();

/** Sets where the queries of a request are audited. @param audit null: in the log only */
export const carryAudit = (context: RequestKey, audit: AuditFn | null): void => {
  audits.set(context, (question) => {
    note(context, question);
    audit?.(question);
  });
};

/** Audits a query of a request. */
export const auditOf = (context: RequestKey): AuditFn => audits.get(context) ?? (() => undefined);

/** The pattern of the route that answers, without its optional parts; undefined if there is none. */
export const routeOf = (context: RequestKey): string | undefined =>
  '_matchedRoute' in context && typeof context._matchedRoute === 'string'
    ? context._matchedRoute.replaceAll(/\{[^}]*\}/g, '')
    : undefined;

const doors = new WeakMap<RequestKey, string>();

/** Notes the door that a request uses, for doors that not every server has. */
export const noteDoor = (context: RequestKey, door: string): void => void doors.set(context, door);

/**
 * The door that a request uses: GraphQL, a download, or one that was noted, of a catalogue or a
 * network; otherwise undefined.
 */
export const doorOf = (context: RequestKey): string | undefined => {
  const route = routeOf(context) ?? '';
  const door = doors.get(context) ?? /\/(graphql|download)(?![^/{])/.exec(route)?.[1];
  return door !== undefined && /\/network[/{]/.test(route) ? `network ${door}` : door;
};

const spans = new WeakMap<RequestKey, Span>();

/** Sets the span under which the queries of a request are recorded. */
export const carrySpan = (context: RequestKey, span: Span): void => void spans.set(context, span);

/** The span of a request; undefined for probes. */
export const spanOf = (context: RequestKey): Span | undefined => spans.get(context);

/** The trace of a request, or else the one that its `traceparent` (W3C Trace Context) names. */
export const traceIdOfRequest = (context: { readonly get: (header: string) => string }): string | undefined =>
  traceIdOf(spanOf(context)) ?? traceparent.exec(context.get('traceparent'))?.[1];

const traceparent = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
