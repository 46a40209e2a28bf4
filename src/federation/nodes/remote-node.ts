import { print, stripIgnoredCharacters } from 'graphql';
import { isJsonObject } from '../../lib/json/json.ts';
import { tracedCall } from '../../lib/runtime/tracing.ts';
import { openRetryBudget, retryAfterWait, type RetryBudget } from '../../lib/net/retry.ts';
import type { RequestContext } from '../../search/request-context.ts';
import type { NodeConfig } from '../config/nodes.ts';
import { pathHeaders } from '../remote/network-node.ts';
import { callerHeader, deadlineHeaders, originHeader } from '../remote/node-statements.ts';
import type { GraphqlAnswer, GraphqlRequest, SendGraphql } from '../remote/http-executor.ts';
import { coalesced, graphqlBody, NodeExecutor, type Transport } from '../remote/http-executor.ts';
import { isNetwork, type RemoteCatalogue } from '../remote/remote-catalogue.ts';
import type { PrintedQuery } from '../remote/print-query.ts';
import { assertNoErrors } from '../remote/answer-errors.ts';
import {
  searchNode,
  discoveryWarnings,
  offeredBy,
  absenceOf,
  NodeDiscovery,
  type DiscoverySettings,
} from './node-discovery.ts';
import { Circuit, NodeMonitor } from './node-monitor.ts';
import type {
  FieldMapping,
  NodeSchema,
  NodeUp,
  NodeView,
  NodeHandle,
  NodeObserver,
  NodeReport,
} from './node-view.ts';
import { fieldMappingOf } from './node-view.ts';

export interface RemoteNodeSettings extends DiscoverySettings {
  readonly config: NodeConfig;
  readonly transport: Transport;
  readonly observer: NodeObserver;
}

/** A node behind GraphQL over HTTP, queried once it is discovered. */
export class RemoteNode implements NodeHandle {
  readonly #settings: RemoteNodeSettings;
  readonly #fieldMapping: FieldMapping;
  readonly #monitor: NodeMonitor;
  readonly #retryBudget: RetryBudget = openRetryBudget();
  /** Coalesced above the circuit, so that a request shared by several callers fails only once. */
  readonly #send: SendGraphql;
  readonly #discovery: NodeDiscovery;
  #up: NodeUp | null = null;

