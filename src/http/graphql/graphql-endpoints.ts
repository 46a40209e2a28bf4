import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { Network } from '../../federation/network.ts';
import type { Catalogue } from '../../search/catalogue.ts';
import { buildCatalogueSchema } from '../../local/schema/schema.ts';
import { createGraphQLEndpoint, type GraphQLEndpoint } from './graphql-endpoint.ts';
import { rootFieldsOf } from './root-fields.ts';
import { serverVersion } from '../../server-version.ts';
import type { HttpSettings } from '../koa/settings.ts';

/** The schemas of this server, each served by an endpoint created on first use. */
export interface GraphQLEndpoints {
  /** Includes the root field `network` once discovery is done. */
  readonly ofCatalogue: (catalogue: Catalogue, network: Network | null) => GraphQLEndpoint;
  readonly ofNetwork: (network: Network) => GraphQLEndpoint;
}

export const createGraphQLEndpoints = (settings: HttpSettings, log: Logger): GraphQLEndpoints => {
  const keep = keepNewest();
  return {
    ofCatalogue: (catalogue, network) => {
      const field = network?.state().ready === true ? network.field() : null;
      // A reloaded mapping and newly discovered nodes change the schema.
      return keep(`catalogue ${catalogue.id}`, [catalogue.generatedAt, field], () =>
        createGraphQLEndpoint(
          described(buildCatalogueSchema(catalogue, field === null ? {} : { network: field })),
          { limits: limitsOf(catalogue), log },
        ),
      );
    },
    ofNetwork: (network) => {
      const own = network.ownSchema();
      return keep('network', [own], () => {
        described(own);
        const whole = (): GraphQLSchema => described(network.schema());
        return createGraphQLEndpoint((document) => (isOfNetwork(document) ? own : whole()), {
          limits: settings.network,
          log,
        });
      });
    },
  };
};

/** Whether a document uses neither the schema of a single node nor introspection, as nearly all do. */
const isOfNetwork = (document: DocumentNode): boolean =>
  [...rootFieldsOf(document)].every((name) => name === 'network' || name === '__typename');

/** Tells other nodes and their admins which server this is. */
const described = (schema: GraphQLSchema): GraphQLSchema => {
  schema.description = serverVersion();
  return schema;
};

/** Keeps the latest endpoint for each key until one of its inputs changes. */
const keepNewest = () => {
  const kept = new Map<
    string,
    { readonly madeFrom: readonly unknown[]; readonly endpoint: GraphQLEndpoint }
  >();
  return (key: string, madeFrom: readonly unknown[], create: () => GraphQLEndpoint): GraphQLEndpoint => {
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
