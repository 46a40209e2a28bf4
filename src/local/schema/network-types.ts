import { parentPaths, aggregationName } from '../../introspection/fields/names.ts';
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
import { aggregationsType, numericAggregationsType } from '../../facets/measures.ts';
import { byResponseKey } from '../../graphql/selected-fields.ts';
import { jsonScalar, described } from '../../graphql/scalars.ts';
import type { Field, Fields } from '../../introspection/fields/field.ts';
import type { JsonValue } from '../../json/json.ts';
import type { FieldConfigs } from './connection-type.ts';
import { fieldText } from './field-text.ts';
import { totalBoundsFields } from './shared-types.ts';

/** A row of the field `network`, as its types expect it. */
export interface FlatEdge {
  readonly nodeId: string;
  readonly searchAfter: () => string | null;
  readonly node: FlatHit;
}

export interface FlatHit {
  readonly id: string;
  /** The value of a network field, in the network's values; null if the node lacks the field. */
  readonly value: (field: Field) => JsonValue;
}

/** The pages of the field `network`. Its types are apart from a catalogue's, and flat: one field for each path. */
export const flatHitsType = (fields: Fields): GraphQLObjectType => {
  const hit = new GraphQLObjectType({
    name: 'NetworkHit',
    description: 'A document of a node: one field for each path, its dots as __.',
    fields: hitFields(fields),
  });
  const edge = new GraphQLObjectType({
    name: 'NetworkEdge',
    description: 'A place in a page of the network.',
    fields: {
      node: { type: hit, description: 'The document.' },
      nodeId: { type: GraphQLString, description: 'The id of the node it is from.' },
      searchAfter: {
        type: jsonScalar,
        description: 'The cursor of this place: the next page continues after it.',
        // cursors are built only for clients that select them
        resolve: (source) => (source as FlatEdge).searchAfter(),
      },
    },
  });
  return new GraphQLObjectType({
    name: 'NetworkConnection',
    description: 'A page of documents of all nodes.',
    fields: {
      total: described(
        GraphQLInt,
        'How many match in all, not only on this page: at least, where upper_bound is more.',
      ),
      ...totalBoundsFields,
      edges: { type: new GraphQLList(edge), description: 'In the order of the sort.' },
    },
  });
};

/** Flat: one field per path that holds values, with its dots as `__`. */
const hitFields = (fields: Fields): FieldConfigs => {
  const map: FieldConfigs = {
    id: {
      type: new GraphQLNonNull(GraphQLID),
      description: 'Its identifier at its node.',
      resolve: (source) => (source as FlatHit).id,
    },
  };
  const parents = parentPaths(fields);
  for (const field of fields.values()) {
    const name = aggregationName(field.path);
    const isParent = (field.kind === 'object' || field.kind === 'nested') && parents.has(field.path);
    if (Object.hasOwn(map, name) || isParent) continue;
    map[name] = {
      type: field.isArray ? new GraphQLList(valueType(field)) : valueType(field),
      description: fieldText(field),
      resolve: (source) => (source as FlatHit).value(field),
      extensions: { path: field.path },
    };
  }
  return map;
};

const valueType = ({ kind }: Field): GraphQLOutputType => {
  switch (kind) {
    case 'keyword':
    case 'text':
    case 'date':
      return GraphQLString;
    case 'number':
      return GraphQLFloat;
    case 'boolean':
      return GraphQLBoolean;
    case 'object':
    case 'nested':
    case 'json':
      return jsonScalar;
  }
};

/** The facets of the field `network`; null where it has none, as GraphQL allows no type without fields. */
export const flatFacetsType = (fields: Fields): GraphQLObjectType | null => {
  const map = facetFields(fields);
  if (Object.keys(map).length === 0) return null;
  return new GraphQLObjectType({
    name: 'NodeAggregations',
    description: 'The facets of the network: one field for each path, its dots as __.',
    fields: map,
  });
};

const facetFields = (fields: Fields): FieldConfigs => {
  const map: FieldConfigs = {};
  for (const field of fields.values()) {
    const { path, kind } = field;
    const name = aggregationName(path);
    if (Object.hasOwn(map, name) || kind === 'nested' || kind === 'json') continue;
    const type = kind === 'number' || kind === 'date' ? numericAggregationsType : aggregationsType;
    map[name] = { type, description: fieldText(field), resolve: byResponseKey, extensions: { path } };
  }
  return map;
};
