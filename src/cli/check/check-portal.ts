import { GraphQLError, Kind, parse, type SelectionSetNode } from 'graphql';
import type { PortalSections } from '../../introspection/fields/portal-sections.ts';
import type { PortalConfigs } from '../../introspection/fields/catalogue-config.ts';
import type { Fields } from '../../introspection/fields/field.ts';
import { tableConfig } from '../../introspection/fields/field-config.ts';
import type { Findings } from './check-values.ts';
import { unmappedNames } from '../../introspection/fields/unknown-fields.ts';

/** A network as its portal receives it, and the file that configures it. */
export interface CheckedPortal {
  readonly fields: Fields;
  readonly configs: PortalConfigs;
  /** The sections in the file itself. */
  readonly sections: Partial<PortalSections>;
  readonly where: string;
  /** The maximum levels of a GraphQL document here. */
  readonly maxDepth: number;
  /** Whether the fields of every node are known. */
  readonly isWhole: boolean;
}

/** Tests the portal sections of a network's file: the fields it names, and whether its columns can be queried. */
export const checkPortal = (portal: CheckedPortal): Findings => {
  const unmapped = unmappedFields(portal);
  const columns = columnFindings(portal);
  const isNamed = portal.sections.table?.columns !== undefined;
  return {
    problems: [...(portal.isWhole ? unmapped : []), ...(isNamed ? columns : [])],
    // a node that is down may have the field
    warnings: [...(portal.isWhole ? [] : unmapped), ...(isNamed ? [] : columns)],
  };
};

const unmappedFields = ({ fields, sections, where, configs }: CheckedPortal): readonly string[] => {
  const at = (key: string): string => `${where}, network.${key}`;
  const locations = {
    extended: at('extended'),
    survival: at('survival'),
    facets: at('facets.aggregations'),
    columns: at('table.columns'),
    defaultSorting: at('table.defaultSorting'),
    matchbox: at('matchbox'),
    network: where,
  };
  const { extended = [], facets, table } = sections;
  const named = {
    extended: extended.filter(isOfNodes),
    facets: facets?.aggregations === undefined ? null : configs.facets,
    table: {
      ...configs.table,
      columns: table?.columns?.filter(isOfNodes) ?? null,
      defaultSorting: configs.table.defaultSorting.filter(isOfNodes),
    },
    matchbox: configs.matchbox,
    ...(configs.survival && { survival: configs.survival }),
    places: locations,
  };
  return unmappedNames(fields, named, 'no node has the field');
};

/** The key of a row is made by the network. */
const isOfNodes = ({ fieldName }: { readonly fieldName: string }): boolean => fieldName !== '_key';

/** Levels above a column's own: document type, hits, edges, node. */
const levelsAbove = 4;

const columnFindings = ({ fields, configs, maxDepth }: CheckedPortal): readonly string[] => {
  const columns = tableConfig(fields, configs).columns.map(({ fieldName, query }) => ({
    fieldName,
    query,
    levels: levelsIn(query),
  }));
  const deep = columns.flatMap(({ fieldName, levels }) =>
    levels !== null && levelsAbove + levels > maxDepth ? [{ fieldName, needed: levelsAbove + levels }] : [],
  );
  const named = deep.map(({ fieldName, needed }) => `${fieldName} (${needed})`).join(', ');
  const max = Math.max(...deep.map(({ needed }) => needed));
  return [
    ...columns.flatMap(({ fieldName, query, levels }) =>
      levels === null ? [`column ${fieldName}: its query is not a GraphQL selection: ${query}`] : [],
    ),
    ...(deep.length === 0
      ? []
      : [
          `columns that need more than the ${maxDepth} levels allowed in a query: ${named}; set network.maxDepth to ${max}`,
        ]),
  ];
};

/** The levels of a column's selection; null if it is not valid GraphQL. */
const levelsIn = (query: string): number | null => {
  try {
    const [definition] = parse(`{ ${query} }`).definitions;
    return definition?.kind === Kind.OPERATION_DEFINITION ? depthOf(definition.selectionSet) : null;
  } catch (error) {
    if (error instanceof GraphQLError) return null;
    throw error;
  }
};

const depthOf = ({ selections }: SelectionSetNode): number =>
  Math.max(
    ...selections.map((selection) => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) return 0;
      const below = selection.selectionSet === undefined ? 0 : depthOf(selection.selectionSet);
      return selection.kind === Kind.FIELD ? 1 + below : below;
    }),
  );
