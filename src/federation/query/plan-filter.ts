import { badUserInput } from '../../lib/errors/errors.ts';
import { isoFilterDate } from '../../introspection/dates/dates.ts';
import { documentKey, type Field } from '../../introspection/fields/field.ts';
import type { Sqon, SqonGroup, SqonLeaf, SqonMulti, SqonScalar, MultiOp } from '../../sqon/ast.ts';
import { constant, group, leaf, MISSING } from '../../sqon/ast.ts';
import { constantLeaf } from '../../sqon/compile.ts';
import { operators } from '../../sqon/operators/table.ts';
import { fieldNamesIn, truthOf, isSearchValue } from '../../sqon/rewrite.ts';
import type { ValueMap } from '../../search/facets/row/measure-row.ts';
import type { FieldMapping } from '../nodes/node-view.ts';
import { keyField, keyLeaf } from './network-query.ts';
import { isSetReference, matchesMissing, matchesText } from '../../sqon/leaf-filter.ts';
import type { LeafOperator } from '../../sqon/operators/operator.ts';
import { fieldValue } from '../../sqon/field-values.ts';
import { keywordTest } from '../../lib/text/text-comparison.ts';
import { patternMatcher, wildcardPattern } from '../../sqon/filter.ts';

/** The context for building one node's filter. */
export interface FilterNode {
  readonly nodeId: string;
  /** See NodeUp. */
  readonly isNetwork?: true | undefined;
  readonly fieldMapping: FieldMapping;
  /** The node's own field for a network path; undefined when the node lacks it. */
  readonly fieldOf: (networkPath: string) => Field | undefined;
  /** The network's field of a path. */
  readonly networkField: (networkPath: string) => Field | undefined;
  /** Called with every network field of the filter that the node lacks. */
  readonly uncovered: (networkPath: string) => void;
}

/**
 * Translates a network filter into one node's names and values. A leaf on a field that the node lacks becomes a constant:
 * in, all, ranges and patterns are false, not-in and some-not-in true. Whether a value is missing is unknown there, so
 * `__missing__` and its negation both match nothing. Constants replace the leaf.
 * @param isNegated whether an odd number of `not` groups contain it
 * @throws TributaryError BAD_USER_INPUT for a range on a field whose values the node translates
 */
export const nodeFilter = (sqon: Sqon, node: FilterNode, isNegated = false): Sqon => {
  switch (sqon.kind) {
    case 'group':
      return groupFilter(sqon, node, isNegated);
    case 'leaf':
      return leafFilter(sqon, node, isNegated);
    case 'multi':
      return multiFilter(sqon, node);
    case 'constant':
      return sqon;
  }
};

/** A filter without those conditions of its conjunction that always hold; null when all of them do. */
export const withoutTrue = (sqon: Sqon): Sqon | null => {
  if (truthOf(sqon) === true) return null;
  if (sqon.kind !== 'group' || sqon.op !== 'and' || sqon.pivot !== null) return sqon;
  return { ...sqon, content: sqon.content.flatMap((child) => withoutTrue(child) ?? []) };
};

const groupFilter = (sqon: SqonGroup, node: FilterNode, isNegated: boolean): Sqon => {
  // an empty group has no condition, not even on its pivot, which need not exist here
  if (sqon.content.length === 0) return group('and', [], null, sqon.at);
  const content = sqon.content.map((child) =>
    nodeFilter(child, node, isNegated !== operators[sqon.op].negative),
  );
  return sqon.pivot === null
    ? group(sqon.op, content, null, sqon.at)
    : pivotGroup(sqon, sqon.pivot, content, node);
};

/** One object at the pivot must satisfy the content; if no conditions are left, the object must still exist. */
const pivotGroup = (sqon: SqonGroup, pivot: string, content: readonly Sqon[], node: FilterNode): Sqon => {
  const truth = truthOf(group(sqon.op, content, pivot));
  if (truth !== null) return constant(truth, sqon.at);
  const isOpen = content.some((child) => truthOf(child) === null);
  return isPivotHere(sqon, pivot, isOpen, node)
    ? group(sqon.op, content, node.fieldMapping.toNode(pivot), sqon.at)
    : constant(false, sqon.at);
};

