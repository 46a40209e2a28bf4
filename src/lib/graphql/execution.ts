import {
  getArgumentValues,
  getNamedType,
  isObjectType,
  TypeNameMetaFieldDef,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  getDirectiveValues,
  isAbstractType,
  typeFromAST,
  responsePathAsArray,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type InlineFragmentNode,
  type FragmentDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { yieldToEventLoop } from '../concurrency/yield-to-event-loop.ts';

/** One field of a selection, regardless of the fragments it was written in. */
export interface SelectedField {
  /** The alias, or the name: unique within its selection. */
  readonly responseName: string;
  readonly name: string;
  /** By name, including variables and defaults. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly definition: GraphQLField<unknown, unknown>;
  /** The name of its parent type: the value of `__typename`. */
  readonly typeName: string;
  /** Its nodes in the document; several when the field was written more than once. */
  readonly nodes: readonly FieldNode[];
  /** The fields selected below it, set when `allBelow` is first called with it. */
  children?: readonly SelectedField[];
}

/**
 * The fields selected below some field nodes, in the order of the answer: fragments expanded, @skip and @include applied,
 * repeated fields merged, `__typename` left out.
 * @throws GraphQLError when an argument's value does not fit its type
 */
export const selectedFields = (
  info: GraphQLResolveInfo,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
): readonly SelectedField[] => withoutTypeNames(allSelected(info, type, nodes));

/** The fields selected below a selected field; none below a scalar. @throws GraphQLError as selectedFields does */
export const below = (info: GraphQLResolveInfo, above: Above): readonly SelectedField[] =>
  withoutTypeNames(allBelow(info, above));

/** `below` with `__typename`: everything in the answer, in order. @throws GraphQLError as selectedFields does */
export const allBelow = (info: GraphQLResolveInfo, above: Above): readonly SelectedField[] => {
  const type = getNamedType(above.definition.type);
  return (above.children ??= isObjectType(type) ? allSelected(info, type, above.nodes) : []);
};

type Above = Pick<SelectedField, 'definition' | 'nodes' | 'children'>;

const withoutTypeNames = (fields: readonly SelectedField[]): readonly SelectedField[] =>
  fields.filter(({ definition }) => definition !== TypeNameMetaFieldDef);

const allSelected = (
  info: GraphQLResolveInfo,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
): readonly SelectedField[] => {
  const definitions = type.getFields();
  const collected = collectedFields(info, type, nodes);
  return [...collected].flatMap(([responseName, fieldNodes]) => {
    const { value: name } = fieldNodes[0]!.name;
    const definition = name === TypeNameMetaFieldDef.name ? TypeNameMetaFieldDef : definitions[name];
    if (definition === undefined) return [];
    const args = getArgumentValues(definition, fieldNodes[0]!, info.variableValues);
    return [{ responseName, name, args, definition, typeName: type.name, nodes: fieldNodes }];
  });
};

type Collecting = Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'variableValues'>;

/**
 * The field nodes of an object type selected below some field nodes, by response name and in answer order (GraphQL
 * specification, October 2021, section 6.3.2, CollectFields): fragments expanded, each once, @skip and @include
 * applied.
 */
const collectedFields = (
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

type Path = GraphQLResolveInfo['path'];

/**
 * Values of one execution that are complete down to their leaves, exactly as they will be sent: an executor would only
 * walk and copy them, which for a thousand buckets costs more than all other work of the request. It gets null instead,
 * and the values are inserted when it is done.
 *
 * An execution that supports this has an instance as its root value, since paths start at the root. Any other, such as one
 * started by a resolver, has none, and its executor walks the values.
 */
export class DeferredValues {
  readonly #deferred: { readonly path: Path; readonly value: unknown }[] = [];

  defer(path: Path, value: unknown): void {
    this.#deferred.push({ path, value });
  }

  /** Inserts the values into the execution's data; those below a field that became null are dropped. */
  insertInto(data: unknown): void {
    for (const { path, value } of this.#deferred) {
      let parent = data;
      for (const key of responsePathAsArray(path.prev))
        parent = (parent as Readonly<Record<string | number, unknown>> | null)?.[key];
      if (parent) (parent as Record<string | number, unknown>)[path.key] = value;
    }
  }
}

/**
 * Called by the resolver of a field whose value is complete: it holds each selected field under its response name, in
 * selection order, including `__typename`, and only values that the executor would neither change nor reject.
 * @param info the root value of the execution, and the path of that field, which must be nullable
 */
export const deferValue = (
  value: unknown,
  { rootValue, path }: Pick<GraphQLResolveInfo, 'rootValue' | 'path'>,
): unknown => {
  if (!(rootValue instanceof DeferredValues)) return value;
  rootValue.defer(path, value);
  return null;
};

/** The items of a list, later ones as promises. */
export type Slices<Item> = readonly (Item | Promise<Item | null>)[];

const sliceLength = 100;

/**
 * A list whose items take long to process, such as the rows of a page that graphql-js completes: from the 101st item on
 * they are promises, and each hundred of them resolves in its own iteration of the event loop.
 * @param isUnwanted whether no client waits for the items any more: the rest is then null
 */
export const inSlices = <Item>(
  items: readonly Item[],
  isUnwanted: () => boolean = () => false,
): Slices<Item> => {
  let slice = Promise.resolve();
  return items.map((item, at) => {
    if (at < sliceLength) return item;
    if (at % sliceLength === 0) slice = slice.then(() => (isUnwanted() ? undefined : yieldToEventLoop()));
    return slice.then(() => (isUnwanted() ? null : item));
  });
};
