import { LRUCache } from 'lru-cache';
import { badUserInput, type TributaryError } from '../../lib/errors/errors.ts';
import type { Hierarchy } from './hierarchy.ts';

/** The maximum number of ids that recently used lists may hold together, for each hierarchy. */
const maxKeptIds = 1_000_000;

/** Lists by their terms. */
const cached = new WeakMap<Hierarchy, LRUCache<string, readonly string[]>>();

/**
 * The ids of some terms and all their descendants, without the branches of excluded terms. Equal requests return the same
 * list.
 * @param except the terms whose branches are left out; unknown ones have none
 * @param unknown the error for a term that the hierarchy lacks, at its position in `terms` or `except`
 */
export const termsUnder = (
  hierarchy: Hierarchy,
  terms: readonly string[],
  except: readonly string[] = [],
): readonly string[] => {
  const lists = cached.get(hierarchy) ?? newLists();
  cached.set(hierarchy, lists);
  const key = JSON.stringify([terms, except]);
  const known = lists.get(key);
  if (known !== undefined) return known;
  const ids = hierarchy.ids(branches(hierarchy, terms, except));
  lists.set(key, ids);
  return ids;
};

const newLists = (): LRUCache<string, readonly string[]> =>
  new LRUCache({ maxSize: maxKeptIds, sizeCalculation: (ids, key) => ids.length + key.length + 1 });

const branches = (hierarchy: Hierarchy, terms: readonly string[], except: readonly string[]): Uint32Array => {
  const [first, ...others] = terms.flatMap((id) => hierarchy.indexOf(id) ?? []);
  if (first === undefined) return new Uint32Array();
  if (others.length === 0 && except.length === 0) return hierarchy.descendants(first);
  const marks = new Uint8Array(hierarchy.size);
  for (const term of [first, ...others])
    for (const descendant of hierarchy.descendants(term)) marks[descendant] = 1;
  for (const term of except.flatMap((id) => hierarchy.indexOf(id) ?? []))
    for (const descendant of hierarchy.descendants(term)) marks[descendant] = 0;
  const marked = new Uint32Array(hierarchy.size);
  let count = 0;
  for (let term = 0; term < marks.length; term++) if (marks[term] === 1) marked[count++] = term;
  return marked.subarray(0, count);
};

/**
 * The error for a term that a hierarchy lacks, with suggestions.
 * @param where the place of the term, which begins the message
 */
export const unknownTerm = (
  hierarchy: Hierarchy,
  id: string,
  where: string,
  path?: string,
): TributaryError => {
  const meant = hierarchy.suggest(id).map((term) => `"${term.id}" (${term.label})`);
  const hint = meant.length === 0 ? '' : ` (did you mean ${meant.join(' or ')}?)`;
  const accepted = `a term of the hierarchy "${hierarchy.name}"`;
  return badUserInput(`${where}: expected ${accepted}, found ${JSON.stringify(id.slice(0, 80))}${hint}`, {
    details: { ...(path !== undefined && { path }), found: id.slice(0, 80), accepted },
  });
};

/** Texts, and terms that represent themselves and their descendants. */
interface TermSet {
  readonly values?: readonly string[];
  readonly under?: readonly string[];
}

/**
 * The texts of a set, each once.
 * @param hierarchy the fingerprint of the hierarchy that contains its terms; unset: the field's
 * @throws TributaryError BAD_USER_INPUT for terms of another hierarchy, or unknown to the field's
 */
export const textsInSet = (
  { values = [], under = [] }: TermSet,
  { path, hierarchy: own }: { readonly path: string; readonly hierarchy?: Hierarchy },
  hierarchy?: string,
): readonly string[] => {
  if (under.length === 0) return [...new Set(values)];
  if (own === undefined || (hierarchy !== undefined && hierarchy !== own.fingerprint))
    throw badUserInput(
      own === undefined ? `field ${path} has no hierarchy` : `the hierarchy of field ${path} is another one`,
      { details: { fieldName: path } },
    );
  const unknown = under.find((id) => own.indexOf(id) === undefined);
  if (unknown !== undefined) throw unknownTerm(own, unknown, `groups of ${path}`);
  const below = termsUnder(own, under);
  return values.length === 0 ? below : [...new Set([...values, ...below])];
};