/** False when the pivot is not a nested path here, or the remaining content does not share it. */
const isPivotHere = (sqon: SqonGroup, pivot: string, isOpen: boolean, node: FilterNode): boolean => {
  const isNested = node.fieldOf(pivot)?.kind === 'nested';
  const nodePath = node.fieldMapping.toNode(pivot);
  const isStray = (path: string): boolean => {
    const field = node.fieldOf(path);
    return field !== undefined && !(isNested && field.nestedIn.includes(nodePath));
  };
  const strays = isOpen ? fieldNamesIn(sqon).filter(isStray) : [];
  for (const path of strays) node.uncovered(path);
  if (!isNested) node.uncovered(pivot);
  return strays.length === 0 && isNested;
};

const leafFilter = (sqon: SqonLeaf, node: FilterNode, isNegated: boolean): Sqon => {
  if (sqon.fieldName === keyField.path && node.fieldOf(keyField.path) === undefined)
    return keyLeaf(sqon, node.nodeId, node.isNetwork);
  const field = fieldHere(sqon.fieldName, node);
  if (field === null) {
    const truth = isUnknown(sqon) ? isNegated : constantLeaf(sqon).kind === 'all';
    return constant(truth, sqon.at);
  }
  const { quantifier, bounds, takesTerms, older } = operators[sqon.op];
  if (takesTerms === true) {
    const shared = node.networkField(sqon.fieldName);
    const codes = older!.means(sqon, shared);
    if (codes !== sqon && !isSentAsTerms(sqon.fieldName, codes, field, node))
      return nodeFilter(codes, node, isNegated);
    return { ...sqon, fieldName: field.path, pivot: leafPivot(sqon, node) };
  }
  const pivot = leafPivot(sqon, node);
  if (pivot === null && sqon.pivot !== null && quantifier === 'every') return constant(false, sqon.at);
  const values = node.fieldMapping.valuesOf(sqon.fieldName);
  if (values === null) return leaf(sqon.op, field.path, valuesHere(sqon, field, node), pivot, sqon.at);
  if (bounds !== null)
    throw badUserInput(
      `filter at ${sqon.at}: ${sqon.op} does not fit "${sqon.fieldName}", whose values some node translates; use in or not-in`,
    );
  return translateLeaf({ ...sqon, fieldName: field.path, pivot }, field, values);
};

/** Whether a condition depends on whether a value is missing: `all` is false without its other values, whatever that is. */
const isUnknown = (sqon: SqonLeaf): boolean =>
  matchesMissing(sqon) && (operators[sqon.op].quantifier !== 'every' || new Set(sqon.values).size === 1);

/** Longer lists of codes are sent to another server as their terms, if it has the same hierarchy. */
const maxCodesSent = 50_000;

/** The codes under a term at another server may change before it is noticed here, so few codes are sent as they are. */
const isSentAsTerms = (path: string, codes: Sqon, nodeField: Field, node: FilterNode): boolean =>
  sharesHierarchy(path, node) &&
  (nodeField.hierarchy !== undefined || (codes.kind === 'leaf' && codes.values.length > maxCodesSent));

/** Whether a node's hierarchy of a field is the network's, and its values are too. */
export const sharesHierarchy = (
  path: string,
  { fieldOf, networkField, fieldMapping }: Pick<FilterNode, 'fieldOf' | 'networkField' | 'fieldMapping'>,
): boolean => {
  const fingerprint = networkField(path)?.hierarchy?.fingerprint;
  const nodeField = fieldOf(path);
  const known = nodeField?.hierarchy?.fingerprint ?? nodeField?.hierarchyFingerprint;
  return fingerprint !== undefined && known === fingerprint && fieldMapping.valuesOf(path) === null;
};