  constructor(settings: RemoteNodeSettings) {
    const { config, source, transport, tunnel = null, observer } = settings;
    const { nodeId } = config;
    this.#settings = settings;
    this.#fieldMapping = fieldMappingOf(config);
    const isOpen = (): boolean => circuit.opened !== null;
    const first = absenceOf(source, tunnel)?.state ?? 'discovering';
    const monitor = new NodeMonitor({ nodeId, observer, isOpen, kind: 'remote', first });
    const circuit = new Circuit(Date.now, (failure) => monitor.onCircuitOpened(failure));
    const { send } = new NodeExecutor(transport, source.graphqlUrl, this.#retryBudget);
    this.#monitor = monitor;
    this.#send = coalesced((request) => circuit.run(() => send(request), request.signal));
    const join = (offer: RemoteCatalogue): void => void (this.#up = this.#upWith(offer));
    this.#discovery = new NodeDiscovery(settings, { send, monitor, circuit, join });
  }

  get ready(): Promise<void> {
    return this.#discovery.ready;
  }

  view(): NodeView {
    const status = this.#up ?? this.#discovery.failure;
    return { config: this.#settings.config, fieldMapping: this.#fieldMapping, status };
  }

  report(): NodeReport {
    const { found } = this.#discovery;
    const { source } = this.#settings;
    return {
      ...this.#monitor.report(),
      ...(source.rediscoverMs !== undefined && { rediscoverMs: source.rediscoverMs }),
      displayName: this.#settings.config.displayName,
      disclosure: found?.disclosure?.withheld ?? null,
      released: found?.disclosure?.released ?? null,
      discovery: found && { inferred: found.facts.extended === null, version: found.facts.version },
      warnings: found ? discoveryWarnings(found) : [],
      ...(source.dialsIn && { isConnected: this.#settings.tunnel?.isConnected() === true }),
      ...(found?.facts.institutions && { institutions: found.facts.institutions.length }),
    };
  }

  close(): void {
    this.#discovery.close();
    this.#monitor.close();
  }

  /** Runs a call, and again after the waits that the node requests, within its deadline. */
  #monitored<T>(context: RequestContext, call: () => Promise<T>): Promise<T> {
    const { signal, isRetried } = context;
    const deadlineMs = performance.now() + this.#settings.config.timeoutMs;
    const retried = (): Promise<T> => retryAfterWait(call, deadlineMs, signal, this.#retryBudget);
    return this.#monitor.run(isRetried ? call : retried, signal);
  }

  /** Sends a query's document: coalesced with equal ones, admitted by the circuit. */
  async #post(
    remote: RemoteCatalogue,
    query: string,
    variables: PrintedQuery['variables'],
    context: RequestContext,
  ): Promise<GraphqlAnswer> {
    const answer = await this.#traced(context, {
      body: graphqlBody(query, variables),
      headers: {
        ...this.#headersFor(context),
        // nodes of this software then report the fingerprint of their schema
        ...(remote.dialect === 'tributary' && { [originHeader]: '1' }),
      },
      signal: signalOf(context),
      memory: context.memory,
      once: context.isRetried,
      exact: true,
    });
    this.#discovery.onAnswer(answer);
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

  /**
   * The headers of every query. Nodes of this software are told when the answer is due; networks, which servers it has
   * passed; those that dial in, and so can verify this server, which of its callers it is for.
   */
  #headersFor(context: RequestContext): Readonly<Record<string, string>> {
    const { credential, source, config } = this.#settings;
    const { found } = this.#discovery;
    const name = source.dialsIn && context.caller.nameFor?.(config.nodeId);
    return {
      ...credential,
      ...forwardedHeaders(source.headers, context),
      ...(found?.dialect === 'tributary' && deadlineHeaders(context.dueAtMs)),
      ...(found !== null && isNetwork(found) && pathHeaders(context)),
      ...(name !== undefined && { [callerHeader]: name }),
    };
  }

  /** Sends a document of the supergraph, with the headers, circuit and limits of the network's own queries. */
  async #execute(
    document: Parameters<NonNullable<NodeSchema['execute']>>[0],
    variables: Readonly<Record<string, unknown>> | undefined,
    context: RequestContext,
  ): Promise<GraphqlAnswer> {
    const headers = this.#headersFor(context);
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

  #upWith(remote: RemoteCatalogue): NodeUp {
    const search = searchNode(remote, this.#settings.source);
    return {
      kind: 'up',
      ...offeredBy(remote),
      institutions: remote.facts.institutions ?? [
        { key: remote.facts.key, name: this.#settings.config.displayName },
      ],
      search: (query, context) =>
        this.#monitored(context, () =>
          search(query, (text, variables) => this.#post(remote, text, variables, context)),
        ),
      timeoutMs: () => this.#settings.config.timeoutMs,
      // one invalid schema would break the whole supergraph, and a huge one would slow it down
      ...(remote.schema.cutFrom === null &&
        remote.schema.isValid && {
          schema: {
            schema: remote.schema.read,
            execute: (...sent: Parameters<NonNullable<NodeSchema['execute']>>) => this.#execute(...sent),
          },
        }),
    };
  }
}

const signalOf = ({ signal }: RequestContext): AbortSignal => signal ?? AbortSignal.timeout(60_000);

/** The caller's headers that this node may receive. */
const forwardedHeaders = (
  names: readonly string[],
  { caller: { headers } }: RequestContext,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(headers, name) ? [[name, headers[name]!] as const] : [])),
  );
