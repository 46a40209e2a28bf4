import { graphqlSegment, type Field, type Fields } from '../../introspection/fields/field.ts';

/** A value of a hit, or a list of its nested objects. */
export interface Column {
  /** Its raw path, relative to the enclosing objects. */
  readonly path: string;
  /** The GraphQL names that lead to it. */
  readonly names: readonly string[];
  /** For nested objects, which are behind a connection: their own columns. */
  readonly below?: readonly Column[];
}

/** The requested values of a hit, as far as a node shows them. */
export interface HitColumns {
  readonly columns: readonly Column[];
  /** Requested paths that are not shown, each with a reason that follows it in the message. */
  readonly unselectable: readonly { readonly path: string; readonly why: string }[];
}

/** The dotted GraphQL name of a raw path. */
export const selectionPath = (path: string): string => path.split('.').map(graphqlSegment).join('.');

/** Levels above a hit's first field: document type, hits, edges, node. */
const levelsAboveNode = 4;
/** The names from a connection to its nodes: hits, edges, node. */
const connectionNames = ['hits', 'edges', 'node'] as const;

/**
 * The columns for some raw paths. Objects that hold other values of the node are left out: their values are requested by
 * their own paths.
 * @param maxDepth the maximum levels of a query at the node
 */
export const hitColumns = (paths: readonly string[], fields: Fields, maxDepth: number): HitColumns => {
  const columns: Draft[] = [];
  const unselectable: { path: string; why: string }[] = [];
  for (const path of paths) {
    const field = fields.get(path);
    if (isContainer(field) && paths.some((other) => other.startsWith(`${path}.`))) continue;
    const levels =
      levelsAboveNode + path.split('.').length + connectionNames.length * (field?.nestedIn.length ?? 0);
    if (!field || isContainer(field) || field.storedAt !== undefined)
      unselectable.push({ path, why: 'this node does not show it as a value of its hits' });
    else if (levels > maxDepth) unselectable.push({ path, why: tooDeep(levels, maxDepth) });
    else place(columns, [...field.nestedIn, path]);
  }
  return { columns, unselectable };
};

const isContainer = (field: Field | undefined): boolean =>
  field?.kind === 'object' || field?.kind === 'nested';

const tooDeep = (levels: number, maxDepth: number): string =>
  `it takes a query of ${levels} levels, and this node accepts ${maxDepth} at most: ` +
  'set its maxDepth where it allows more, or let it offer _source(paths:) on hits';

interface Draft extends Column {
  readonly below?: Draft[];
}

/** @param places the nested paths around a value, and its own */
const place = (columns: Draft[], places: readonly string[], above = ''): void => {
  const [whole, ...deeper] = places;
  const path = whole!.slice(above.length);
  const names = selectionPath(path).split('.');
  if (deeper.length === 0) return void columns.push({ path, names });
  const known = columns.find((column) => column.path === path && column.below);
  const below = known?.below ?? [];
  if (!known) columns.push({ path, names, below });
  place(below, deeper, `${whole}.`);
};

/** Columns as a GraphQL selection. */
export const printColumns = (columns: readonly Column[]): string =>
  columns.map(({ names, below }) => (below ? printNested(names, below) : nested(names, ''))).join(' ');

const printNested = (names: readonly string[], below: readonly Column[]): string =>
  nested([...names, ...connectionNames], printColumns(below));

const nested = (names: readonly string[], inside: string): string => {
  const levels = inside === '' ? names : [...names, inside];
  return levels.join(' { ') + ' }'.repeat(levels.length - 1);
};

/** All values among columns: the whole raw path of each, and the names that lead to it from a hit's node. */
export const columnValues = (
  columns: readonly Column[],
): readonly { readonly path: string; readonly names: readonly string[] }[] =>
  columns.flatMap(({ path, names, below }) =>
    below
      ? columnValues(below).map((inner) => ({
          path: `${path}.${inner.path}`,
          names: [...names, ...connectionNames, ...inner.names],
        }))
      : [{ path, names }],
  );