/** A date in the format of one node, converted to ISO 8601 for all of them. */
const valuesHere = (
  { fieldName, values }: SqonLeaf,
  { kind }: Field,
  node: FilterNode,
): readonly SqonScalar[] =>
  kind === 'date'
    ? values.map((value) => isoFilterDate(value, node.networkField(fieldName)?.format))
    : values;

/** The node's own field; null, reported as uncovered, when it has none. Every node has the document's key. */
const fieldHere = (name: string, node: FilterNode): Field | null => {
  const field = name === documentKey.path ? documentKey : node.fieldOf(name);
  if (field === undefined) node.uncovered(name);
  return field ?? null;
};

/** A single leaf's pivot matters only to `all`; it is dropped if it is not a nested path here. */
const leafPivot = ({ pivot }: SqonLeaf | SqonMulti, node: FilterNode): string | null => {
  if (pivot === null) return null;
  if (node.fieldOf(pivot)?.kind === 'nested') return node.fieldMapping.toNode(pivot);
  node.uncovered(pivot);
  return null;
};

/**
 * Membership in a node's values, each tested as the network shows it: a network value may correspond to several of them or
 * none; a pattern matches the listed values by how they are shown and the unlisted ones by themselves.
 * @param sqon a leaf in the node's names, with the network's values
 */
export const translateLeaf = (sqon: SqonLeaf, field: Field, map: ValueMap): Sqon => {
  const operator = operators[sqon.op];
  const made = nodeValues(sqon.values, field, map, operator);
  if (operator.isSearch) return translatedParts(sqon, field, made);
  const isSearch = operator.takesSpecialValues && sqon.values.some(isSearchValue);
  if (operator.quantifier === 'some') return leafOf(sqon, sqon.op, made, isSearch);
  const each = sqon.values.map((value) => nodeValues([value], field, map, operator));
  if (each.every(({ special, exact }) => special.length + exact.length === 1) && made.except.length === 0)
    return leafOf(sqon, sqon.op, made, isSearch);
  const parts = each.map((values) => leafOf({ ...sqon, pivot: null }, 'in', values, isSearch));
  return group('and', parts, sqon.pivot, sqon.at);
};

/** A search for part of a value: matches listed values by how they are shown, unlisted ones by themselves. */
const translatedParts = (sqon: SqonLeaf, field: Field, { special, exact, except }: NodeValues): Sqon => {
  const listed = leafOf(sqon, 'in', { special: [], exact, except: [] }, true);
  if (!matchesText(field)) return listed;
  const open = leafOf(sqon, sqon.op, { special, exact: [], except }, false);
  return exact.length === 0 ? open : group('or', [listed, open], null, sqon.at);
};

/** One search over all untranslated fields; if some are translated, each part searches both kinds separately. */
const multiFilter = (sqon: SqonMulti, node: FilterNode): Sqon => {
  const pivot = leafPivot(sqon, node);
  const fields = sqon.fieldNames.map((name) => {
    const field = fieldHere(name, node);
    return field && { field, values: node.fieldMapping.valuesOf(name) };
  });
  const isTranslated = fields.some((field) => field !== null && field.values !== null);
  const parts = isTranslated ? operators[sqon.op].parts(sqon) : [sqon];
  const each = parts.map((part) => partFilter({ ...part, pivot }, fields));
  if (each.length === 0) return constant(false, sqon.at);
  return each.length === 1 ? each[0]! : group('and', each, null, sqon.at);
};

interface SearchedField {
  readonly field: Field;
  /** null if its values are not translated. */
  readonly values: ValueMap | null;
}

/** @param fields the node's fields; null for those that it lacks */
const partFilter = (part: SqonMulti, fields: readonly (SearchedField | null)[]): Sqon => {
  const plain = fields.flatMap((covered) =>
    covered !== null && covered.values === null ? [covered.field.path] : [],
  );
  const others = fields.flatMap((field): readonly Sqon[] => {
    if (field === null) return [constant(false, part.at)];
    return field.values === null ? [] : [translatedPart(part, field.field, field.values)];
  });
  const searched = plain.length > 0 || others.length === 0 ? [{ ...part, fieldNames: plain }] : [];
  const conditions = [...searched, ...others];
  return conditions.length === 1 ? conditions[0]! : group('or', conditions, null, part.at);
};

