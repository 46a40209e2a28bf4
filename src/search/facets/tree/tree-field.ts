import {
  GraphQLBoolean,
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import { described } from '../../../lib/graphql/scalars.ts';
import { responseField } from '../row/answer-shape.ts';
import { nodeCountType } from '../terms.ts';
import type { FacetField } from '../row/measure-row.ts';

const countFields = {
  doc_count: responseField(GraphQLInt, 'How many documents there are; in a network, how many at least.'),
  upper_bound: responseField(GraphQLInt, 'How many there are at most; null when it is not known.'),
  exact: responseField(GraphQLBoolean, 'Whether both are equal.'),
  exists: responseField(GraphQLBoolean, 'Whether there is any; null when it is not known.'),
  estimate: responseField(GraphQLInt, 'About how many there are where they are withheld; null otherwise.'),
};

const termFields = {
  key: responseField(GraphQLString, 'The id of the term.'),
  label: responseField(GraphQLString, 'Its label; its id if it has none.'),
};

const treeBucket = new GraphQLObjectType({
  name: 'TreeBucket',
  description: 'A term, and the documents that have it or a term under it.',
  fields: {
    ...termFields,
    ...countFields,
    own_count: responseField(GraphQLInt, 'How many have the very term; in a network, how many at least.'),
    has_children: responseField(GraphQLBoolean, 'Whether terms stand under it in the hierarchy.'),
    nodes: responseField(new GraphQLList(nodeCountType), 'Which node has how many.'),
  },
});

const treeCount = new GraphQLObjectType({
  name: 'TreeCount',
  description: 'A number of documents.',
  fields: countFields,
});

const treeType = new GraphQLObjectType({
  name: 'Tree',
  description: 'A level of a hierarchy: the terms directly under one, each with its documents.',
  fields: {
    key: responseField(GraphQLString, 'The id of the term above the level; null above several roots.'),
    label: responseField(GraphQLString, 'Its label.'),
    ...countFields,
    buckets: responseField(
      new GraphQLList(treeBucket),
      'Those that documents have, by how many have them, then by id.',
    ),
    other: responseField(treeCount, 'The documents under the term above by none of these.'),
  },
});

/** The field of a facet that shows a level. */
export const treeField: FacetField = {
  type: treeType,
  description:
    "A level of the field's hierarchy. Without `under`, the first level that branches. A document counts once for each term, so the counts do not add up.",
  args: {
    under: described(GraphQLID, 'The term above the level.'),
    max: { type: GraphQLInt, defaultValue: 50, description: 'The most terms to return.' },
  },
};
