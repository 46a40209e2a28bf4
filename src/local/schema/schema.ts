import { protocolEnum, protocolType } from '../../lib/graphql/protocol.ts';
import { described } from '../../lib/graphql/scalars.ts';
import type { GraphQLFieldConfig, GraphQLNamedType } from 'graphql';
import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  assertName,
  specifiedScalarTypes,
  validateSchema,
} from 'graphql';
import { TributaryError } from '../../lib/errors/errors.ts';
import { numericAggregationsType } from '../../search/facets/measures.ts';
import { statementFor, type Catalogue } from '../../search/catalogue.ts';
import { configsWithState, configsWithoutState, configsSource } from './configs-types.ts';
import type { FieldConfigs, TypeNames } from './connection-type.ts';
import { nodeInterface, connectionType, newTypeNames } from './connection-type.ts';
import type { RequestContext } from '../../search/request-context.ts';
import { refreshEnum, setRootFields, setType } from './set-types.ts';
import { nodesArguments, ownRootSource, rootSource, searchResolvers } from './search-resolvers.ts';
import { nodeStatusType, sortInput, sqonOperatorEnum } from './shared-types.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { aggregationFields, fieldTree, keyField, nodeFields, sourceField } from './node-fields.ts';
import { describeWith } from './field-text.ts';

export interface SchemaOptions {
  /** The root field `network`, if the catalogue's endpoint also offers its network. */
  readonly network?: GraphQLFieldConfig<unknown, RequestContext>;
}

/**
 * The GraphQL schema of a catalogue: generated from its fields, with the type and field names that existing clients
 * know. The context value of an operation is the Caller; resolvers throw TributaryErrors unwrapped.
 *
 * @throws TributaryError schema_build_error when the fields do not give a valid schema
 */
export const buildCatalogueSchema = (catalogue: Catalogue, options: SchemaOptions = {}): GraphQLSchema => {
  const { config } = catalogue;
  assertDocumentType(config.documentType);
  const names = newTypeNames([...fixedTypeNames, ...networkTypeNames(options)]);
  const document = documentType(catalogue, names);
  const sets = setRootFields(catalogue, newTypeNames([]));
  const root: GraphQLObjectType = new GraphQLObjectType({
    name: 'Root',
    description: 'Everything that can be queried here.',
    fields: (): FieldConfigs => ({
      ...sharedRootFields(catalogue, root),
      [config.documentType]: {
        type: document,
        description:
          config.description ?? `The catalogue ${config.catalogueId}: hits, facets and configuration.`,
        args: nodesArguments,
        resolve: (_source, args) =>
          catalogue.isNetwork ? rootSource(args) : ownRootSource(args, config.catalogueId),
      },
      sets: sets.sets,
      ...(options.network && { network: options.network }),
    }),
  });
  const mutation = new GraphQLObjectType({
    name: 'Mutation',
    description: 'Everything that can be changed here.',
    fields: { saveSet: sets.saveSet },
  });
  return checked(
    new GraphQLSchema({ query: root, mutation, types: [fileSizeType, sqonOperatorEnum, protocolEnum] }),
    config.catalogueId,
  );
};

const fileSizeType = new GraphQLObjectType({
  name: 'FileSize',
  description: 'Kept for existing clients; nothing returns it.',
  fields: { value: { type: GraphQLFloat, description: 'In bytes.' } },
});

const queryResultsType = new GraphQLObjectType({
  name: 'QueryResults',
  description: 'Kept for existing clients; nothing returns it.',
  fields: {
    total: { type: GraphQLInt, description: 'How many there are.' },
    hits: { type: new GraphQLList(nodeInterface), description: 'What was found.' },
  },
});

const unused = 'Accepted and ignored.';

const sharedRootFields = (
  { config, aliases, isNetwork }: Catalogue,
  root: GraphQLObjectType,
): FieldConfigs => ({
  node: {
    type: nodeInterface,
    description: 'Kept for existing clients: always null.',
    args: { id: { type: new GraphQLNonNull(GraphQLID), description: unused } },
    resolve: () => null,
  },
  viewer: {
    type: root,
    description: 'This same root, for clients that query below it.',
    resolve: () => ({}),
  },
  query: {
    type: queryResultsType,
    description: 'Kept for existing clients: always null.',
    args: {
      query: { type: GraphQLString, description: unused },
      types: { type: new GraphQLList(GraphQLString), description: unused },
    },
    resolve: () => null,
  },
  hasValidConfig: {
    type: GraphQLBoolean,
    description: 'Whether this catalogue is of a document type and an index; GET /introspection says more.',
    args: {
      documentType: described(new GraphQLNonNull(GraphQLString), 'The root field of a catalogue.'),
      index: { type: new GraphQLNonNull(GraphQLString), description: 'The name of an index or of an alias.' },
    },
    resolve: (_source, args: { documentType: string; index: string }) =>
      args.documentType === config.documentType &&
      (isNetwork === true || args.index === config.esIndex || aliases.includes(args.index)),
  },
});

