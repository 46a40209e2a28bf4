import type { FieldNode, GraphQLField, GraphQLObjectType, GraphQLResolveInfo } from 'graphql';
import { getArgumentValues, getNamedType, isObjectType } from 'graphql';
// The package exports no public form of this; it is the executor's own reading of fragments and directives.
import { collectSubfields } from 'graphql/execution/collectFields.js';

/** One field of a selection, whatever fragments it was written in. */
export interface SelectedField {
  /** The alias, or the name: unique within its selection. */
  readonly responseName: string;
  readonly name: string;
  /** By name, variables and defaults filled in. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly definition: GraphQLField<unknown, unknown>;
  /** Where it stands in the document; several when it was written more than once. */
  readonly nodes: readonly FieldNode[];
}

/**
 * The fields selected below some field nodes, in the order of the answer: fragments opened, @skip and @include
 * applied, repeated fields merged, `__typename` left out.
 *
 * @throws GraphQLError when an argument's value does not fit its type
 */
export const selectedFields = (
  info: GraphQLResolveInfo,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
): readonly SelectedField[] => {
  const definitions = type.getFields();
  const collected = collectSubfields(info.schema, info.fragments, info.variableValues, type, nodes);
  return [...collected].flatMap(([responseName, fieldNodes]) => {
    const node = fieldNodes[0]!;
    const definition = definitions[node.name.value];
    if (definition === undefined) return [];
    const args = getArgumentValues(definition, node, info.variableValues);
    return [{ responseName, name: definition.name, args, definition, nodes: fieldNodes }];
  });
};

/** The fields selected below a selected field; none below a scalar. @throws GraphQLError as selectedFields does */
export const below = (
  info: GraphQLResolveInfo,
  { definition, nodes }: Pick<SelectedField, 'definition' | 'nodes'>,
): readonly SelectedField[] => {
  const type = getNamedType(definition.type);
  return isObjectType(type) ? selectedFields(info, type, nodes) : [];
};
