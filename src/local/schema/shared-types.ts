import type { GraphQLEnumValueConfigMap } from 'graphql';
import {
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLNonNull,
  GraphQLString,
  GraphQLBoolean,
  GraphQLInt,
  GraphQLList,
  GraphQLObjectType,
} from 'graphql';
import { nameInEnum, operatorEnumName } from '../../sqon/describe.ts';
import { operatorNames } from '../../sqon/operators/table.ts';
import { jsonScalar, described } from '../../lib/graphql/scalars.ts';
import { lowerOf, upperOf } from '../../search/count.ts';
import type { NodeStatus } from '../../search/nodes-answer.ts';
import type { boundsFields } from '../hits/selection.ts';

const valuesOf = (descriptions: Readonly<Record<string, string>>): GraphQLEnumValueConfigMap =>
  Object.fromEntries(Object.entries(descriptions).map(([name, description]) => [name, { description }]));

/** Where documents without a value are sorted. */
export const missingEnum = new GraphQLEnumType({
  name: 'Missing',
  description: 'Where documents without a value stand.',
  values: valuesOf({ first: 'Before all others.', last: 'After all others.' }),
});

/** How several values are reduced to one. */
export const modeEnum = new GraphQLEnumType({
  name: 'Mode',
  description: 'Which of several values a document is sorted by.',
  values: valuesOf({
    avg: 'Their average; numbers and dates only.',
    max: 'The largest.',
    min: 'The smallest.',
    sum: 'Their sum; numbers and dates only.',
  }),
});

/** Smallest or largest first. */
export const orderEnum = new GraphQLEnumType({
  name: 'Order',
  description: 'The direction of a sort key.',
  values: valuesOf({ asc: 'Smallest first.', desc: 'Largest first.' }),
});

/** One sort key: `fieldName` in dotted form. */
export const sortInput = new GraphQLInputObjectType({
  name: 'Sort',
  description: 'One sort key. The first key counts most.',
  fields: {
    fieldName: described(
      new GraphQLNonNull(GraphQLString),
      'The dotted path of a keyword, number, date or boolean field; `_id` is the key of the document.',
    ),
    order: { type: orderEnum, description: 'asc by default.' },
    mode: described(modeEnum, 'Which of several values counts; by default min for asc and max for desc.'),
    missing: described(
      missingEnum,
      'Where documents without a value stand; by default first for asc and last for desc.',
    ),
  },
});

/** The operators available in filters. No field has this type: a network reads it to learn what a node supports. */
export const sqonOperatorEnum = new GraphQLEnumType({
  name: operatorEnumName,
  description: 'The operators of SQON filters that are understood here, their hyphens as _.',
  values: Object.fromEntries(
    operatorNames.map((op) => [nameInEnum(op), { value: op, description: `The operator ${op}.` }]),
  ),
});

const hits = (status: unknown): number | null => {
  const { hits: count } = status as NodeStatus;
  return count === null ? null : lowerOf(count);
};
const upperBound = (status: unknown): number | null => {
  const { state, hits: count } = status as NodeStatus;
  // the 0 of a node that did not answer is not a count
  return state === 'ok' && count !== null ? upperOf(count) : null;
};
const withheld = (status: unknown): boolean => (status as NodeStatus).withheld !== undefined;
const disclosure = (status: unknown) => (status as NodeStatus).withheld ?? null;

const institutionType = new GraphQLObjectType({
  name: 'NetworkInstitution',
  description: 'A catalogue, which several networks may lead to.',
  fields: {
    key: {
      type: GraphQLString,
      description: "Its server's key and its id, wherever it is met; null when it is not known.",
    },
    name: { type: GraphQLString, description: 'Its display name.' },
  },
});

const reachType = new GraphQLObjectType({
  name: 'NetworkReach',
  description:
    'How many institutions a question concerns, over all networks below, and how many of them answered it.',
  fields: {
    queried: {
      type: GraphQLInt,
      description: '0 for a node that is not queried, 1 for one that is not known yet.',
    },
    answered: { type: GraphQLInt, description: 'How many of them answered.' },
  },
});

/** A node of a network and the outcome of a request there: a NodeStatus. */
export const nodeStatusType = new GraphQLObjectType({
  name: 'NetworkNode',
  description:
    'A node of a network and how its part of the request went. A catalogue that is not a network is its only node.',
  fields: {
    nodeId: { type: GraphQLString, description: 'The id that nodes.json gives it.' },
    name: { type: GraphQLString, description: 'Its display name.' },
    hits: {
      type: GraphQLInt,
      description:
        'How many of its documents match: at least, where they are withheld; null when it was not queried.',
      resolve: hits,
    },
    upper_bound: {
      type: GraphQLInt,
      description: 'How many match at most: `hits`, where that is exact; null where it is not known.',
      resolve: upperBound,
    },
    withheld: {
      type: GraphQLBoolean,
      description: 'Whether it shows no documents to this caller, and counts only as intervals.',
      resolve: withheld,
    },
    disclosure: {
      type: jsonScalar,
      description:
        'What its answers are then: `tier`, `threshold`, what is `counted`, the `date` of the release and how many changes it holds back (`waits`); null otherwise.',
      resolve: disclosure,
    },
    status: { type: GraphQLString, description: 'OK or ERROR; null when it was not queried.' },
    errors: { type: GraphQLString, description: 'What went wrong, in words; "" when nothing did.' },
    state: {
      type: GraphQLString,
      description:
        'ok, excluded, or why it could not answer, such as timeout, disconnected or discoveryFailed.',
    },
    code: { type: GraphQLString, description: 'The code of what went wrong; null when nothing did.' },
    took: { type: GraphQLInt, description: 'How long it took, in milliseconds.' },
    lastUpdated: {
      type: GraphQLString,
      description:
        'When its records were last written or deleted, in ISO 8601; null where that is not known, and for callers who may not see all of them.',
    },
    institutions: {
      type: new GraphQLList(institutionType),
      description: 'The catalogues behind it: itself, or those of a network; none while it is not known.',
    },
    reach: {
      type: reachType,
      description: 'How many of the institutions behind it answered.',
    },
    uncoveredFields: {
      type: new GraphQLList(GraphQLString),
      description: 'The fields of the question that it does not have.',
    },
  },
});

/** How far a total can be trusted, beside it. */
export const totalBoundsFields = {
  upper_bound: described(
    GraphQLInt,
    'How many match at most: the total, where it is exact; null where it is not known.',
  ),
  exists: described(GraphQLBoolean, 'Whether anything matches; null where that is not known.'),
  exact: { type: GraphQLBoolean, description: 'Whether the total is exact.' },
  estimate: described(GraphQLInt, 'About how many match, where the total is not exact: never a count.'),
} as const satisfies Readonly<Record<(typeof boundsFields)[number], object>>;
