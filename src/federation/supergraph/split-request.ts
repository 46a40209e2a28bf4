import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  OperationDefinitionNode,
  SelectionNode,
} from 'graphql';
import { Kind, visit } from 'graphql';

/** Some root fields of a request, as a separate request. */
export interface RequestPart {
  readonly document: DocumentNode;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly fields: readonly FieldNode[];
}

/** The root fields of a request, which has one operation; stitching inlines fragments at that level. */
export const rootFields = (document: DocumentNode): readonly FieldNode[] =>
  operationIn(document).selectionSet.selections.filter(isField);

/** The name of a field in the answer. */
export const responseName = ({ alias, name }: FieldNode): string => (alias ?? name).value;

/**
 * Splits root fields into as few requests as possible with at most that many aliases each, in order: nodes count the
 * aliases in fragments too. A field that exceeds the limit by itself is left unsplit.
 */
export const splitRequest = (
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
  fields: readonly FieldNode[],
  maxAliases: number,
): readonly RequestPart[] => {
  const fragments = fragmentsIn(document);
  const groups: { readonly fields: FieldNode[]; readonly spread: Set<string>; aliases: number }[] = [];
  for (const field of fields) {
    const spread = spreadIn(field, fragments);
    const aliases = aliasesIn(field);
    const last = groups.at(-1);
    // a fragment that is already included adds no aliases
    const more = aliases + sumOf(spread, (name) => (last?.spread.has(name) ? 0 : aliasesOf(fragments, name)));
    if (last && last.aliases + more <= maxAliases) {
      last.fields.push(field);
      for (const name of spread) last.spread.add(name);
      last.aliases += more;
    } else
      groups.push({
        fields: [field],
        spread: new Set(spread),
        aliases: aliases + sumOf(spread, (name) => aliasesOf(fragments, name)),
      });
  }
  return groups.map((group) => partOf(group, document, fragments, variables));
};

type Fragments = ReadonlyMap<string, { readonly node: FragmentDefinitionNode; readonly aliases: number }>;

const partOf = (
  { fields, spread }: { readonly fields: readonly FieldNode[]; readonly spread: ReadonlySet<string> },
  document: DocumentNode,
  fragments: Fragments,
  variables: Readonly<Record<string, unknown>>,
): RequestPart => {
  const operation = operationIn(document);
  const definitions = [...spread].map((name) => fragments.get(name)!.node);
  const used = variablesIn([...fields, ...definitions]);
  return {
    fields,
    document: {
      kind: Kind.DOCUMENT,
      definitions: [
        {
          ...operation,
          selectionSet: { kind: Kind.SELECTION_SET, selections: fields },
          // unused variables are refused
          variableDefinitions: (operation.variableDefinitions ?? []).filter(({ variable }) =>
            used.has(variable.name.value),
          ),
        },
        ...definitions,
      ],
    },
    variables: Object.fromEntries(Object.entries(variables).filter(([name]) => used.has(name))),
  };
};

const operationIn = ({ definitions }: DocumentNode): OperationDefinitionNode =>
  definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION)!;

const isField = (selection: SelectionNode): selection is FieldNode => selection.kind === Kind.FIELD;

const fragmentsIn = ({ definitions }: DocumentNode): Fragments =>
  new Map(
    definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION
        ? [[node.name.value, { node, aliases: aliasesIn(node) }] as const]
        : [],
    ),
  );

/** The fragments that a field needs, directly or through other fragments. */
const spreadIn = (field: FieldNode, fragments: Fragments): ReadonlySet<string> => {
  const spread = new Set<string>();
  const look = (node: FieldNode | FragmentDefinitionNode): void => {
    visit(node, {
      FragmentSpread: ({ name }) => {
        const fragment = fragments.get(name.value);
        if (!fragment || spread.has(name.value)) return;
        spread.add(name.value);
        look(fragment.node);
      },
    });
  };
  look(field);
  return spread;
};

const aliasesIn = (node: FieldNode | FragmentDefinitionNode): number => {
  let count = 0;
  visit(node, {
    Field: ({ alias }) => {
      if (alias) count += 1;
    },
  });
  return count;
};

const aliasesOf = (fragments: Fragments, name: string): number => fragments.get(name)?.aliases ?? 0;

const sumOf = (names: ReadonlySet<string>, countOf: (name: string) => number): number =>
  [...names].reduce((sum, name) => sum + countOf(name), 0);

const variablesIn = (nodes: readonly (FieldNode | FragmentDefinitionNode)[]): ReadonlySet<string> => {
  const used = new Set<string>();
  for (const node of nodes) visit(node, { Variable: ({ name }) => void used.add(name.value) });
  return used;
};
