import { randomBytes } from 'node:crypto';
import { newSerialQueue } from '../concurrency/locks.ts';
import { serverVersion } from './server-version.ts';

/** Where traces are sent, and which share is recorded. */
export interface TracingConfig {
  /** The collector's address; spans are posted as OTLP in JSON to `/v1/traces` below it. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly serviceName: string;
  /** The share of the traces that is recorded, from 0 to 1. */
  readonly ratio: number;
}

/** The attributes of a span: never filters, values, tokens or callers. */
type Attributes = Readonly<Record<string, string | number | undefined>>;

type SpanKind = 'internal' | 'server' | 'client';

/** A timed part of a request, in a trace that other servers may continue. */
export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** The header with which another server continues the trace, as in W3C Trace Context. */
  readonly traceparent: string;
  /** Starts a child span. @param agoMs for how many milliseconds it has been running; default: 0 */
  readonly child: (kind: SpanKind, agoMs?: number) => Span;
  /** Ends the span, once. @param failure the code of the error; null: success */
  readonly end: (name: string, failure: string | null, attributes: Attributes) => void;
}

/** The content of a `traceparent` header, as in W3C Trace Context. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  /** Whether the caller records the trace. */
  readonly isSampled: boolean;
}

/** Records the traces of a server. */
export interface Tracer {
  /** Starts the span of a request or a job. @param parent the trace that it continues; undefined: a new one */
  readonly start: (parent: TraceParent | undefined, kind?: SpanKind) => Span;
  /** Sends the remaining spans. */
  readonly close: () => Promise<void>;
}

/** The numbers of SpanKind in OTLP. */
const kinds: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3 };
const statusError = 2;

const batchSize = 512;
const maxHeld = 8 * batchSize;
const sendEveryMs = 5_000;
const sendTimeoutMs = 10_000;

/**
 * Opens the tracer of a server. A request continues the trace that its `traceparent` names, which is recorded if the
 * caller records it and the ratio selects it: by its id, so that servers with equal ratios record the same traces.
 * @param onFailure called with the reason if spans could not be sent; these are dropped, as are spans beyond 4 096 waiting
 */
export const openTracer = (config: TracingConfig, onFailure: (error: unknown) => void): Tracer => {
  const waiting: object[] = [];
  /** The number of spans that wait or are being sent. */
  let held = 0;
  let timer: NodeJS.Timeout | null = null;
  const sends = newSerialQueue();
  const flush = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const spans = waiting.splice(0);
    if (spans.length === 0) return;
    void sends(() => send(config, spans))
      .catch(onFailure)
      .then(() => void (held -= spans.length));
  };
  const record = (span: object): void => {
    if (held >= maxHeld) return;
    held += 1;
    if (waiting.push(span) === batchSize) flush();
    timer ??= setTimeout(flush, sendEveryMs).unref();
  };
  return {
    start: (parent, kind = 'server') => {
      const id = parent?.traceId ?? randomBytes(16).toString('hex');
      const isRecorded = parent?.isSampled !== false && isSelected(id, config.ratio);
      return isRecorded ? startSpan(record, kind, id, parent?.spanId) : unrecorded(id);
    },
    close: async () => {
      flush();
      await sends(() => undefined);
    },
  };
};

/** Decides by the last 52 bits of the id, which are random. */
const isSelected = (traceId: string, ratio: number): boolean =>
  parseInt(traceId.slice(-13), 16) < ratio * 2 ** 52;

const startSpan = (
  record: (span: object) => void,
  kind: SpanKind,
  traceId: string,
  parentSpanId: string | undefined,
  agoMs = 0,
): Span => {
  const spanId = randomBytes(8).toString('hex');
  const startedMs = performance.now() - agoMs;
  return {
    traceId,
    traceparent: `00-${traceId}-${spanId}-01`,
    child: (ofChild, childAgoMs) => startSpan(record, ofChild, traceId, spanId, childAgoMs),
    end: (name, failure, attributes) =>
      record({
        ...{ traceId, spanId, parentSpanId, name, kind: kinds[kind] },
        startTimeUnixNano: nanoseconds(startedMs),
        endTimeUnixNano: nanoseconds(performance.now()),
        attributes: attributesOf({ ...attributes, 'error.type': failure ?? undefined }),
        ...(failure !== null && { status: { code: statusError } }),
      }),
  };
};

/** A span that tells other servers not to record the trace either. */
const unrecorded = (traceId: string): Span => {
  const span: Span = {
    traceId,
    traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-00`,
    child: () => span,
    end: () => undefined,
  };
  return span;
};

/** @param atMs on the clock of performance.now() @returns nanoseconds since 1970 as text: too large for a number */
const nanoseconds = (atMs: number): string => `${Math.round((performance.timeOrigin + atMs) * 1_000)}000`;

const attributesOf = (attributes: Attributes): readonly object[] =>
  Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined) return [];
    return { key, value: typeof value === 'string' ? { stringValue: value } : numberOf(value) };
  });

/** Whole numbers of 64 bits are text in the JSON of protocol buffers. */
const numberOf = (value: number): object =>
  Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };

const send = async (
  { endpoint, headers, serviceName }: TracingConfig,
  spans: readonly object[],
): Promise<void> => {
  const resource = { 'service.name': serviceName, 'service.version': serverVersion() };
  const body = {
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: 'tributary' }, spans }],
      },
    ],
  };
  const response = await fetch(`${endpoint.replace(/\/$/, '')}/v1/traces`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(sendTimeoutMs),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the collector of traces answered HTTP ${response.status}`);
};
