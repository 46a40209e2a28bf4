import { parse, valueFromASTUntyped, visit, type DocumentNode } from 'graphql';
import { maxTokens } from './document-size.ts';
import type { GraphQLParams } from './graphql-request.ts';

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

/** If several operations have a default for the same name, one of those that are set. */
const defaultsOf = (document: DocumentNode): Record<string, unknown> => {
  const defaults: Record<string, unknown> = {};
  visit(document, {
    VariableDefinition: ({ variable, defaultValue }) => {
      if (defaultValue !== undefined) defaults[variable.name.value] ??= valueFromASTUntyped(defaultValue);
    },
  });
  return defaults;
};
