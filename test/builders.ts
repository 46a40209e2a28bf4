import type { ExecutionContext } from 'ava';
import { graphql } from 'graphql';
import type { Engine } from '../src/engines/engine.ts';
import { readNodes } from '../src/federation/config/read-nodes.ts';
import type { NetworkConfig } from '../src/federation/config/nodes.ts';
import { openNetwork, type Network } from '../src/federation/network.ts';
import type { NetworkSettings } from '../src/federation/open-nodes.ts';
import type { CatalogueConfig } from '../src/introspection/fields/catalogue-config.ts';
import type { JsonObject } from '../src/lib/json/json.ts';
import { openCatalogue } from '../src/local/open-catalogue.ts';
import type { Catalogue, CatalogueState } from '../src/search/catalogue.ts';
import { openNaiveEngine } from './engines/naive.ts';
import { contextOf } from './federation/node-fixtures.ts';
import type { RemoteServer } from './federation/remote-server.ts';
import { bookConfig } from './local/catalogue-fixture.ts';

export type CatalogueSetup = Partial<Omit<CatalogueConfig, 'esIndex' | 'engine'>> & {
  readonly documentType: string;
  readonly properties: JsonObject;
  /** By document key, or with it as their `id`. */
  readonly documents: Readonly<Record<string, object>> | readonly object[];
  /** Where it creates its index; unset: a naive engine. */
  readonly engine?: Engine;
  /** Unset: the document type. */
  readonly index?: string;
};

/** A catalogue of documents, opened as the server opens it. */
export const testCatalogue = async (setup: CatalogueSetup): Promise<Catalogue> => {
  const { properties, documents, engine = openNaiveEngine(), index = setup.documentType, ...config } = setup;
  await engine.manage({ kind: 'create', index, mapping: { dynamic: false, properties } });
  const stored: [string, object][] = Array.isArray(documents)
    ? documents.map((document: object, at) => ['id' in document ? String(document.id) : `d${at}`, document])
    : Object.entries(documents);
  const outcomes = await engine.write(
    index,
    stored.map(([id, document]) => ({ kind: 'upsert', id, document: document as JsonObject })),
  );
  for (const outcome of outcomes) if (outcome.status === 'refused') throw new Error(outcome.reason);
  const state = await openCatalogue(bookConfig({ esIndex: index, extended: [], ...config }), engine, {});
  if (state.status === 'failed') throw state.error;
  return state.catalogue;
};

/** As the registry of a server has it. */
export const available = (catalogue: Catalogue): CatalogueState => ({
  status: 'available',
  config: catalogue.config,
  catalogue,
});

/** An entry of nodes.json, with what it leads to in place of an address. */
export interface TestNode {
  readonly nodeId: string;
  /** One of this process, or the id of another. */
  readonly catalogue?: Catalogue | string;
  /** Closed after the network. */
  readonly remote?: RemoteServer;
  readonly [key: string]: unknown;
}

export interface NetworkSetup extends Partial<NetworkSettings> {
  /** The key `network` of nodes.json. */
  readonly network?: object;
  /** For nodes that say nothing else; unset: patience on a busy machine. */
  readonly defaults?: object;
  readonly hierarchies?: NetworkConfig['hierarchies'];
  /** Catalogues of this process that nodes name. */
  readonly byId?: (id: string) => CatalogueState | undefined;
}

/** Where what a test opens is closed: a test, or what ends a case of many. */
export type Closing = Pick<ExecutionContext, 'teardown'>;

/** A network of nodes that have been discovered. */
export const testNetwork = async (
  t: Closing,
  nodes: readonly TestNode[],
  setup: NetworkSetup = {},
): Promise<Network> => {
  const { network, defaults = patience, hierarchies, byId = () => undefined, ...settings } = setup;
  const states = new Map<string, CatalogueState>();
  const entries = nodes.map(({ catalogue, remote, ...entry }) => {
    if (remote !== undefined) t.teardown(remote.close);
    if (typeof catalogue === 'object') states.set(entry.nodeId, available(catalogue));
    return {
      ...(remote && { graphqlUrl: remote.url }),
      ...(catalogue && { catalogue: typeof catalogue === 'string' ? catalogue : entry.nodeId }),
      ...entry,
    };
  });
  const config = readNodes({ ...(network && { network }), defaults, nodes: entries }, 'nodes.json');
  const opened = openNetwork(
    { ...config, ...(hierarchies && { hierarchies }) },
    (id) => states.get(id) ?? byId(id),
    { readyWaitMs: 60_000, ...settings },
  );
  t.teardown(opened.close);
  await opened.ready;
  return opened;
};

const patience = { timeoutMs: 60_000, discoveryTimeoutMs: 60_000 };

export interface Answer<Data> {
  readonly data: Data;
  readonly errors?: readonly { readonly message: string; readonly extensions: object }[];
  readonly warnings: readonly string[];
}

/** What a network answers to a document that names no node, as it goes over the wire. */
export const ask = async <Data = { readonly network: Record<string, unknown> }>(
  network: Network,
  source: string,
  variableValues: Readonly<Record<string, unknown>> = {},
): Promise<Answer<Data>> => {
  const warnings: string[] = [];
  const contextValue = contextOf(warnings);
  const result = await graphql({ schema: network.ownSchema(), source, variableValues, contextValue });
  return { ...(JSON.parse(JSON.stringify(result)) as Answer<Data>), warnings };
};

/** The field `network` of the answer. @throws when there are errors */
export const askNetwork = async (
  network: Network,
  source: string,
  variableValues: Readonly<Record<string, unknown>> = {},
): Promise<Record<string, unknown>> => {
  const { data, errors } = await ask(network, source, variableValues);
  if (errors) throw new Error(errors.map(({ message }) => message).join('; '));
  return data.network;
};

/** What a case of many in one test opens, and how all of it is closed, the last first. */
export const openCase = (): Closing & { readonly close: () => Promise<void> } => {
  const opened = new AsyncDisposableStack();
  return {
    teardown: (close) => opened.defer(async () => close()),
    close: () => opened.disposeAsync(),
  };
};
