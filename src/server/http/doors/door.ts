import type { Network } from '../../../federation/network.ts';
import type { About } from '../../../introspection/fields/about.ts';
import type { WithheldStatement } from '../../../introspection/fields/catalogue-config.ts';
import type { Catalogue } from '../../../search/catalogue.ts';
import type { CatalogueQuery, CatalogueResult } from '../../../search/query.ts';
import type { HttpContext } from '../koa/http-context.ts';
import type { DescribeError } from '../koa/middleware.ts';

/** A way to query catalogues other than GraphQL. */
export type Door = {
  /** Its name in the audit trail and the log. */
  readonly name: string;
  /** The segment that its paths begin with, below the server, a catalogue or a network. */
  readonly segment: string;
} & (
  | {
      /** Its paths are below a server, a catalogue and a network. */
      readonly of: 'catalogue';
      /** Called on the first request, so that unused doors are not loaded. */
      readonly load: () => Promise<DoorModule<Visit>>;
    }
  | {
      /** Its paths are directly below the server, and cover the whole server. */
      readonly of: 'server';
      /** Whether pages of other origins are refused unless listed, as the Model Context Protocol requires. */
      readonly guardsOrigin?: true;
      readonly load: () => Promise<DoorModule<Entrance>>;
      /** JSON-LD that it adds to the start page for search engines. */
      readonly embed?: () => Promise<(entrance: Entrance) => Promise<unknown>>;
    }
);

export interface DoorModule<To> {
  /** Answers a request. @throws TributaryError */
  readonly serve: (context: HttpContext, to: To) => Promise<void>;
  /** The body of an error, in the form of the door. @param url the address of the door */
  readonly errorBody: (...error: [...Parameters<DescribeError>, url: string]) => unknown;
}

/** The catalogues and networks that a caller may visit; at least one. */
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

/** A catalogue, or a network named `network` or `<catalogue>/network`. */
export interface Listed {
  readonly id: string;
  readonly title: string;
  readonly isNetwork: boolean;
  /** The configured description; undefined if nothing is configured. */
  readonly about: About | undefined;
}

/** A request to a door about a catalogue or network that its caller may access. */
export interface Visit {
  /** As served to the caller: where records are withheld, the substitute; for a network, with the nodes open to them. */
  readonly catalogue: Catalogue;
  /** null for a catalogue. */
  readonly network: Network | null;
  /** What its answers are where records are withheld; null: they are not. In a network, each node reports its own. */
  readonly withheld: WithheldStatement | null;
  /** The address of the door, without a slash at its end. */
  readonly url: string;
  /** The segments of the path below the door. */
  readonly path: readonly string[];
  /** The body of a POST as JSON. @throws TributaryError as readJsonBody */
  readonly readBody: () => Promise<unknown>;
  /** Queries the catalogue or the network, within the caller's rights and budget. */
  readonly search: (query: CatalogueQuery) => Promise<CatalogueResult>;
  /** Warnings of those searches, safe to show. */
  readonly warnings: () => readonly string[];
}
