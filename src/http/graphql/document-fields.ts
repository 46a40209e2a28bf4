import { parseText } from './parse-document.ts';
import type { GraphQLParams, GraphQLRequest } from './graphql-request.ts';

// A document that does not parse selects nothing, and does not filter; it is refused later with the reason.

/** Whether a request reads the schema, at any level: a root field may return the root again. */
export const introspects = (request: GraphQLRequest): Promise<boolean> =>
  selects(request, ['__schema', '__type']);

/** Whether a request reads what the fields are: the schema, or the configuration made of it. */
export const describes = (request: GraphQLRequest): Promise<boolean> =>
  selects(request, ['__schema', '__type', 'configs']);

/** Whether a request selects a root field of this name. */
export const selectsRoot = (request: GraphQLRequest, name: string): Promise<boolean> =>
  anyOf(request, async ({ query }) => {
    const fields = contains(query, name) ? await parseText(query, 'fields') : null;
    return fields?.roots.includes(name) === true;
  });

/** Whether any operation of a request filters. */
export const filters = (request: GraphQLRequest): Promise<boolean> => anyOf(request, usesFilters);

const anyOf = async (
  { params }: GraphQLRequest,
  matches: (one: GraphQLParams) => Promise<boolean>,
): Promise<boolean> => {
  for (const one of [params].flat()) if (await matches(one)) return true;
  return false;
};

/** Whether a request selects one of these fields, at any level. */
const selects = (request: GraphQLRequest, names: readonly string[]): Promise<boolean> =>
  anyOf(request, async ({ query }) => {
    const isNamed = names.some((name) => contains(query, name));
    const fields = isNamed ? await parseText(query, 'fields') : null;
    return fields?.describing.some((name) => names.includes(name)) === true;
  });

/**
 * Names are made of word characters and cannot be escaped in GraphQL: a document without the word has no such field, and
 * need not be parsed.
 */
const contains = (query: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(query);

/**
 * Whether an operation filters: inline, through a variable of any name, or through a variable's default. `null` is no
 * filter.
 */
export const usesFilters = async ({ query, variables = {} }: GraphQLParams): Promise<boolean> => {
  if (variables['filters'] != null) return true;
  const fields = await parseText(query, 'fields');
  if (fields === null) return false;
  return fields.filters.some(
    (filter) =>
      filter === true || (filter in variables ? variables[filter] != null : fields.defaults.includes(filter)),
  );
};
