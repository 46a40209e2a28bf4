import { badUserInput, TributaryError } from '../../../lib/errors/errors.ts';
import type { Hierarchy } from '../../../introspection/hierarchies/hierarchy.ts';
import type { Catalogue } from '../../../search/catalogue.ts';
import { closest } from '../../../lib/text/unknown-keys.ts';
import type { HttpContext } from '../koa/http-context.ts';
import { serveAt, viewOf, type TargetParts } from '../callers/require-access.ts';
import type { Target } from '../callers/served.ts';

const defaultLimit = 50;
const maxLimit = 1_000;

/**
 * GET /introspection/{catalogue}/hierarchies/{name}: terms by text, or the direct children of one. Reveals nothing about
 * documents.
 */
export const lookUpTerms = (
  context: HttpContext,
  catalogue: string,
  name: string,
  parts: TargetParts,
): Promise<void> => {
  const text = JSON.stringify(catalogue);
  return serveAt(
    context,
    { name: catalogue, isNetwork: false },
    parts,
    (target) => describeTerms(context, target, name, parts),
    {
      failed: ({ error: { code } }) => {
        throw new TributaryError(code, `catalogue ${text} is not available`);
      },
      missing: () => {
        throw new TributaryError('NOT_FOUND', `catalogue ${text} was not found`);
      },
    },
  );
};

/** The terms of a hierarchy of the fields of a catalogue or a network. */
export const describeTerms = async (
  context: HttpContext,
  target: Target,
  name: string,
  parts: TargetParts,
): Promise<void> => {
  const { catalogue } = await viewOf(context, target, parts);
  context.body = termsOf(catalogue, name, context.query);
};

/**
 * The response body about a hierarchy of a catalogue's fields.
 * @throws TributaryError NOT_FOUND, BAD_USER_INPUT
 */
const termsOf = ({ fields }: Pick<Catalogue, 'fields'>, name: string, query: HttpContext['query']) => {
  const having = [...fields.values()].filter(({ hierarchy }) => hierarchy?.name === name);
  const hierarchy = having[0]?.hierarchy;
  if (hierarchy === undefined) throw noHierarchy(name, fields);
  const { limit, search, under, ids } = parametersOf(query, hierarchy);
  const found =
    ids.length > 0
      ? ids.flatMap((id) => hierarchy.indexOf(id) ?? [])
      : search === ''
        ? childrenOf(hierarchy, under)
        : foundIn(hierarchy, search, under, limit + 1);
  return {
    ...{ name, version: hierarchy.version, fingerprint: hierarchy.fingerprint },
    terms: hierarchy.size,
    levels: hierarchy.depth,
    fields: having.map(({ path }) => path),
    found: Array.from(found.slice(0, limit), (term) => describeTerm(hierarchy, term)),
    hasMore: found.length > limit,
  };
};

const noHierarchy = (name: string, fields: Catalogue['fields']): TributaryError => {
  const names = [...new Set([...fields.values()].flatMap(({ hierarchy }) => hierarchy?.name ?? []))];
  const near = closest(name, names);
  const hint = near?.isSlip
    ? `: did you mean ${JSON.stringify(near.name)}?`
    : names.length > 0
      ? `, only ${names.join(', ')}`
      : '';
  return new TributaryError('NOT_FOUND', `no field here has a hierarchy ${JSON.stringify(name)}${hint}`);
};

const parametersOf = (query: HttpContext['query'], hierarchy: Hierarchy) => {
  const unknown = Object.keys(query).find((key) => !['under', 'search', 'id', 'limit'].includes(key));
  if (unknown !== undefined)
    throw badUserInput(`${unknown} is not a parameter here: under, search, id and limit are`);
  const text = (key: string): string => {
    const value = query[key] ?? '';
    if (typeof value !== 'string') throw badUserInput(`${key} occurs twice: once expected`);
    return value.trim();
  };
  const limit = Number(text('limit') || defaultLimit);
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit)
    throw badUserInput(`limit: a whole number from 1 to ${maxLimit} expected`);
  const [under, search, ids] = [text('under'), text('search'), [query['id'] ?? []].flat()];
  if (ids.length > 0 && (under !== '' || search !== ''))
    throw badUserInput('id: expected without under and search');
  return { limit, search, ids, under: under === '' ? null : termNamed(hierarchy, under) };
};

const termNamed = (hierarchy: Hierarchy, id: string): number => {
  const term = hierarchy.indexOf(id);
  if (term !== undefined) return term;
  const meant = hierarchy.suggest(id).map((one) => `${one.id} (${one.label})`);
  const hint = meant.length === 0 ? '' : `: did you mean ${meant.join(' or ')}?`;
  throw badUserInput(`under: ${JSON.stringify(id)} is not a term of ${hierarchy.name}${hint}`);
};

const childrenOf = (
  hierarchy: Hierarchy,
  under: number | null,
): ArrayLike<number> & { slice(from: number, to: number): Iterable<number> } =>
  under === null ? hierarchy.roots : hierarchy.children(under);

const foundIn = (
  hierarchy: Hierarchy,
  search: string,
  under: number | null,
  limit: number,
): readonly number[] =>
  hierarchy.search(search, limit, under === null ? undefined : hierarchy.descendants(under));

/** A term with its place in the tree. */
const describeTerm = (hierarchy: Hierarchy, term: number) => {
  const replacement = hierarchy.replacedBy(term);
  return {
    ...named(hierarchy, term),
    synonyms: hierarchy.synonyms(term),
    parents: Array.from(hierarchy.parents(term), (parent) => named(hierarchy, parent)),
    path: pathTo(hierarchy, term).map((one) => named(hierarchy, one)),
    narrower: hierarchy.descendants(term).length - 1,
    hasChildren: hierarchy.children(term).length > 0,
    ...(hierarchy.isObsolete(term) && {
      obsolete: true,
      replacedBy: replacement === undefined ? null : named(hierarchy, replacement),
    }),
  };
};

const named = (hierarchy: Hierarchy, term: number) => ({
  id: hierarchy.id(term),
  label: hierarchy.label(term),
});

/** The path from a root to a term, excluding the term: by the first parent of each. */
const pathTo = (hierarchy: Hierarchy, term: number): readonly number[] => {
  const path: number[] = [];
  for (let [at] = hierarchy.parents(term); at !== undefined; [at] = hierarchy.parents(at)) path.unshift(at);
  return path;
};
