import type { FilterValue } from '../../sqon/filter.ts';
import { z } from 'zod';
import { badUserInput, TributaryError } from '../../lib/errors/errors.ts';
import { described, jsonScalar } from '../../lib/graphql/scalars.ts';
import { GraphQLString } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Measure } from '../../engines/measure.ts';
import type { Hierarchy } from '../../introspection/hierarchies/hierarchy.ts';
import { textsInSet } from '../../introspection/hierarchies/terms-under.ts';
import type { Field } from '../../introspection/fields/field.ts';
import type { FacetMeasure, NamedSet } from '../query.ts';
import { valuesNamed } from '../../sqon/field-values.ts';
import { mergeRanges } from './range.ts';
import { resultsOf } from './row/answer-shape.ts';
import { countedSelection, withNodeCounts } from './row/counted-buckets.ts';
import { sent, type FacetField, type MeasureRow, type QueriedNode } from './row/measure-row.ts';
import { countsReader, key, tooMany } from './row/wire.ts';
import { selectTree, treeField } from './tree.ts';

const field: FacetField = {
  type: 'buckets',
  description: 'How many documents have any value of each of some sets; a document counts once in each.',
  args: {
    sets: described(
      jsonScalar,
      'A list of `{key, values, under}`: values of the field, and terms of its hierarchy that stand for all under them; or that list as text.',
    ),
    hierarchy: described(GraphQLString, 'The fingerprint of the hierarchy that the terms are of.'),
  },
};

const text = z
  .string()
  .max(32_766)
  .refine((text) => text.isWellFormed());
const texts = z.array(text);
const setForm = z.strictObject({
  key: text.optional(),
  values: texts.optional(),
  under: texts.optional(),
});

/** The most sets of a request: a level of a hierarchy takes two for each term. */
const maxSets = 20_000;

/** The most values of all sets together: a level of a hierarchy of 350 000 terms has three times as many. */
const maxMembers = 2_000_000;

/** The values of each set. @throws TributaryError BAD_USER_INPUT for too many of them all together */
const membersOf = (
  sets: readonly NamedSet[],
  field: Parameters<typeof textsInSet>[1],
  hierarchy?: string,
): readonly (readonly string[])[] => {
  let members = 0;
  return sets.map((set) => {
    const texts = textsInSet(set, field, hierarchy);
    members += texts.length;
    if (members > maxMembers)
      throw new TributaryError(
        'BAD_USER_INPUT',
        `the sets of groups of ${field.path} have more than ${maxMembers} values together: fewer terms expected`,
        { details: { field: field.path } },
      );
    return texts;
  });
};

/** @throws TributaryError BAD_USER_INPUT */
const setsOf = (written: unknown, path: string): readonly NamedSet[] => {
  const parsed = z
    .array(setForm)
    .max(maxSets)
    .safeParse(typeof written === 'string' ? jsonIn(written) : written);
  if (parsed.success)
    return parsed.data.map(({ key: named, values, under }, index) => ({
      key: named ?? String(index),
      ...(values && { values }),
      ...(under && { under }),
    }));
  const at = parsed.error.issues[0]?.path.map(String).join('.') ?? '';
  throw new TributaryError(
    'BAD_USER_INPUT',
    `groups of ${path} take sets, a list of at most ${maxSets} such as {key: "a", values: ["x"], under: ["y"]}${at === '' ? '' : `, malformed at ${at}`}`,
    { details: { field: path } },
  );
};

const jsonIn = (written: string): unknown => {
  try {
    return JSON.parse(written);
  } catch {
    return null;
  }
};

const counted = countedSelection('groups', ({ args }, { field: { path } }): FacetMeasure<'groups'> => {
  const hierarchy = args['hierarchy'] as string | null | undefined;
  return { kind: 'groups', sets: setsOf(args['sets'], path), ...(hierarchy != null && { hierarchy }) };
});

const readCounts = countsReader(key, maxSets);

