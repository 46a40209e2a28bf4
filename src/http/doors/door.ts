import type { Network } from '../../federation/network.ts';
import type { About, Tier } from '../../introspection/fields/catalogue-config.ts';
import type { Catalogue } from '../../search/catalogue.ts';
import type { CatalogueQuery, CatalogueResult } from '../../search/query.ts';
import type { HttpContext } from '../koa/http-context.ts';
import type { DescribeError } from '../koa/middleware.ts';

/** A way to put questions to catalogues besides GraphQL. */
export type Door = {
  /** In the audit trail and the log. */
  readonly name: string;
  /** The segment of its paths. */
  readonly segment: string;
} & (
  | {
      /** Its paths are below a server, a catalogue and a network. */
      readonly of: 'catalogue';
      /** Called with the first request: what nobody uses is not loaded. */
      readonly load: () => Promise<DoorModule<Visit>>;
    }
  | {
      /** Its paths are below the server, for everything that the server has. */
      readonly of: 'server';
      /** Whether pages of other origins are refused unless they are listed, as the Model Context Protocol wants it. */
      readonly guardsOrigin?: true;
      readonly load: () => Promise<DoorModule<Entrance>>;
      /** What it has the start page say to search engines, as JSON-LD. */
      readonly embed?: () => Promise<(entrance: Entrance) => Promise<unknown>>;
    }
);

export interface DoorModule<To> {
  /** Answers a request. @throws TributaryError */
  readonly serve: (context: HttpContext, to: To) => Promise<void>;
  /** The body of an error, in the form of the door. @param url where the door is */
  readonly errorBody: (...error: [...Parameters<DescribeError>, url: string]) => unknown;
}

/** What the caller of a request may visit; there is at least one of it. */
export interface Entrance {
  /** The address of the server, without a slash at its end. */
  readonly origin: string;
  /** The address of the door, without a slash at its end. */
  readonly url: string;
  /** The segments of the path below the door. */
  readonly path: readonly string[];
  readonly list: readonly Listed[];
  /** @throws TributaryError NOT_FOUND naming the nearest id */
  readonly open: (id: string) => Promise<Visit>;
  /** The body of a POST as JSON. @throws TributaryError as readJsonBody */
  readonly readBody: () => Promise<unknown>;
}

/** A catalogue, or a network by `network` or `<catalogue>/network`. */
export interface Listed {
  readonly id: string;
  readonly title: string;
  readonly isNetwork: boolean;
  /** What no index knows of it; undefined: nothing is configured. */
  readonly about: About | undefined;
}

/** A request to a door, whose caller has access to what it is about. */
export interface Visit {
  /** As the caller is served it: what answers a guarded tier, and of a network what is open to them. */
  readonly catalogue: Catalogue;
  /** null for a catalogue. */
  readonly network: Network | null;
  /** What the caller may learn; of a network what each of its nodes says. */
  readonly tier: Tier;
  /** The address of the door, without a slash at its end. */
  readonly url: string;
  /** The segments of the path below the door. */
  readonly path: readonly string[];
  /** The body of a POST as JSON. @throws TributaryError as readJsonBody */
  readonly readBody: () => Promise<unknown>;
  /** Queries the catalogue or the network, within the caller's rights and budget. */
  readonly search: (query: CatalogueQuery) => Promise<CatalogueResult>;
  /** Notices of those searches, safe to show. */
  readonly warnings: () => readonly string[];
}
