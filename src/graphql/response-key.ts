import type { GraphQLResolveInfo } from 'graphql';

/**
 * The resolver of a field whose value was shaped under its response name already, so that two aliases of one field
 * with different arguments keep their own answers.
 */
export const byResponseKey = (
  source: unknown,
  _args: unknown,
  _context: unknown,
  info: GraphQLResolveInfo,
): unknown => (source as Readonly<Record<string | number, unknown>>)[info.path.key] ?? null;