/** The names of some types and of all types they refer to. */
const typeNamesOf = (types: readonly GraphQLNamedType[]): readonly string[] =>
  Object.keys(new GraphQLSchema({ types }).getTypeMap());

/** Names that a field's own type must not have, whatever the mapping contains. */
const fixedTypeNames: readonly string[] = [
  ...specifiedScalarTypes.map(({ name }) => name),
  ...typeNamesOf([numericAggregationsType, sortInput, configsWithState, configsWithoutState]),
  ...typeNamesOf([setType, refreshEnum, queryResultsType, fileSizeType, sqonOperatorEnum, nodeStatusType]),
  protocolType,
  ...['Root', 'Mutation', 'DocumentType'],
  ...['sets', 'setsAggregations', 'setsConnection', 'setsEdge', 'setsNode'],
];

const networkTypeNames = ({ network }: SchemaOptions): readonly string[] =>
  network === undefined ? [] : typeNamesOf([new GraphQLObjectType({ name: 'Query', fields: { network } })]);

const assertDocumentType = (name: string): void => {
  try {
    assertName(name);
  } catch (error) {
    throw new TributaryError(
      'schema_build_error',
      `documentType "${name}" is not a valid GraphQL name; use letters, digits and _`,
      { cause: error },
    );
  }
  if (name.startsWith('__') || fixedTypeNames.includes(name))
    throw new TributaryError(
      'schema_build_error',
      `documentType "${name}" is taken by the schema; choose another name`,
    );
};

const checked = (schema: GraphQLSchema, catalogueId: string): GraphQLSchema => {
  const [first] = validateSchema(schema);
  if (first !== undefined)
    throw new TributaryError(
      'schema_build_error',
      `the fields of catalogue ${catalogueId} do not make a valid schema: ${first.message}`,
      { cause: first },
    );
  return schema;
};

/** The type of the root field named after the catalogue's documentType, with its resolvers. */
const documentType = (catalogue: Catalogue, names: TypeNames): GraphQLObjectType => {
  const { config, fields } = catalogue;
  const describe = describeWith(config.extended);
  return connectionType({
    name: config.documentType,
    documents: catalogue.isNetwork
      ? 'the documents of all nodes'
      : `the documents of catalogue ${config.catalogueId}`,
    ofNodes: catalogue.isNetwork ? 'network' : 'catalogue',
    names,
    node: (typeName) => ({
      ...(catalogue.isNetwork && { _key: keyField }),
      ...nodeFields(typeName, fieldTree(fields), { names, fields, describe }),
      _source: sourceField,
    }),
    aggregations: aggregationFields(fields, '', describe),
    configs: configsWithState,
    resolve: {
      ...searchResolvers(catalogue.search, {
        nodeId: config.catalogueId,
        filtersDisabled: config.switches.disableFilters,
      }),
      // the list of fields is only for callers who may see part of them, through a network too
      configs: async (_source, _args, context) => {
        await admit(catalogue, context);
        const disclosure = await statementFor(catalogue, context.caller);
        return { ...configsSource(fields, config), disclosure, dimensions: catalogue.released ?? null };
      },
      mapping: async (_source, _args, context) => {
        await admit(catalogue, context);
        return catalogue.mapping && shownMapping(catalogue.mapping);
      },
    },
  });
};

/** @throws TributaryError UNAUTHENTICATED or FORBIDDEN for callers who may see nothing of it */
const admit = async ({ id, isNetwork }: Catalogue, context: RequestContext): Promise<void> => {
  if (isNetwork) await context.caller.networkAccess?.();
  else await context.caller.accessFilter(id);
};

/** Without `id`, which every node has anyway: existing clients expect the mapping that way. */
const shownMapping = (mapping: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(mapping).filter(([name]) => name !== 'id'));
