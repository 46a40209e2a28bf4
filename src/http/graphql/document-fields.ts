import { Kind, parse, valueFromASTUntyped, visit, type DocumentNode } from 'graphql';
import { maxTokens } from './document-limits.ts';
import type { GraphQLParams, GraphQLRequest } from './graphql-request.ts';

/** Whether a request reads the schema, at any level: a root field may return the root again. */
export const introspects = (request: GraphQLRequest): boolean =>
  operations(request).some(({ query }) => selects(query, ['__schema', '__type']));

/** Whether a request reads what the fields are: the schema, or the configuration made of it. */
export const describes = (request: GraphQLRequest): boolean =>
  operations(request).some(({ query }) => selects(query, ['__schema', '__type', 'configs']));

/** Whether a request selects a root field of this name. */
export const selectsRoot = (request: GraphQLRequest, name: string): boolean =>
  operations(request).some(({ query }) => contains(query, name) && rootFieldNames(query).has(name));

/** Whether any operation of a request filters. */
export const filters = (request: GraphQLRequest): boolean => operations(request).some(usesFilters);

const operations = ({ params }: GraphQLRequest): readonly GraphQLParams[] => [params].flat();

/** Whether a document selects one of these fields, at any level. A document that does not parse selects nothing. */
const selects = (query: string, names: readonly string[]): boolean => {
  const document = names.some((name) => contains(query, name)) ? parsed(query) : null;
  let found = false;
  if (document !== null)
    visit(document, {
      Field: ({ name }) => {
        if (names.includes(name.value)) found = true;
      },
    });
  return found;
};

/**
 * Names are made of word characters and cannot be escaped in GraphQL: a document without the word has no such field, and
 * need not be parsed.
 */
const contains = (query: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(query);

/**
 * The names (not aliases) of all root fields that a document's operations select, including through fragments. Empty
 * for a document that does not parse; it is refused later with the reason.
 */
export const rootFieldNames = (query: string): ReadonlySet<string> => {
  const document = parsed(query);
  return document === null ? new Set() : rootFieldsOf(document);
};

/** As `rootFieldNames`, of a parsed document. */
export const rootFieldsOf = (document: DocumentNode): ReadonlySet<string> => {
  const names = new Set<string>();
  const fragments = new Map(
    document.definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one.selectionSet] as const] : [],
    ),
  );
  // an explicit stack, and each fragment once: thousands may spread each other, in a chain or a cycle
  const seen = new Set<string>();
  const open = document.definitions.flatMap((one) =>
    one.kind === Kind.OPERATION_DEFINITION ? [one.selectionSet] : [],
  );
  for (let set = open.pop(); set !== undefined; set = open.pop())
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) names.add(selection.name.value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) open.push(selection.selectionSet);
      else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment) open.push(fragment);
      }
    }
  return names;
};

/** Every argument that carries a filter. */
const filterArguments = new Set(['filters', 'filter', 'sqon']);

/**
 * Whether an operation filters: inline, through a variable of any name, or through a variable's default. `null` is no
 * filter. A document that does not parse counts as unfiltered; it is refused later with the reason.
 */
export const usesFilters = ({ query, variables }: GraphQLParams): boolean => {
  if (variables?.['filters'] != null) return true;
  const document = parsed(query);
  if (document === null) return false;
  const values = { ...defaultsOf(document), ...variables };
  let found = false;
  visit(document, {
    Argument: ({ name, value }) => {
      if (filterArguments.has(name.value) && valueFromASTUntyped(value, values) != null) found = true;
    },
  });
  return found;
};

const parsed = (query: string): DocumentNode | null => {
  try {
    return parse(query, { maxTokens, noLocation: true });
  } catch {
    return null;
  }
};

/** Where several operations have a default for one name: the first. */
const defaultsOf = (document: DocumentNode): Record<string, unknown> => {
  const defaults: Record<string, unknown> = {};
  visit(document, {
    VariableDefinition: ({ variable, defaultValue }) => {
      if (defaultValue !== undefined) defaults[variable.name.value] ??= valueFromASTUntyped(defaultValue);
    },
  });
  return defaults;
};
