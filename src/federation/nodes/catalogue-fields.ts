import type { Field, Fields } from '../../introspection/fields/field.ts';
import { aggregationName, graphqlSegment, pathsAbove } from '../../introspection/fields/names.ts';
import type { NetworkFields } from './network-fields.ts';

/**
 * The network's fields as those of one catalogue, whose documents hold objects in objects: every path has the objects
 * above it, a value is a list only where one object holds several, and no two paths share a GraphQL name.
 */
export const catalogueFields = ({
  fields,
  byNode,
  lists,
}: Pick<NetworkFields, 'fields' | 'byNode' | 'lists'>): Fields => {
  const tree = new Map<string, Field>();
  const names = new Set<string>();
  const own = ownFields(byNode);
  for (const field of fields.values()) {
    const above = pathsAbove(field.path).filter((path) => !tree.has(path));
    const added = [...above, field.path].flatMap(namesOf);
    // messages about networks name those that are left out
    if (added.some((name) => names.has(name))) continue;
    for (const name of added) names.add(name);
    for (const path of above) tree.set(path, fields.get(path) ?? objectField(path));
    tree.set(field.path, field);
  }
  return new Map([...tree].map(([path, field]) => [path, placed(field, tree, own.get(path) ?? [], lists)]));
};

/** Each node's own field for the paths of the network. */
const ownFields = (byNode: NetworkFields['byNode']): ReadonlyMap<string, readonly Field[]> => {
  const own = new Map<string, Field[]>();
  for (const covered of byNode.values())
    for (const [path, field] of covered) own.set(path, [...(own.get(path) ?? []), field]);
  return own;
};

const namesOf = (path: string): readonly string[] => [
  ...new Set([path.split('.').map(graphqlSegment).join('.'), `__${aggregationName(path)}`]),
];

const objectField = (path: string): Field => ({
  path,
  type: 'object',
  kind: 'object',
  nestedIn: [],
  isArray: false,
  indexField: { path, type: 'object', nestedIn: [] },
});

const placed = (field: Field, tree: Fields, own: readonly Field[], lists: ReadonlySet<string>): Field => {
  const nestedIn = pathsAbove(field.path).filter((path) => tree.get(path)?.kind === 'nested');
  // a node with more nested objects on the way has several values where the network shows one object
  const isArray =
    lists.has(field.path) || own.some((one) => one.isArray || one.nestedIn.length > nestedIn.length);
  const isObjects = field.kind === 'nested';
  return {
    ...field,
    nestedIn,
    isArray: isArray && !isObjects,
    indexField: { ...field.indexField, nestedIn },
  };
};
