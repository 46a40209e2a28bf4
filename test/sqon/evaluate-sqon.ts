import type { Hierarchy } from '../../src/introspection/hierarchies/hierarchy.ts';
import type { Field, Fields } from '../../src/introspection/fields/field.ts';
import { fieldNamed } from '../../src/introspection/fields/field.ts';
import type { Sqon, SqonGroup, SqonLeaf, SqonMulti } from '../../src/sqon/ast.ts';
import type { Plain } from './evaluate-filter.ts';
import { objectsAt, valuesAt } from './evaluate-filter.ts';

/** An object under judgement with its ancestors: the document first, each with its nested path. */
export type Chain = readonly { readonly path: string; readonly object: Plain }[];

export const chainOf = (document: Plain): Chain => [{ path: '', object: document }];

/** Whether the innermost object of a chain satisfies a filter: the rules of SQON read off directly, without compiling. */
export const holds = (sqon: Sqon, chain: Chain, fields: Fields): boolean => {
  switch (sqon.kind) {
    case 'group':
      return groupHolds(sqon, chain, fields);
    case 'leaf':
      return leafHolds(sqon, chain, fields);
    case 'constant':
      return sqon.value;
    case 'multi':
      return sqon.op === 'search'
        ? searchHolds(sqon, chain, fields)
        : sqon.fieldNames.some((name) => {
            const field = fieldNamed(fields, name);
            const fits = (value: unknown): boolean =>
              sqon.value === '*' ||
              (sqon.value === '?' ? String(value).length === 1 : String(value) === sqon.value.toLowerCase());
            return field !== undefined && holders(field, chain).some((at) => valuesOf(field, at).some(fits));
          });
  }
};

/** Every word is some value of some field, the last one at least its beginning; only values of one word are supported. */
const searchHolds = ({ fieldNames, value, wholeWords }: SqonMulti, chain: Chain, fields: Fields): boolean => {
  const words = value
    .toLowerCase()
    .split(' ')
    .filter((word) => word !== '');
  const isHeld = (word: string, at: number): boolean =>
    fieldNames.some((name) => {
      const field = fieldNamed(fields, name);
      if (field?.kind !== 'keyword') return false;
      const isOpen = at === words.length - 1 && wholeWords !== true;
      const fits = (one: unknown): boolean =>
        isOpen ? String(one).toLowerCase().startsWith(word) : String(one).toLowerCase() === word;
      return holders(field, chain).some((object) => valuesOf(field, object).some(fits));
    });
  return words.length > 0 && words.every(isHeld);
};

const groupHolds = (group: SqonGroup, chain: Chain, fields: Fields): boolean => {
  if (group.content.length === 0) return true;
  const { pivot, op, content } = group;
  if (pivot === null) {
    const results = content.map((node) => holds(node, chain, fields));
    return op === 'and'
      ? results.every(Boolean)
      : op === 'or'
        ? results.some(Boolean)
        : !results.some(Boolean);
  }
  const objects = descend(chain, [...fields.get(pivot)!.nestedIn, pivot]);
  if (op === 'or') return objects.some((at) => content.some((node) => holds(node, at, fields)));
  const together = objects.some((at) => content.every((node) => holds(node, at, fields)));
  return op === 'and' ? together : !together;
};

/** The chains that end at the last of these nested paths: the chain's own object where it has one, all below else. */
const descend = (chain: Chain, paths: readonly string[]): readonly Chain[] => {
  let shared = 0;
  while (shared < paths.length && chain[shared + 1]?.path === paths[shared]) shared += 1;
  return paths.slice(shared).reduce<readonly Chain[]>(
    (chains, path) =>
      chains.flatMap((at) => {
        const last = at.at(-1)!;
        return objectsAt(last.object, last.path, path).map((object) => [...at, { path, object }]);
      }),
    [chain.slice(0, shared + 1)],
  );
};

const holders = (field: Field, chain: Chain): readonly Chain[] => descend(chain, field.nestedIn);

const valuesOf = (field: Field, chain: Chain): readonly unknown[] => {
  const { path, object } = chain.at(-1)!;
  return valuesAt(object, (path === '' ? field.path : field.path.slice(path.length + 1)).split('.'));
};

const leafHolds = (leaf: SqonLeaf, chain: Chain, fields: Fields): boolean => {
  const field = fieldNamed(fields, leaf.fieldName);
  const asksMissing = leaf.op !== 'is' && leaf.values.includes('__missing__');
  if (field === undefined) return leaf.op.endsWith('not-in') && !asksMissing;
  const at = holders(field, chain);
  const has = (wanted: unknown) => (object: Chain) => {
    const values = valuesOf(field, object);
    if (leaf.op === 'is') return values.includes(wanted);
    return wanted === '__missing__'
      ? values.length === 0
      : typeof wanted === 'string' && wanted.endsWith('*')
        ? values.some((value) => fitsStars(wanted, String(value)))
        : values.includes(wanted);
  };
  const hasAny = (object: Chain): boolean => leaf.values.some((wanted) => has(wanted)(object));
  const numbers = leaf.values.map(Number);
  const inRange = (test: (value: number) => boolean): boolean =>
    at.some((object) => valuesOf(field, object).some((value) => test(value as number)));
  switch (leaf.op) {
    case 'in':
    case 'is':
      return at.some(hasAny);
    case 'not-in':
      return at.some((object) => !hasAny(object));
    case 'some-not-in': {
      const others = leaf.values.filter((value) => value !== '__missing__');
      const none = !at.some((object) => others.some((wanted) => has(wanted)(object)));
      return none && (!asksMissing || at.some((object) => valuesOf(field, object).length > 0));
    }
    case 'all':
      return leaf.values.length > 0 && leaf.values.every((wanted) => at.some(has(wanted)));
    case 'starts-with':
      return at.some((object) =>
        valuesOf(field, object).some((value) =>
          leaf.values.some((wanted) => String(value).startsWith(String(wanted))),
        ),
      );
    case 'gt':
      return inRange((value) => value > Math.max(...numbers));
    case 'gte':
      return inRange((value) => value >= Math.max(...numbers));
    case 'lt':
      return inRange((value) => value < Math.min(...numbers));
    case 'lte':
      return inRange((value) => value <= Math.min(...numbers));
    case 'between':
      return inRange((value) => value >= Math.min(...numbers) && value <= Math.max(...numbers));
    case 'under': {
      const { hierarchy } = field;
      if (hierarchy === undefined) throw new Error(`${field.path} has no hierarchy`);
      return at.some((object) =>
        valuesOf(field, object).some((value) => {
          const above = termsAbove(hierarchy, String(value));
          const isOneOf = (terms: readonly unknown[]): boolean => terms.some((one) => above.has(String(one)));
          return isOneOf(leaf.values) && !isOneOf(leaf.exceptTerms ?? []);
        }),
      );
    }
  }
};

/** A term and all that it stands under, parent by parent; none for what is not a term. */
const termsAbove = (hierarchy: Hierarchy, id: string): ReadonlySet<string> => {
  const term = hierarchy.indexOf(id);
  if (term === undefined) return new Set();
  const parents = [...hierarchy.parents(term)].map((one) => hierarchy.id(one));
  return new Set([id, ...parents.flatMap((one) => [...termsAbove(hierarchy, one)])]);
};

/** Whether a text is what a value that ends in a star looks for: it begins with the value, or, after a star, has it inside. */
export const fitsStars = (wanted: string, text: string): boolean => {
  const inside = wanted.slice(0, -1);
  return inside.startsWith('*') ? text.includes(inside.replace(/^\*+/, '')) : text.startsWith(inside);
};
