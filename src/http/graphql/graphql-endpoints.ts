import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { Network } from '../../federation/network.ts';
import type { Catalogue } from '../../search/catalogue.ts';
import { buildCatalogueSchema } from '../../local/schema/schema.ts';
import { createGraphQLEndpoint, type GraphQLEndpoint } from './graphql-endpoint.ts';
import { rootFieldsOf } from './root-fields.ts';
import { serverVersion } from '../../server-version.ts';
import type { HttpSettings } from '../koa/settings.ts';

/** The schemas of this server, each served by an endpoint that is made when first asked for. */
export interface GraphQLEndpoints {
  /** With the root field `network` beside the document type once its discovery is done. */
  readonly ofCatalogue: (catalogue: Catalogue, network: Network | null) => GraphQLEndpoint;
  readonly ofNetwork: (network: Network) => GraphQLEndpoint;
}

export const createGraphQLEndpoints = (settings: HttpSettings, log: Logger): GraphQLEndpoints => {
  const keep = keepNewest();
  return {
    ofCatalogue: (catalogue, network) => {
      const field = network?.state().ready === true ? network.field() : null;
      // A mapping that is read anew, and nodes that have been found, change the schema.
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

/** Whether a document needs no node by itself, nor what introspection says of all of them: nearly all do not. */
const isOfNetwork = (document: DocumentNode): boolean =>
  [...rootFieldsOf(document)].every((name) => name === 'network' || name === '__typename');

/** Other nodes and their admins read here which server answers. */
const described = (schema: GraphQLSchema): GraphQLSchema => {
  schema.description = serverVersion();
  return schema;
};

/** One endpoint for each key: the last one, until one of the things it was made from is another. */
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
