import type Router from '@koa/router';
import type { Logger } from 'pino';
import type { Engine } from '../../engines/engine.ts';
import type { CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import type { ServerKey } from '../../lib/runtime/server-key.ts';
import type { Registry } from '../../local/registry.ts';
import type { Trail } from '../../search/audited-search.ts';
import type { CatalogueGuard } from '../../search/catalogue.ts';
import type { BodyLimits } from './koa/request-body.ts';
import type { HttpContext, RequestState } from './koa/http-context.ts';
import type { HttpSettings } from './koa/settings.ts';
import type { TargetParts } from './callers/require-access.ts';
import type { Door } from './doors/door.ts';

/** A part of the server that could be absent: everything else answers without it. src/standard.ts lists those that ship. */
export interface Capability {
  /** Its name in /service-info and `check`. */
  readonly name: string;
  /** A protocol beside GraphQL. */
  readonly door?: Door;
  /** Restricts the callers of catalogues. At most one capability does. */
  readonly guard?: (parts: GuardParts) => CatalogueGuard;
  /** Opens what lasts as long as the process. */
  readonly open?: (parts: ProcessParts) => OpenCapability;
}

/** What lasts as long as the process; each member is optional. */
export interface OpenCapability {
  readonly routes?: AddRoutes;
  /** Called once, when the catalogues and networks are served. */
  readonly start?: () => void;
  readonly close?: () => void;
}

export interface GuardParts {
  /** The folder of what this server keeps. */
  readonly dataPath: string;
  /** Unset: nothing is written, neither to the folder nor to a log. */
  readonly process?: Pick<ProcessParts, 'key' | 'log'>;
}

export interface ProcessParts {
  /** Those of the start. */
  readonly settings: HttpSettings;
  /** The folder of what this server keeps. */
  readonly dataPath: string;
  readonly key: ServerKey;
  readonly log: Logger;
  /** The audit trail; null: there is none. */
  readonly trail: () => Trail | null;
  readonly engineOf: (config: CatalogueConfig) => Promise<Engine>;
  /** The catalogues that are served now. */
  readonly registry: Pick<Registry, 'states'>;
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
