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
import { TributaryError } from '../errors.ts';
import { numericAggregationsType } from './aggregation-types.ts';
import type { Catalogue } from './catalogue.ts';
import { configsWithState, configsWithoutState } from './configs-types.ts';
import type { FieldConfigs } from './connection-type.ts';
import { nodeInterface } from './connection-type.ts';
import { documentType } from './document-type.ts';
import type { Caller } from './query.ts';
import { refreshEnum, setRootFields, setType } from './sets/set-types.ts';
import { sortInput } from './sort-input.ts';
import { newTypeNames } from './type-names.ts';

export interface SchemaOptions {
  /** The root field `network`, where the catalogue's endpoint also offers its network. */
  readonly network?: GraphQLFieldConfig<unknown, Caller>;
  readonly filtersDisabled?: boolean;
}

/**
 * The GraphQL schema of a catalogue: generated from its fields, with the type and field names that existing clients
 * know. The context value of an operation is the Caller; resolvers throw TributaryError as it is.
 *
 * @throws TributaryError schema_build_error when the fields give no valid schema
 */
export const buildCatalogueSchema = (catalogue: Catalogue, options: SchemaOptions = {}): GraphQLSchema => {
  const { config } = catalogue;
  assertDocumentType(config.documentType);
  const names = newTypeNames([...fixedTypeNames, ...networkTypeNames(options)]);
  const document = documentType(catalogue, names, { filtersDisabled: options.filtersDisabled ?? false });
  const sets = setRootFields(catalogue, newTypeNames([]), options.filtersDisabled ?? false);
  const root: GraphQLObjectType = new GraphQLObjectType({
    name: 'Root',
    fields: (): FieldConfigs => ({
      ...sharedRootFields(catalogue, root),
      [config.documentType]: { type: document, resolve: () => ({}) },
      sets: sets.sets,
      ...(options.network && { network: options.network }),
    }),
  });
  const mutation = new GraphQLObjectType({ name: 'Mutation', fields: { saveSet: sets.saveSet } });
  return checked(new GraphQLSchema({ query: root, mutation, types: [fileSizeType] }), config.catalogueId);
};

const fileSizeType = new GraphQLObjectType({ name: 'FileSize', fields: { value: { type: GraphQLFloat } } });

const queryResultsType = new GraphQLObjectType({
  name: 'QueryResults',
  fields: { total: { type: GraphQLInt }, hits: { type: new GraphQLList(nodeInterface) } },
});

const sharedRootFields = ({ config, aliases }: Catalogue, root: GraphQLObjectType): FieldConfigs => ({
  node: {
    type: nodeInterface,
    args: { id: { type: new GraphQLNonNull(GraphQLID) } },
    resolve: () => null,
  },
  viewer: { type: root, resolve: () => ({}) },
  query: {
    type: queryResultsType,
    args: { query: { type: GraphQLString }, types: { type: new GraphQLList(GraphQLString) } },
    resolve: () => null,
  },
  hasValidConfig: {
    type: GraphQLBoolean,
    args: {
      documentType: { type: new GraphQLNonNull(GraphQLString) },
      index: { type: new GraphQLNonNull(GraphQLString) },
    },
    resolve: (_source, asked: { documentType: string; index: string }) =>
      asked.documentType === config.documentType &&
      (asked.index === config.esIndex || aliases.includes(asked.index)),
  },
});

/** The names of some types and of all they are made of. */
const typeNamesOf = (types: readonly GraphQLNamedType[]): readonly string[] =>
  Object.keys(new GraphQLSchema({ types }).getTypeMap());

/** Types that a field's own type must not be called, whatever a mapping holds. */
const fixedTypeNames: readonly string[] = [
  ...specifiedScalarTypes.map(({ name }) => name),
  ...typeNamesOf([numericAggregationsType, sortInput, configsWithState, configsWithoutState]),
  ...typeNamesOf([setType, refreshEnum, queryResultsType, fileSizeType]),
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
      `documentType "${name}" is no GraphQL name; use letters, digits and _`,
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
      `the fields of catalogue ${catalogueId} give no valid schema: ${first.message}`,
      { cause: first },
    );
  return schema;
};