/** Documents by sets of values, and by the terms of a level of a hierarchy. */
export const groups: MeasureRow<'groups'> = {
  fields: {
    values: { groups: field, tree: treeField },
    numbers: { groups: field, tree: treeField },
  },
  select: (selected, context) => {
    const showGroups = counted.select(selected, context);
    return (child) => (child.name === 'tree' ? selectTree(child, context) : showGroups(child));
  },
  fitsTypes: counted.fitsTypes,
  toEngine: (measure, { field }) => {
    if (field.hierarchy === undefined) return engineMeasure(measure, field);
    const levels = cached.get(field.hierarchy) ?? newLevels();
    cached.set(field.hierarchy, levels);
    const key = JSON.stringify([field.type, measure]);
    const measured = levels.get(key) ?? engineMeasure(measure, field);
    levels.set(key, measured);
    return measured;
  },
  toNode: (measure, node) => {
    const sets = ownSets(measure, node);
    const { maxBytes } = node;
    if (maxBytes === Infinity) return sent(sets);
    const bytes = JSON.stringify(sets.sets).length;
    if (bytes <= maxBytes) return sent(sets);
    return {
      kind: 'refused',
      error: badUserInput(
        `its sets of values take ${bytes} bytes, at most ${maxBytes} fit into a request; a node with the same hierarchy is sent terms`,
      ),
    };
  },
  isOfCells: () => true,
  remoteField: 'groups',
  print: ({ sets, hierarchy }, counts) => {
    const terms = hierarchy === undefined ? '' : `, hierarchy: ${JSON.stringify(hierarchy)}`;
    // as text it is one token of the document
    return `groups(sets: ${JSON.stringify(JSON.stringify(sets))}${terms}) { buckets { key ${counts} } }`;
  },
  read: (value, { field: name, measure: { sets } }) => {
    const buckets = readCounts(value, name);
    if (buckets.length > sets.length) throw tooMany(buckets.length, 'sets', sets.length);
    return { kind: 'groups', buckets };
  },
  merge: (parts, { measure }) => {
    const lists = resultsOf(parts).map(({ buckets }) => buckets);
    const keys = measure.sets.map(({ key: name }) => name);
    return { kind: 'groups', buckets: withNodeCounts(mergeRanges(lists, keys), parts, (name) => name) };
  },
};

/** The limit on members of recently counted sets, for each hierarchy. */
const maxKeptMembers = 1_000_000;

/** The measures of fields, which are the same objects for equal sets: engines keep what they find out about them. */
const cached = new WeakMap<Hierarchy, LRUCache<string, Measure<'groups'>>>();

const newLevels = (): LRUCache<string, Measure<'groups'>> =>
  new LRUCache({
    maxSize: maxKeptMembers,
    sizeCalculation: ({ sets }, key) => sets.reduce((sum, { members }) => sum + members.length, key.length),
  });

const engineMeasure = ({ sets, hierarchy }: FacetMeasure<'groups'>, field: Field): Measure<'groups'> => {
  const positions = new Map<FilterValue, number>();
  const texts = membersOf(sets, field, hierarchy);
  const members = texts.map((list) =>
    valuesNamed(list, field).map((value) => {
      const at = positions.get(value) ?? positions.size;
      positions.set(value, at);
      return at;
    }),
  );
  const named = sets.map(({ key: name }, index) => ({ key: name, members: members[index]! }));
  return { kind: 'groups', values: [...positions.keys()], sets: named };
};

/** Terms go to nodes with the same hierarchy; all others are sent the values, in their own form. */
const ownSets = (
  { sets }: FacetMeasure<'groups'>,
  { hierarchy, sharesHierarchy, values: map }: QueriedNode,
): FacetMeasure<'groups'> => {
  if (sharesHierarchy && hierarchy) return { kind: 'groups', sets, hierarchy: hierarchy.fingerprint };
  const shared = { path: 'the network', ...(hierarchy && { hierarchy }) };
  const members = membersOf(sets, shared);
  return {
    kind: 'groups',
    sets: sets.map(({ key: name }, index) => {
      const texts = members[index]!;
      return { key: name, values: map === null ? texts : [...new Set(texts.flatMap(map.toNode))] };
    }),
  };
};
