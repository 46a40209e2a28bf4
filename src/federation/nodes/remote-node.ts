import { print, stripIgnoredCharacters } from 'graphql';
import { asTributaryError, type ErrorCode } from '../../errors/errors.ts';
import { isJsonObject } from '../../json/json.ts';
import { tracedCall } from '../../runtime/tracing.ts';
import { openRetryBudget, type RetryBudget } from '../../net/retry.ts';
import type { CatalogueQuery, CatalogueResult } from '../../search/query.ts';
import type { RequestContext } from '../../search/request-context.ts';
import type { NodeConfig, RemoteSource } from '../config/nodes.ts';
import { pathHeaders } from '../remote/network-node.ts';
import { callerHeader, deadlineHeaders, originHeader } from '../remote/node-statements.ts';
import type { GraphqlAnswer, GraphqlRequest, SendGraphql } from '../remote/http-executor.ts';
import {
  coalesced,
  graphqlBody,
  NodeExecutor,
  type Transport,
  type Tunnel,
} from '../remote/http-executor.ts';
import { retryAfterWait } from '../remote/retry-after.ts';
import { discover } from '../remote/discovery/discover.ts';
import type { RemoteCatalogue } from '../remote/remote-catalogue.ts';
import { withCountedSets, type SendDocument } from '../remote/counted-sets.ts';
import { printQuery, SearchForms, type PrintedQuery } from '../remote/print-query.ts';
import { assertNoErrors } from '../remote/answer-errors.ts';
import { failsAtFacets, FacetsFailed, FailingFacets } from '../remote/failing-facets.ts';
import { readAnswer } from '../remote/read-answer.ts';
import { withSubstitutes } from '../remote/substitute-measures.ts';
import { Circuit, NodeMonitor } from './node-monitor.ts';
import type {
  FieldMapping,
  NodeDown,
  NodeSchema,
  NodeUp,
  NodeView,
  NodeHandle,
  NodeObserver,
  NodeReport,
} from './node-view.ts';
import { fieldMappingOf } from './node-view.ts';
import { discoveryWarnings, hasSameOffer, offeredBy, SchemaWatch } from './remote-offer.ts';

export interface RemoteNodeSettings {
  readonly config: NodeConfig;
  readonly source: RemoteSource;
  readonly transport: Transport;
  /** The tunnel of a node that dials in; unset or null: it has an address. */
  readonly tunnel?: Tunnel | null;
  /** The header with this server's own credential for the node; empty: none. */
  readonly credential: Readonly<Record<string, string>>;
  readonly observer: NodeObserver;
  /** The time between two discoveries of a healthy node. */
  readonly recheckMs: number;
}

type Search = (query: CatalogueQuery) => Promise<CatalogueResult>;

/** Answers a query by way of the queries that it passes on, which the node can answer. */
type Layer = (query: CatalogueQuery, next: Search) => Promise<CatalogueResult>;

/**
 * A node behind GraphQL over HTTP. It starts with discovery; if that fails, the node stays failed for the life of the
 * process and is never queried. A healthy node is rediscovered periodically, and when its answers show a changed schema,
 * so that new fields appear.
 */
export class RemoteNode implements NodeHandle {
  readonly ready: Promise<void>;
  readonly #settings: RemoteNodeSettings;
  readonly #fieldMapping: FieldMapping;
  readonly #monitor: NodeMonitor;
  readonly #circuit: Circuit;
  readonly #retryBudget: RetryBudget = openRetryBudget();
  /** Coalesced above the circuit, so that a request shared by several callers fails only once. */
  readonly #send: SendGraphql;
  readonly #sendDirectly: SendGraphql;
  readonly #schemaWatch: SchemaWatch;
  readonly #closed = new AbortController();
  readonly #failingFacets = new FailingFacets();
  readonly #unfollow: (() => void) | undefined;
  #status: NodeUp | NodeDown;
  /** Whether its discovery failed without an answer, and is retried while its tunnel stays. */
  #isUnanswered = false;
  /** The discovery in progress, or the last one. */
  #discovery = new AbortController();
  #retryTimer: NodeJS.Timeout | undefined;
  #found: RemoteCatalogue | null = null;
  #isRechecking = false;
  #recheckTimer: NodeJS.Timeout | undefined;

