import type {
  FieldNode,
  GraphQLObjectType,
  GraphQLResolveInfo,
  InlineFragmentNode,
  FragmentDefinitionNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql';
import {
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  getDirectiveValues,
  isAbstractType,
  typeFromAST,
} from 'graphql';

type Collecting = Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'variableValues'>;

/**
 * The field nodes of an object type selected below some field nodes, by response name and in answer order (GraphQL
 * specification, October 2021, section 6.3.2, CollectFields): fragments expanded, each once, @skip and @include
 * applied.
 */
export const collectedFields = (
  info: Collecting,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
): ReadonlyMap<string, readonly FieldNode[]> => {
  const collected = new Map<string, FieldNode[]>();
  const opened = new Set<string>();
  const collect = (set: SelectionSetNode): void => {
    for (const selection of set.selections) {
      if (!isIncluded(info, selection)) continue;
      if (selection.kind === Kind.FIELD) add(collected, selection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) {
        if (isOfType(info, selection, type)) collect(selection.selectionSet);
      } else if (!opened.has(selection.name.value)) {
        opened.add(selection.name.value);
        const fragment = info.fragments[selection.name.value];
        if (fragment && isOfType(info, fragment, type)) collect(fragment.selectionSet);
      }
    }
  };
  for (const { selectionSet } of nodes) if (selectionSet) collect(selectionSet);
  return collected;
};

const add = (collected: Map<string, FieldNode[]>, node: FieldNode): void => {
  const name = (node.alias ?? node.name).value;
  const known = collected.get(name);
  if (known) known.push(node);
  else collected.set(name, [node]);
};

const isIncluded = ({ variableValues }: Collecting, node: SelectionNode): boolean =>
  getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.['if'] !== true &&
  getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.['if'] !== false;

const isOfType = (
  { schema }: Collecting,
  { typeCondition }: FragmentDefinitionNode | InlineFragmentNode,
  type: GraphQLObjectType,
): boolean => {
  if (!typeCondition) return true;
  const named = typeFromAST(schema, typeCondition);
  return named === type || (isAbstractType(named) && schema.isSubType(named, type));
};
