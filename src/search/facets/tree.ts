import {
  GraphQLBoolean,
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import { TributaryError } from '../../lib/errors/errors.ts';
import { utf8Order } from '../../lib/text/text-comparison.ts';
import { allBelow, type SelectedField } from '../../lib/graphql/execution.ts';
import { described } from '../../lib/graphql/scalars.ts';
import type { Hierarchy } from '../../introspection/hierarchies/hierarchy.ts';
import { unknownTerm } from '../../introspection/hierarchies/terms-under.ts';
import {
  boundsOf,
  countBetween,
  existsIn,
  lowerOf,
  upperOf,
  type Count,
  type ShownBounds,
} from '../count.ts';
import type { BucketAnswer, FacetAnswer, NodeCount } from '../nodes-answer.ts';
import type { FacetMeasure, NamedSet } from '../query.ts';
import {
  answerOf,
  byName,
  byProperty,
  fixed,
  maxOf,
  nodeCount,
  nodesOf,
  responseField,
} from './row/answer-shape.ts';
import type { FacetField, SelectionContext, Show } from './row/measure-row.ts';
import { nodeCountType } from './terms.ts';

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

/** A level: the terms to count, and the one above them; null above several roots. */
interface Level {
  readonly hierarchy: Hierarchy;
  readonly above: number | null;
  readonly terms: readonly number[];
  /** The most terms that are shown. */
  readonly max: number;
}

/** Requests a level of the tree. @throws TributaryError BAD_USER_INPUT for a field without a hierarchy, an unknown term */
export const selectTree = (
  field: SelectedField,
  { info, addRequest, field: treeField }: SelectionContext,
): Show => {
  const { hierarchy, path } = treeField;
  if (hierarchy === undefined)
    throw new TributaryError('BAD_USER_INPUT', `field ${path} has no hierarchy, so no tree`, {
      details: { fieldName: path },
    });
  const under = field.args['under'] as string | null | undefined;
  const level = { hierarchy, max: maxOf(field) ?? Infinity, ...levelOf(hierarchy, under ?? null, path) };
  const selected = allBelow(info, field);
  const lists = selected.filter(({ name }) => name === 'buckets').map((list) => allBelow(info, list));
  const wantsOwn = lists.some((names) => names.some(({ name }) => name === 'own_count'));
  const ids = level.terms.map((term) => hierarchy.id(term));
  const limited = ids.length > level.max ? { shown: { terms: ids, max: level.max } } : {};
  const request = addRequest({ kind: 'groups', sets: setsOf(level, ids, wantsOwn), ...limited });
  const shape = byName<ShownLevel>(selected, (child) => {
    if (child.name === 'other') return ({ other }) => byProperty<ShownCount>(allBelow(info, child))(other);
    if (child.name !== 'buckets') return valueOf(child);
    const below = byName<ShownTerm>(allBelow(info, child), (member) => {
      const part = byName(member.name === 'nodes' ? allBelow(info, member) : [], nodeCount);
      return member.name === 'nodes' ? ({ nodes }) => nodes.map(part) : valueOf<ShownTerm>(member);
    });
    return ({ buckets }) => buckets.map(below);
  });
  return (answers) => {
    const { buckets } = answerOf(answers, request, 'groups');
    return shape(shownLevel(level, buckets, answers.nodeId));
  };
};

const valueOf = <Shown>(field: SelectedField): ((bucket: Shown) => unknown) =>
  field.name === '__typename' ? fixed(field) : (bucket) => bucket[field.name as keyof Shown];

/** A single root is skipped: the first level that branches is shown instead. */
const levelOf = (
  hierarchy: Hierarchy,
  under: string | null,
  path: string,
): Pick<Level, 'above' | 'terms'> => {
  if (under !== null) {
    const above = hierarchy.indexOf(under);
    if (above === undefined) throw unknownTerm(hierarchy, under, `tree of ${path}`);
    return { above, terms: [...hierarchy.children(above)] };
  }
  let above: number | null = null;
  let terms = hierarchy.roots;
  while (terms.length === 1 && hierarchy.children(terms[0]!).length > 0) {
    above = terms[0]!;
    terms = hierarchy.children(above);
  }
  return { above, terms: [...terms] };
};

/** The sets of a level, in the order in which they are read. */
const setsOf = (
  { hierarchy, above }: Level,
  ids: readonly string[],
  wantsOwn: boolean,
): readonly NamedSet[] => {
  return [
    { key: 'all', under: above === null ? ids : [hierarchy.id(above)] },
    { key: 'listed', under: ids },
    ...ids.map((id, at) => ({ key: `under ${at}`, under: [id] })),
    ...(wantsOwn ? ids.map((id, at) => ({ key: `own ${at}`, values: [id] })) : []),
  ];
};

interface ShownCount extends ShownBounds {
  readonly doc_count: number;
}

interface ShownTerm extends ShownCount {
  readonly key: string;
  readonly label: string;
  readonly own_count?: number;
  readonly has_children: boolean;
  readonly nodes: readonly NodeCount[];
}

interface ShownLevel extends ShownCount {
  readonly key: string | null;
  readonly label: string | null;
  readonly buckets: readonly ShownTerm[];
  readonly other: ShownCount;
}

const shownCount = (count: Count): ShownCount => ({ doc_count: lowerOf(count), ...boundsOf(count) });

const shownLevel = (level: Level, counts: readonly BucketAnswer[], nodeId: string): ShownLevel => {
  const { hierarchy, above, terms, max } = level;
  const { count: all } = counts[0]!;
  const listed = counts[1]!;
  const ranked = rankedTerms(
    terms.map((term) => hierarchy.id(term)),
    counts,
  );
  const first = ranked.slice(0, max);
  // for a part of the terms, only bounds are known, unless they were counted again
  const ofShown =
    ranked.length > max && listed.key !== shownKey
      ? countBetween(lowerOf(first[0]?.bucket.count ?? 0), upperOf(listed.count))
      : listed.count;
  return {
    key: above === null ? null : hierarchy.id(above),
    label: above === null ? null : hierarchy.label(above),
    ...shownCount(all),
    buckets: first.map(({ id, at, bucket }) => {
      const ownCount = counts[2 + terms.length + at]?.count;
      return {
        key: id,
        label: hierarchy.label(terms[at]!),
        ...shownCount(bucket.count),
        ...(ownCount !== undefined && { own_count: lowerOf(ownCount) }),
        has_children: hierarchy.children(terms[at]!).length > 0,
        nodes: nodesOf(bucket, nodeId),
      };
    }),
    other: shownCount(difference(all, ofShown)),
  };
};

/** The documents of one set without those of another whose values it includes. */
const difference = (whole: Count, part: Count): Count => {
  const [upper, mostOfPart] = [upperOf(whole), upperOf(part)];
  const lower = mostOfPart === null ? 0 : Math.max(0, lowerOf(whole) - mostOfPart);
  return countBetween(lower, upper === null ? null : Math.max(lower, upper - lowerOf(part)));
};

/** The terms that documents have, with their places: by count, then by id. */
const rankedTerms = (ids: readonly string[], counts: readonly BucketAnswer[]) =>
  ids
    .map((id, at) => ({ id, at, bucket: counts[2 + at]! }))
    .filter(({ bucket }) => existsIn(bucket.count) !== false)
    .sort((a, b) => lowerOf(b.bucket.count) - lowerOf(a.bucket.count) || utf8Order(a.id, b.id));

/** The key of the set of terms that are shown, once it was counted. */
const shownKey = 'shown';

export interface FurtherMeasure {
  readonly measure: FacetMeasure;
  /** The first answer with what the second one adds. */
  readonly joined: (again: FacetAnswer) => FacetAnswer;
}

/** The terms of a level that are shown are counted together once it is known which they are. */
export const shownTogether = (measure: FacetMeasure, answer: FacetAnswer): FurtherMeasure | null => {
  if (measure.kind !== 'groups' || measure.shown === undefined || answer.kind !== 'groups') return null;
  const { terms, max } = measure.shown;
  const ranked = rankedTerms(terms, answer.buckets);
  if (ranked.length <= max) return null;
  return {
    measure: {
      kind: 'groups',
      sets: [{ key: shownKey, under: ranked.slice(0, max).map(({ id }) => id) }],
    },
    joined: (again) =>
      again.kind === 'groups' ? { ...answer, buckets: answer.buckets.with(1, again.buckets[0]!) } : answer,
  };
};
