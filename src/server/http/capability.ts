import type Router from '@koa/router';
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
  /** Opens what lasts as long as the process. @param settings those of the start */
  readonly open?: (settings: HttpSettings) => OpenCapability;
}

export interface OpenCapability {
  readonly routes: AddRoutes;
  readonly close: () => void;
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
