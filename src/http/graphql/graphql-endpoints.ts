import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { Network } from '../../federation/network.ts';
import type { Catalogue } from '../../search/catalogue.ts';
import { buildCatalogueSchema } from '../../local/schema/schema.ts';
import { createGraphQLEndpoint, type GraphQLEndpoint } from './graphql-endpoint.ts';
import { rootFieldsOf } from './document-fields.ts';
import { serverVersion } from '../../runtime/server-version.ts';
import type { QueryLimits } from '../koa/settings.ts';

/** The schemas of this server, each served by an endpoint created on first use. */
export interface GraphQLEndpoints {
  /** Includes the root field `network` once the network is open. */
  readonly ofCatalogue: (catalogue: Catalogue, network: Network | null) => GraphQLEndpoint;
  /** @param limits of its documents */
  readonly ofNetwork: (network: Network, limits: QueryLimits) => GraphQLEndpoint;
  /** The network's own fields only: queries to single nodes are answered once. */
  readonly ofStream: (network: Network, limits: QueryLimits) => GraphQLEndpoint;
}

/** Creates the endpoints of a server. @param log gets what goes wrong while a query runs */
export const createGraphQLEndpoints = (log: Logger): GraphQLEndpoints => {
  const keep = keepNewest();
  const keepStreams = keepNewest();
  return {
    ofCatalogue: (catalogue, network) => {
      const field = network?.isOpen() === true ? network.field() : null;
      // A reloaded mapping and newly discovered nodes change the schema.
      const guarded = catalogue.disclosure === undefined ? null : catalogue.fields;
      const key = `${guarded === null ? 'catalogue' : 'release of'} ${catalogue.id}`;
      return keep(key, [catalogue.generatedAt, field, guarded], () =>
        createGraphQLEndpoint(
          described(buildCatalogueSchema(catalogue, field === null ? {} : { network: field })),
          { limits: limitsOf(catalogue), log },
        ),
      );
    },
    ofStream: (network, limits) => {
      const own = network.ownSchema();
      return keepStreams(network, [own, ...valuesOf(limits)], () =>
        createGraphQLEndpoint(own, { limits, log }),
      );
    },
    ofNetwork: (network, limits) => {
      const own = network.ownSchema();
      return keep(network, [own, ...valuesOf(limits)], () => {
        described(own);
        const whole = (): GraphQLSchema => described(network.schema());
        const schemaFor = (document: DocumentNode) => (isOf(own, document) ? own : whole());
        return createGraphQLEndpoint(schemaFor, { limits, log });
      });
    },
  };
};

/**
 * Whether a document uses neither the schema of a single node nor introspection, as nearly all do. `viewer` returns the
 * root again.
 */
const isOf = (own: GraphQLSchema, document: DocumentNode): boolean => {
  const fields = own.getQueryType()!.getFields();
  return [...rootFieldsOf(document)].every(
    (name) => (name in fields && name !== 'viewer') || name === '__typename' || name === 'saveSet',
  );
};

/** A request that began before a reload still has the former limits. */
const valuesOf = ({ maxAliases, maxDepth, introspectionDisabled }: QueryLimits): readonly unknown[] => [
  maxAliases,
  maxDepth,
  introspectionDisabled,
];

/** Tells other nodes and their admins which server this is. */
const described = (schema: GraphQLSchema): GraphQLSchema => {
  schema.description = serverVersion();
  return schema;
};

/** Keeps the latest endpoint for each key until one of its inputs changes. */
const keepNewest = () => {
  const kept = new Map<
    string | Network,
    { readonly madeFrom: readonly unknown[]; readonly endpoint: GraphQLEndpoint }
  >();
  return (
    key: string | Network,
    madeFrom: readonly unknown[],
    create: () => GraphQLEndpoint,
  ): GraphQLEndpoint => {
    const found = kept.get(key);
    if (found !== undefined && madeFrom.every((part, at) => part === found.madeFrom[at]))
      return found.endpoint;
    const endpoint = create();
    kept.set(key, { madeFrom, endpoint });
    return endpoint;
  };
};

const limitsOf = ({ config }: Catalogue) => ({
  maxAliases: config.maxAliases,
  maxDepth: config.maxDepth,
  introspectionDisabled: config.disableGraphQLIntrospection,
});
