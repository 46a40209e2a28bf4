import type { FieldNode, GraphQLResolveInfo, GraphQLSchema, SelectionSetNode } from 'graphql';
import { Kind, visit } from 'graphql';

interface CachedPlan<Plan> {
  readonly schema: GraphQLSchema;
  readonly nodes: readonly FieldNode[];
  /** null: the selection depends on variables, so every request is planned separately. */
  readonly plan: Plan | null;
}

/**
 * A plan for the selection below a field, computed once per parsed document: documents are cached, so the same field
 * node means the same document. The field's own arguments are not part of the plan; if anything below the field uses a
 * variable, each request is planned again.
 */
export const memoizePerDocument = <Plan>(
  plan: (info: GraphQLResolveInfo) => Plan,
): ((info: GraphQLResolveInfo) => Plan) => {
  const kept = new WeakMap<FieldNode, CachedPlan<Plan>>();
  return (info) => {
    const { schema, fieldNodes: nodes } = info;
    const found = kept.get(nodes[0]!);
    const same = found !== undefined && found.schema === schema && sameNodes(found.nodes, nodes);
    if (same) return found.plan ?? plan(info);
    const isKept = !dependsOnVariables(info);
    const made = plan(isKept ? ofDocument(info) : info);
    kept.set(nodes[0]!, { schema, nodes, plan: isKept ? made : null });
    return made;
  };
};

/** Strips request-specific data: a cached plan may keep a reference to it, and would keep filters and answers alive. */
const ofDocument = (info: GraphQLResolveInfo): GraphQLResolveInfo => ({
  ...info,
  rootValue: undefined,
  variableValues: {},
});

const sameNodes = (left: readonly FieldNode[], right: readonly FieldNode[]): boolean =>
  left.length === right.length && left.every((node, position) => node === right[position]);

const dependsOnVariables = ({ fieldNodes, fragments }: GraphQLResolveInfo): boolean => {
  const looked = new Set<string>();
  const namesVariable = (selection: SelectionSetNode | undefined): boolean => {
    if (selection === undefined) return false;
    let found = false;
    const spread: string[] = [];
    visit(selection, {
      [Kind.VARIABLE]: () => {
        found = true;
      },
      [Kind.FRAGMENT_SPREAD]: ({ name }) => void spread.push(name.value),
    });
    return found || spread.some((name) => !looked.has(name) && looked.add(name) && namesVariable(fragments[name]?.selectionSet)); // prettier-ignore
  };
  return fieldNodes.some(({ selectionSet }) => namesVariable(selectionSet));
};