/** One part of a search in a field whose values the node translates. */
const translatedPart = (part: SqonMulti, field: Field, map: ValueMap): Sqon => {
  const shownMatches = shownTests[part.op](part);
  const matching = [...map.listed]
    .filter(([, networkValue]) => shownMatches(networkValue))
    .map(([nodeValue]) => nodeValue);
  const listed = leafOf(
    { kind: 'leaf', op: 'in', fieldName: field.path, values: [], pivot: part.pivot, at: part.at },
    'in',
    { special: [], exact: matching.filter((value) => canHold(value, field)), except: [] },
    true,
  );
  if (!operators[part.op].finds(field)) return listed;
  const except = [...map.listed.keys()].filter(shownMatches);
  const open = { ...part, fieldNames: [field.path], ...(except.length > 0 && { except }) };
  return matching.length === 0 ? open : group('or', [listed, open], null, part.at);
};

/** Tests whether a value, as the network shows it, matches a part of a search, by search operator. */
export const shownTests: {
  readonly [Op in MultiOp]: (part: SqonMulti) => (networkValue: string) => boolean;
} = {
  wildcard: ({ value }) => patternMatcher(wildcardPattern(value), foldAscii),
  search: ({ value, wholeWords }) => keywordTest({ word: value, isPrefix: wholeWords !== true }),
};

/** Folds case as engines do in a catalogue. */
const foldAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

interface NodeValues {
  /** Patterns, saved sets and `__missing__`. */
  readonly special: readonly SqonScalar[];
  readonly exact: readonly SqonScalar[];
  /** Listed values that match a pattern but are shown as another value. */
  readonly except: readonly string[];
}

const leafOf = (
  sqon: SqonLeaf,
  op: SqonLeaf['op'],
  { special, exact, except }: NodeValues,
  isSearch: boolean,
): SqonLeaf => ({
  ...leaf(op, sqon.fieldName, [...special, ...exact], sqon.pivot, sqon.at),
  ...(isSearch || exact.some(isSearchValue) ? { exactFrom: special.length, isSearch } : {}),
  ...(except.length > 0 && { except }),
});

const nodeValues = (
  values: readonly SqonScalar[],
  field: Field,
  map: ValueMap,
  { partTest, takesSpecialValues }: LeafOperator,
): NodeValues => {
  const patterns = values.filter((value) => partTest(value) !== null);
  const tests = patterns.map((pattern) => partTest(pattern)!);
  const aside = takesSpecialValues
    ? values.filter((value) => value === MISSING || isSetReference(value))
    : [];
  const plain = values.filter((value) => !patterns.includes(value) && !aside.includes(value));
  const matches = (value: string): boolean => tests.some((test) => test(value));
  const matching = [...map.listed]
    .filter(([, networkValue]) => matches(networkValue))
    .map(([nodeValue]) => nodeValue);
  const exact = [...new Set([...matching, ...plain.flatMap((value) => ownValues(value, map))])];
  return {
    special: [...aside, ...(matchesText(field) ? patterns : [])],
    exact: exact.filter((value) => canHold(value, field)),
    except: matchesText(field)
      ? [...map.listed.keys()].filter((nodeValue) => matches(nodeValue) && !exact.includes(nodeValue))
      : [],
  };
};

/** Whether the node's field can hold the value at all; the node would reject other values. */
const canHold = (value: SqonScalar, field: Field): boolean => {
  try {
    fieldValue(value, field, '$');
    return true;
  } catch {
    return false;
  }
};

/** A value that the node does not list keeps its type. */
const ownValues = (value: SqonScalar, map: ValueMap): readonly SqonScalar[] =>
  map.toNode(String(value)).map((nodeValue) => (nodeValue === String(value) ? value : nodeValue));
