import {
  context,
  isValidTraceId,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
} from '@opentelemetry/api';
import { asTributaryError } from '../errors/errors.ts';

/**
 * Spans are recorded by the OpenTelemetry SDK that the operator loads; without one they do nothing. Parents are passed
 * explicitly: a download is read outside the asynchronous context of its request. Attributes are never filters, values,
 * tokens or callers.
 */
const tracer = trace.getTracer('tributary');

/** Starts the span of a request, which continues the trace that its headers name. */
export const startRequestSpan = (method: string, headers: object): Span =>
  tracer.startSpan(method, { kind: SpanKind.SERVER }, propagation.extract(context.active(), headers));

/** Starts a span that is a trace of its own. */
export const startRootSpan = (name: string): Span => tracer.startSpan(name, { root: true });

/** @param failure the code of the error; null: success */
export const endSpan = (span: Span, failure: string | null, attributes: Attributes = {}): void => {
  span.setAttributes(attributes);
  if (failure !== null) span.setAttribute('error.type', failure).setStatus({ code: SpanStatusCode.ERROR });
  span.end();
};

/**
 * Records what has just ended as a part of a trace.
 * @param parent undefined: nothing is recorded
 * @param failure the code of the error; null: success
 */
export const recordSpan = (
  parent: Span | undefined,
  name: string,
  tookMs: number,
  failure: string | null = null,
  attributes: Attributes = {},
): void => {
  if (parent === undefined) return;
  const within = trace.setSpan(context.active(), parent);
  endSpan(tracer.startSpan(name, { startTime: Date.now() - tookMs }, within), failure, attributes);
};

/**
 * Records a call to another server as a part of a trace.
 * @param parent undefined: nothing is recorded
 * @param call receives the headers with which the other server continues the trace
 */
export const tracedCall = async <Answer>(
  parent: Span | undefined,
  name: string,
  attributes: Attributes,
  call: (headers: Readonly<Record<string, string>>) => Promise<Answer>,
): Promise<Answer> => {
  const headers = {};
  if (parent === undefined) return call(headers);
  const within = trace.setSpan(context.active(), parent);
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, within);
  propagation.inject(trace.setSpan(within, span), headers);
  try {
    const answer = await call(headers);
    endSpan(span, null);
    return answer;
  } catch (error) {
    endSpan(span, asTributaryError(error).code);
    throw error;
  }
};

/** The id of a span's trace; undefined without an SDK. */
export const traceIdOf = (span: Span | undefined): string | undefined => {
  const id = span?.spanContext().traceId;
  return id !== undefined && isValidTraceId(id) ? id : undefined;
};