  constructor(settings: RemoteNodeSettings) {
    const { config, source, transport, observer, recheckMs } = settings;
    const { nodeId } = config;
    this.#settings = settings;
    this.#fieldMapping = fieldMappingOf(config);
    const isOpen = (): boolean => this.#circuit.opened !== null;
    const absent = absenceOf(settings);
    this.#status = absent?.status ?? discovering;
    const first = absent?.state ?? 'discovering';
    this.#monitor = new NodeMonitor({ nodeId, observer, isOpen, kind: 'remote', first });
    this.#circuit = new Circuit(Date.now, (failure) => this.#monitor.onCircuitOpened(failure));
    this.#sendDirectly = new NodeExecutor(transport, source.graphqlUrl, this.#retryBudget).send;
    this.#send = coalesced((request) => this.#circuit.run(() => this.#sendDirectly(request), request.signal));
    this.#schemaWatch = new SchemaWatch({
      recheck: () => this.#recheck(),
      minIntervalMs: Math.min(recheckMs, minRecheckMs),
      mayHaveGrown: () => this.#found?.isNetwork === true,
    });
    this.ready = absent === null ? this.#open() : Promise.resolve();
    this.#unfollow = settings.tunnel?.onChange((isConnected) => this.#onTunnel(isConnected));
  }

  view(): NodeView {
    return { config: this.#settings.config, fieldMapping: this.#fieldMapping, status: this.#status };
  }

  report(): NodeReport {
    const found = this.#found;
    return {
      ...this.#monitor.report(),
      displayName: this.#settings.config.displayName,
      disclosure: found?.withheld ?? null,
      released: found?.released ?? null,
      discovery: found && { inferred: found.inferred, version: found.version },
      warnings: found ? discoveryWarnings(found) : [],
      ...(this.#settings.source.dialsIn && { isConnected: this.#settings.tunnel?.isConnected() === true }),
      ...(found?.isNetwork && { institutions: found.institutions.length }),
    };
  }

  close(): void {
    this.#closed.abort();
    this.#unfollow?.();
    clearInterval(this.#recheckTimer);
    clearTimeout(this.#retryTimer);
    this.#monitor.close();
  }

  /**
   * One GraphQL request per query, if the node has everything that it requests. The layers are listed in the order in
   * which a query passes them; each of its parts is then printed, coalesced with equal ones, admitted by the circuit, sent
   * and checked.
   * @throws TributaryError NODE_TIMEOUT, NODE_UNREACHABLE, NODE_REFUSED, NODE_BAD_RESPONSE, with reasons safe to show
   */
  async #query(
    remote: RemoteCatalogue,
    forms: SearchForms,
    query: CatalogueQuery,
    context: RequestContext,
  ): Promise<CatalogueResult> {
    const { maxAliases } = this.#settings.source;
    const send: SendDocument = (text, variables) => this.#post(remote, text, variables, context);
    const layers: readonly Layer[] = [
      (whole, next) => this.#monitored(context, () => next(whole)),
      (whole, next) => withCountedSets(whole, remote, maxAliases, send, next),
      (rest, next) => withSubstitutes(rest, remote, next),
      (rest, next) => this.#failingFacets.search(rest, next),
    ];
    const search = layers.reduceRight<Search>(
      (next, layer) => (part) => layer(part, next),
      (part) => this.#exchange(remote, forms, part, send),
    );
    return search(query);
  }

  /** Runs a call, and again after the waits that the node requests, within its deadline. */
  #monitored<T>(context: RequestContext, call: () => Promise<T>): Promise<T> {
    const { signal, isRetried } = context;
    const deadlineMs = performance.now() + this.#settings.config.timeoutMs;
    const retried = (): Promise<T> => retryAfterWait(call, deadlineMs, signal, this.#retryBudget);
    return this.#monitor.run(isRetried ? call : retried, signal);
  }

  /** @throws FacetsFailed for a query that might succeed with other facets */
  async #exchange(
    remote: RemoteCatalogue,
    forms: SearchForms,
    part: CatalogueQuery,
    send: SendDocument,
  ): Promise<CatalogueResult> {
    let isOfFacets = false;
    try {
      return await forms.search(part, async (query, form) => {
        const printed = printQuery(query, remote, this.#settings.source, form);
        const answer = await send(printed.query, printed.variables);
        isOfFacets ||= failsAtFacets(answer, remote.documentType);
        return { answer, read: () => readAnswer(answer, remote, query, printed) };
      });
    } catch (error) {
      throw isOfFacets ? new FacetsFailed('its facets fail', { cause: error }) : error;
    }
  }

  async #post(
    remote: RemoteCatalogue,
    query: string,
    variables: PrintedQuery['variables'],
    context: RequestContext,
  ): Promise<GraphqlAnswer> {
    const answer = await this.#traced(context, {
      body: graphqlBody(query, variables),
      headers: this.#headersFor(remote, context),
      signal: signalOf(context),
      memory: context.memory,
      once: context.isRetried,
      exact: true,
    });
    this.#schemaWatch.onAnswer(answer);
    return answer;
  }

  /** Sends a request as a part of its trace, which continues at a node that `traceparent` is forwarded to. */
  #traced(context: RequestContext, request: GraphqlRequest): Promise<GraphqlAnswer> {
    const { config, source } = this.#settings;
    return tracedCall(context.span, 'query node', { 'tributary.node': config.nodeId }, (ofTrace) => {
      const forwarded = Object.entries(ofTrace).filter(([name]) => source.headers.includes(name));
      return this.#send({ ...request, headers: { ...request.headers, ...Object.fromEntries(forwarded) } });
    });
  }

  #headersFor(remote: RemoteCatalogue, context: RequestContext): Readonly<Record<string, string>> {
    return {
      ...this.#ownHeaders(context),
      ...(remote.isNetwork && pathHeaders(context)),
      // nodes of this software then report the fingerprint of their schema
      ...(remote.dialect === 'tributary' && { [originHeader]: '1' }),
    };
  }

  /**
   * The headers of every query. Nodes of this software are told when the answer is due; those that dial in, and so can
   * verify this server, which of its callers it is for.
   */
  #ownHeaders(context: RequestContext): Readonly<Record<string, string>> {
    const { credential, source, config } = this.#settings;
    const name = source.dialsIn && context.caller.nameFor?.(config.nodeId);
    return {
      ...credential,
      ...forwardedHeaders(source.headers, context),
      ...(this.#found?.dialect === 'tributary' && deadlineHeaders(context.dueAtMs)),
      ...(name !== undefined && { [callerHeader]: name }),
    };
  }

  /** Sends a document of the supergraph, with the headers, circuit and limits of the network's own queries. */
  async #execute(
    document: Parameters<NonNullable<NodeSchema['execute']>>[0],
    variables: Readonly<Record<string, unknown>> | undefined,
    context: RequestContext,
  ): Promise<GraphqlAnswer> {
    const headers = this.#ownHeaders(context);
    const body = graphqlBody(stripIgnoredCharacters(print(document)), variables);
    let last: GraphqlAnswer = {};
    try {
      return await this.#monitored(context, async () => {
        last = {};
        const { memory } = context;
        last = await this.#traced(context, { body, headers, signal: signalOf(context), memory });
        assertNoErrors(last);
        return last;
      });
    } catch (error) {
      // a failure of the node, although some data is present
      if (isJsonObject(last.data) && Object.values(last.data).some((value) => value !== null)) return last;
      throw error;
    }
  }

  /** A node that dials in is discovered when it does; while it is away, what is known about it is kept. */
  #onTunnel(isConnected: boolean): void {
    // its answer cannot be used, however often it dials
    if (this.#monitor.state === 'discoveryFailed' && !this.#isUnanswered) return;
    this.#discovery.abort();
    clearTimeout(this.#retryTimer);
    // earlier failures belong to another connection
    this.#circuit.close();
    const absent = absenceOf(this.#settings);
    if (!isConnected && absent !== null) {
      if (this.#found === null) this.#status = absent.status;
      this.#monitor.transitionTo(absent.state, absent.status);
    } else if (this.#found !== null) {
      this.#monitor.transitionTo('ok', null);
      void this.#recheck();
    } else {
      this.#status = discovering;
      this.#monitor.transitionTo('discovering', null);
      void this.#open();
    }
  }

  async #open(): Promise<void> {
    const { signal } = (this.#discovery = new AbortController());
    try {
      this.#join(await this.#discover(null, signal));
      // a tunnel that was lost meanwhile reveals nothing about the node behind it
      if (signal.aborted) return;
      this.#monitor.transitionTo('ok', null);
      if (this.#closed.signal.aborted) return;
      // so that nodes that started together are not rechecked together
      const periodMs = this.#settings.recheckMs * (0.9 + 0.2 * Math.random());
      clearInterval(this.#recheckTimer);
      this.#recheckTimer = setInterval(() => void this.#recheck(), periodMs).unref();
    } catch (error) {
      if (!signal.aborted) this.#onUndiscovered(error);
    }
  }

  #onUndiscovered(error: unknown): void {
    const { code, message: reason, details, cause } = asTributaryError(error);
    const hint = details?.['hint'];
    this.#status = { kind: 'down', code, reason, ...(typeof hint === 'string' && { hint }) };
    // a server that is shutting down reports nothing about its nodes
    if (!this.#closed.signal.aborted) this.#monitor.transitionTo('discoveryFailed', this.#status);
    this.#isUnanswered =
      this.#settings.source.dialsIn !== undefined && isWithoutAnswer.has(asTributaryError(cause).code);
    if (!this.#isUnanswered) return;
    // its answer decides, however late: many nodes may have dialled in at once
    const pauseMs = this.#settings.source.discoveryTimeoutMs * Math.random();
    this.#retryTimer = setTimeout(() => void this.#open(), pauseMs).unref();
  }

  /** @returns false if the node cannot be discovered now: what is known about it is kept */
  async #recheck(): Promise<boolean> {
    if (this.#isRechecking) return false;
    this.#isRechecking = true;
    const known = this.#found;
    try {
      const found = await this.#discover(known, new AbortController().signal);
      if (known !== null && !hasSameOffer(found, known)) this.#join(found);
      return true;
    } catch {
      return false;
    } finally {
      this.#isRechecking = false;
    }
  }

  #discover(known: RemoteCatalogue | null, signal: AbortSignal): Promise<RemoteCatalogue> {
    const { source, credential } = this.#settings;
    const ended = AbortSignal.any([this.#closed.signal, signal]);
    return discover(source, this.#sendDirectly, credential, ended, known);
  }

  #join(remote: RemoteCatalogue): void {
    const forms = new SearchForms(remote);
    this.#found = remote;
    this.#status = {
      kind: 'up',
      ...offeredBy(remote),
      institutions: remote.isNetwork
        ? remote.institutions
        : [{ key: remote.key, name: this.#settings.config.displayName }],
      search: (query, context) => this.#query(remote, forms, query, context),
      timeoutMs: () => this.#timeoutMs(),
      // one invalid schema would break the whole supergraph, and a huge one would slow it down
      ...(remote.cutFrom === null &&
        remote.schema.isValid && {
          schema: {
            schema: remote.schema.read,
            execute: (...sent: Parameters<NonNullable<NodeSchema['execute']>>) => this.#execute(...sent),
          },
        }),
    };
  }

  /** A required node gets its full timeout. */
  #timeoutMs(): number {
    const { timeoutMs, adaptive, required } = this.#settings.config;
    if (!adaptive || required) return timeoutMs;
    return Math.min(timeoutMs, this.#monitor.latencies.adaptiveTimeoutMs() ?? timeoutMs);
  }
}

/** Why a node that dials in is not connected; null: it is, or it has an address. */
const absenceOf = ({
  source,
  tunnel = null,
}: RemoteNodeSettings): { readonly state: 'invited' | 'disconnected'; readonly status: NodeDown } | null => {
  if (source.dialsIn?.key === null)
    return {
      state: 'invited',
      status: { kind: 'down', code: 'NODE_INVITED', reason: 'has not been accepted yet' },
    };
  if (tunnel === null || tunnel.isConnected()) return null;
  return {
    state: 'disconnected',
    status: { kind: 'down', code: 'NODE_DISCONNECTED', reason: tunnel.absence() },
  };
};

/** Failures of a discovery that reveal nothing about the node behind a tunnel. */
const isWithoutAnswer: ReadonlySet<ErrorCode> = new Set([
  'NODE_TIMEOUT',
  'NODE_UNREACHABLE',
  'NODE_DISCONNECTED',
  'TOO_MANY_REQUESTS',
  'NOT_READY',
]);

const discovering: NodeDown = { kind: 'down', code: 'NODE_DISCOVERING', reason: 'is still being discovered' };

/** The minimum time between two rechecks caused by answers. */
const minRecheckMs = 60_000;

const signalOf = ({ signal }: RequestContext): AbortSignal => signal ?? AbortSignal.timeout(60_000);

/** The caller's headers that this node may receive. */
const forwardedHeaders = (
  names: readonly string[],
  { caller: { headers } }: RequestContext,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(headers, name) ? [[name, headers[name]!] as const] : [])),
  );
