import type { GraphQLOutputType } from 'graphql';
import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import type { Field, Fields } from '../../introspection/fields/field.ts';
import { aggregationName, graphqlSegment, mayBeWide } from '../../introspection/fields/field.ts';
import { configsWithState } from './configs-types.ts';
import type { FieldConfig, FieldConfigs, TypeNames } from './connection-type.ts';
import { connectionType, childTypeName } from './connection-type.ts';
import type { DescribeField } from './field-text.ts';
import { described, jsonScalar, numberScalar } from '../../lib/graphql/scalars.ts';
import { nestedConnection, hitSourcePaths, objectValue, scalarValue, type HitSource } from '../hits/shape.ts';
import { aggregationsType, numericAggregationsType } from '../../search/facets/measures.ts';
import { byResponseKey } from '../../lib/graphql/execution.ts';

/**
 * The fields of a node type: id and score, then one for each field stored here. Each carries its dotted path
 * (`extensions.path`), which selection.ts reads, and the key its value is stored under, regardless of its GraphQL name.
 */
export const nodeFields = (
  typeName: string,
  branches: readonly FieldBranch[],
  schema: SchemaParts,
): FieldConfigs => ({
  score: {
    type: GraphQLInt,
    description: 'Always null: filters find, they do not rank.',
    resolve: () => null,
  },
  ...objectFields(typeName, branches, schema),
  id: {
    type: new GraphQLNonNull(GraphQLID),
    description: "The document's own `id`, else its key in the index; of a nested object its place.",
    resolve: (source) => (source as HitSource).id,
    extensions: { path: 'id', whole: true },
  },
});

/** State shared by the types of one schema. */
export interface SchemaParts {
  readonly names: TypeNames;
  readonly fields: Fields;
  readonly describe: DescribeField;
}

/** `_source(paths)`: the stored document or its parts under these dotted paths. */
export const sourceField: FieldConfig = {
  type: jsonScalar,
  description: 'The document as it is stored.',
  args: {
    paths: described(
      new GraphQLList(GraphQLString),
      'Only the parts under these dotted paths; the whole document by default.',
    ),
  },
  resolve: (source, args: { paths?: readonly (string | null)[] | null }) =>
    hitSourcePaths(source as HitSource, args.paths),
  extensions: { document: true },
};

/** `_key`: the key of a network's document over all nodes. */
export const keyField: FieldConfig = {
  type: GraphQLID,
  description: 'Its key over all nodes: `<nodeId>/<id>`, both percent-encoded.',
  resolve: (source) => (source as HitSource).key ?? null,
  extensions: { path: 'id', whole: true },
};

const objectFields = (
  typeName: string,
  branches: readonly FieldBranch[],
  schema: SchemaParts,
): FieldConfigs =>
  Object.fromEntries(branches.map((branch) => [branch.name, fieldOf(typeName, branch, schema)]));

const fieldOf = (parent: string, branch: FieldBranch, schema: SchemaParts): FieldConfig => {
  const { field, segment, children } = branch;
  // makes selection.ts request a nested field as a whole, because engines drop objects that lack a requested path
  const wholly = { path: field.path, whole: true };
  const description = schema.describe(field);
  if (children.length === 0) {
    const resolve = (source: unknown) => scalarValue(source as HitSource, segment, field);
    return { type: listOf(scalarType(field), field), description, resolve, extensions: wholly };
  }
  const typeName = childTypeName(parent, branch.name);
  if (field.kind === 'nested') {
    const resolve = (source: unknown) => nestedConnection(source as HitSource, segment, field);
    return { type: nestedType(typeName, branch, schema), description, resolve, extensions: wholly };
  }
  const name = schema.names.claim(typeName);
  const type = new GraphQLObjectType({
    name,
    description: `The object \`${field.path}\`.`,
    fields: objectFields(name, children, schema),
  });
  const resolve = (source: unknown) => objectValue(source as HitSource, segment, field);
  return { type: listOf(type, field), description, resolve };
};

