import type { GraphQLResolveInfo } from 'graphql';

/**
 * The resolver of a field whose value was already shaped under its response name, so that two aliases of one field with
 * different arguments keep separate answers.
 */
export const byResponseKey = (
  source: unknown,
  _args: unknown,
  _context: unknown,
  info: GraphQLResolveInfo,
): unknown => (source as Readonly<Record<string | number, unknown>>)[info.path.key] ?? null;
