import type { GraphQLFieldConfig, GraphQLFieldConfigArgumentMap, GraphQLOutputType } from 'graphql';
import { byResponseKey } from '../../graphql/response-key.ts';

/** A field whose value was shaped under its response name. */
export const responseField = <Context = unknown>(
  type: GraphQLOutputType,
  description: string,
  args?: GraphQLFieldConfigArgumentMap,
): GraphQLFieldConfig<unknown, Context> => ({
  type,
  description,
  ...(args && { args }),
  resolve: byResponseKey,
});