const nestedType = (name: string, branch: FieldBranch, schema: SchemaParts): GraphQLObjectType =>
  connectionType({
    name,
    documents: `the nested objects \`${branch.field.path}\` of a document`,
    names: schema.names,
    node: (typeName) => nodeFields(typeName, branch.children, schema),
    aggregations: aggregationFields(schema.fields, branch.field.path, schema.describe),
    configs: configsWithState,
    resolve: {},
  });

const listOf = (type: GraphQLOutputType, field: Field): GraphQLOutputType =>
  field.isArray ? new GraphQLList(type) : type;

/** The type of one value of a field. */
export const scalarType = (field: Field): GraphQLOutputType => {
  switch (field.kind) {
    case 'keyword':
    case 'text':
    case 'date':
      return GraphQLString;
    case 'boolean':
      return GraphQLBoolean;
    case 'number':
      if (intTypes.has(field.type)) return GraphQLInt;
      return mayBeWide(field) ? numberScalar : GraphQLFloat;
    case 'range':
    case 'object':
    case 'nested':
    case 'flattened':
    case 'json':
      return jsonScalar;
  }
};

/** Existing clients expect these as Int and all other numbers as Float. */
const intTypes = new Set(['byte', 'short']);

/**
 * One field for each facet below a nested field, or of the whole document when `within` is "", including deeper nested
 * ones, named relative to it: numbers and dates are numeric, all others have buckets.
 */
export const aggregationFields = (fields: Fields, within: string, describe: DescribeField): FieldConfigs => {
  const above = within === '' ? '' : `${within}.`;
  return Object.fromEntries(
    [...fields.values()].flatMap((field) => {
      const type = facetType(field);
      if (type === null || !field.path.startsWith(above)) return [];
      const name = aggregationName(field.path.slice(above.length));
      const description = describe(field);
      return [
        [
          name,
          {
            type,
            description,
            resolve: byResponseKey,
            extensions: { path: field.path, kind: field.kind, hierarchy: field.hierarchy },
          },
        ],
      ];
    }),
  );
};

const facetType = ({ kind, type }: Field) => {
  switch (kind) {
    case 'number':
    case 'date':
      return numericAggregationsType;
    case 'keyword':
    case 'text':
    case 'boolean':
    case 'flattened':
    case 'object':
      return aggregationsType;
    case 'json':
      return type === 'nested' ? null : aggregationsType;
    case 'range':
    case 'nested':
      return null;
  }
};

/** A field with its stored children: the shape of a document, whereas Fields is a flat list. */
export interface FieldBranch {
  readonly field: Field;
  /** The key in the parent object. */
  readonly segment: string;
  /** The GraphQL name. */
  readonly name: string;
  readonly children: readonly FieldBranch[];
}

/**
 * The fields as stored, in mapping order. Multi-fields and aliases can be filtered and counted but are not part of any
 * document.
 */
export const fieldTree = (fields: Fields): readonly FieldBranch[] => {
  const roots: FieldBranch[] = [];
  const childrenOf = new Map<string, FieldBranch[]>();
  for (const field of fields.values()) {
    if (field.storedAt !== undefined) continue;
    const parent = parentPath(field.path, fields);
    const siblings = parent === '' ? roots : childrenOf.get(parent);
    if (siblings === undefined) continue;
    const segment = parent === '' ? field.path : field.path.slice(parent.length + 1);
    const children: FieldBranch[] = [];
    if (field.kind === 'object' || field.kind === 'nested') childrenOf.set(field.path, children);
    siblings.push({ field, segment, name: graphqlSegment(segment), children });
  }
  return roots;
};

const parentPath = (path: string, fields: Fields): string => {
  let end = path.lastIndexOf('.');
  while (end > 0 && !fields.has(path.slice(0, end))) end = path.lastIndexOf('.', end - 1);
  return end > 0 ? path.slice(0, end) : '';
};
