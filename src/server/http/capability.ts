import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type Router from '@koa/router';
import type { Logger } from 'pino';
import type { Engine } from '../../engines/engine.ts';
import type { AccessConfig, AuditConfig, Config } from '../config/config.ts';
import type { CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import type { ServerKey } from '../../lib/runtime/server-key.ts';
import type { Registry } from '../../local/registry.ts';
import type { Trail } from '../../search/audited-search.ts';
import type { CatalogueGuard } from '../../search/catalogue.ts';
import type { BodyLimits } from './koa/request-body.ts';
import type { HttpContext, RequestState } from './koa/http-context.ts';
import type { Metrics } from './ops/metrics.ts';
import type { TokenAccess } from './callers/access-filters.ts';
import type { Network } from '../../federation/network.ts';
import type { Tunnel } from '../../federation/remote/http-executor.ts';
import type { Caller, CallerAccess } from '../../search/request-context.ts';
import type { TargetParts, WaitingMember } from './callers/require-access.ts';
import type { Door } from './doors/door.ts';

/** A part of the server that could be absent: everything else answers without it. src/standard.ts lists those that ship. */
export interface Capability {
  /** Its name in /service-info and `check`. */
  readonly name: string;
  /** A protocol beside GraphQL. */
  readonly door?: Door;
  /** Restricts the callers of catalogues. At most one capability does. */
  readonly guard?: (parts: GuardParts) => CatalogueGuard;
  /** Reads the access file. At most one capability does. @throws TributaryError CONFIG_INVALID */
  readonly rules?: (config: Ruled & { readonly access: AccessConfig }) => AnonymousRules;
  /** Opens the audit trail. At most one capability does. @throws TributaryError NOT_READY when it is required and cannot be written */
  readonly trail?: (parts: TrailParts) => Trail;
  /** Checks what the files of a configuration say to it. @throws TributaryError CONFIG_INVALID */
  readonly check?: (config: Config) => void;
  /** Opens what lasts as long as the process. */
  readonly open?: (parts: ProcessParts) => OpenCapability | Promise<OpenCapability>;
}

/** What access rules are about. */
export type Ruled = Pick<Config, 'access' | 'catalogues'>;

/** What an access file says of callers before anybody has sent a token. */
export interface AnonymousRules {
  /** What callers without a token may see and learn. */
  readonly access: CallerAccess;
  /** Whether some rule for a catalogue has `disclosure`, for any caller. */
  readonly namesDisclosure: (catalogueId: string) => boolean;
}

export interface TrailParts {
  readonly settings: AuditConfig;
  readonly key: ServerKey;
  readonly log: { readonly error: (details: object, message: string) => void };
}

/** What lasts as long as the process; each member is optional. */
export interface OpenCapability {
  readonly routes?: AddRoutes;
  /** Decides who may see what, by the rules that the same capability reads. */
  readonly access?: OpenAccess;
  /** Called once, when the catalogues and networks are served. */
  readonly start?: () => void;
  /** Reaches the nodes that dial in. At most one capability does. */
  readonly members?: Members;
  /** Takes over a connection that offers another protocol. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /**
   * Called once the server listens.
   * @param url where this server is reached, unless PUBLIC_URL is set
   * @param serve the application
   * @param env contains the proxies
   */
  readonly listening?: (
    url: string,
    serve: (request: IncomingMessage, response: ServerResponse) => unknown,
    env: Readonly<Record<string, string | undefined>>,
  ) => void;
  /** Called with each configuration that takes effect after the first. */
  readonly reload?: (config: Config) => ReloadReport;
  /** Stops new requests on its connections. */
  readonly retire?: () => void;
  /** Ends its connections, once no request uses them. */
  readonly disconnect?: () => Promise<void>;
  readonly close?: () => void;
}

/** What a reload has changed, and what is wrong; a line each. */
export interface ReloadReport {
  readonly changes: readonly string[];
  readonly problems: readonly string[];
}

/** The nodes that dial into the network of nodes.json. */
export interface Members {
  /** Must be awaited before the network of a configuration is opened. */
  readonly prepare: (config: Config) => Promise<void>;
  /** The tunnel of a node, identified by its key. */
  readonly tunnelTo: (nodeId: string, key: string) => Tunnel;
  /** What an invited node proposes; null: it has not dialled. */
  readonly waiting: (nodeId: string) => WaitingMember | null;
}

export interface OpenAccess {
  /** @throws TributaryError CONFIG_INVALID naming the problem in the access file or with the keys */
  readonly of: (config: Ruled & { readonly access: AccessConfig }) => TokenAccess;
  /** Called when an access file takes effect. */
  readonly inEffect: (access: AccessConfig) => void;
}

export interface GuardParts {
  /** The folder of what this server keeps. */
  readonly dataPath: string;
  /** Unset: nothing is written, neither to the folder nor to a log. */
  readonly process?: Pick<ProcessParts, 'key' | 'log'>;
}

export interface ProcessParts {
  /** That of the start. */
  readonly config: Config;
  readonly key: ServerKey;
  readonly log: Logger;
  /** null: nothing is measured. */
  readonly metrics: Metrics | null;
  /** The audit trail; null: there is none. */
  readonly trail: () => Trail | null;
  readonly engineOf: (config: CatalogueConfig) => Promise<Engine>;
  /** The catalogues that are served now. */
  readonly registry: Pick<Registry, 'states'>;
  /** The network of nodes.json; null: there is none, or it is not joined yet. */
  readonly network: () => Network | null;
  /** A caller without a token; null: what such callers see is not known. */
  readonly anonymous: () => Caller | null;
  /** @throws TributaryError CONFIG_INVALID where others reach a catalogue with a disclosure.json and no rule has `disclosure` */
  readonly requireDisclosureRules: (config: Config) => void;
}

/** Adds routes to an application, before those of catalogues. */
export type AddRoutes = (router: Router<RequestState>, parts: RouteParts) => void;

export interface RouteParts extends TargetParts {
  readonly body: BodyLimits;
  /** The start page's JSON-LD for search engines; null: none. */
  readonly embedded: (context: HttpContext) => Promise<unknown>;
}

/** The doors of capabilities. @param segments their path segments, by name; null: left out; unset: the usual segment */
export const doorsOf = (
  capabilities: readonly Capability[],
  segments: Readonly<Record<string, string | null>> = {},
): readonly Door[] =>
  capabilities.flatMap(({ door }) => {
    if (door === undefined) return [];
    const { [door.name]: segment = door.segment } = segments;
    return segment === null ? [] : [{ ...door, segment }];
  });

/** What restricts the callers of catalogues; unset: nothing does, and catalogues that need it fail. */
export const guardOf = (capabilities: readonly Capability[], parts: GuardParts): CatalogueGuard | undefined =>
  capabilities.find(({ guard }) => guard !== undefined)?.guard?.(parts);
