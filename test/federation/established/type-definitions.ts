import { graphqlSegment } from '../../../src/introspection/fields/field.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';

/** One property of a mapping. */
export interface Property {
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Properties;
}
export type Properties = Readonly<Record<string, Property>>;

/** What a mapped path is for the established server, by its dotted path. */
export const typesByPath = (properties: Properties, prefix = ''): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(properties).flatMap(([name, { type, properties: inner }]): [string, string][] => [
      [prefix + name, type ?? 'object'],
      ...(inner ? typesByPath(inner, `${prefix + name}.`) : []),
    ]),
  );

/** The formats of dates that have one of their own, by dotted path. */
export const formatsByPath = (properties: Properties, prefix = ''): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(properties).flatMap(([name, { format, properties: inner }]): [string, string][] => [
      ...(format === undefined ? [] : [[prefix + name, format] as [string, string]]),
      ...(inner ? formatsByPath(inner, `${prefix + name}.`) : []),
    ]),
  );

/** The nested paths above a path, outermost first. */
export const nestedAbove = (path: string, types: ReadonlyMap<string, string>): readonly string[] =>
  [...types.keys()].filter((outer) => types.get(outer) === 'nested' && path.startsWith(`${outer}.`));

const scalars: Readonly<Record<string, string>> = {
  boolean: 'Boolean',
  byte: 'Int',
  unsigned_long: 'Int',
  integer: 'Float',
  long: 'Float',
  float: 'Float',
  double: 'Float',
  half_float: 'Float',
  scaled_float: 'Float',
};

const isNumeric = (type: string): boolean =>
  type === 'date' || scalars[type] === 'Float' || scalars[type] === 'Int';

const fixedTypes = `
  scalar JSON
  enum Missing { first last }
  enum Mode { avg max min sum }
  enum Order { asc desc }
  input Sort { fieldName: String! order: Order mode: Mode missing: Missing }
  input RangesArg { from: Int to: Int key: String }
  interface Node { id: ID! }
  type ConfigsWithState { extended(fieldNames: [String]): JSON }
  type Aggregations { bucket_count: Int buckets(max: Int): [Bucket] cardinality(precision_threshold: Int): Int }
  type Bucket { key: String key_as_string: String doc_count: Int top_hits(_source: [String], size: Int): JSON filter_by_term(filter: JSON): JSON }
  type NumericAggregations { stats: Stats histogram(interval: Float): Aggregations range(ranges: [RangesArg]): Aggregations }
  type Stats { min: Float max: Float avg: Float sum: Float count: Int }
`;

/** The schema of the established server over one mapping: its type names, arguments and nullability. */
export const typeDefinitions = (documentType: string, properties: Properties): string => `
  ${fixedTypes}
  schema { query: Root }
  type Root {
    node(id: ID!): Node
    viewer: Root
    hasValidConfig(documentType: String!, index: String!): Boolean
    ${documentType}: ${documentType}
  }
  ${connectionTypes(documentType, properties)}
`;

const connectionTypes = (name: string, properties: Properties): string => `
  type ${name} {
    aggregations(filters: JSON, include_missing: Boolean, aggregations_filter_themselves: Boolean): ${name}Aggregations
    configs: ConfigsWithState
    hits(score: String, offset: Int, sort: [Sort], filters: JSON, before: String, after: String, first: Int, last: Int,
      searchAfter: JSON, trackTotalHits: Boolean = true): ${name}Connection
    mapping: JSON
  }
  type ${name}Aggregations { ${aggregations(properties)} }
  type ${name}Connection { total: Int! edges: [${name}Edge] }
  type ${name}Edge { searchAfter: JSON node: ${name}Node }
  type ${name}Node implements Node { id: ID! score: Int ${nodeFields(name, properties)} }
  ${innerTypes(name, properties)}
`;

/** The document's own `id` is shown as the node's `id` only. */
const shown = (properties: Properties): readonly [string, Property][] =>
  Object.entries(properties).filter(([name]) => name !== 'id');

const aggregations = (properties: Properties): string => {
  const types = typesByPath(properties);
  return [...types]
    .filter(([path, type]) => type !== 'nested' && path !== 'id')
    .map(
      ([path, type]) =>
        `${aggregationPath(path)}: ${isNumeric(type) ? 'NumericAggregations' : 'Aggregations'}`,
    )
    .join(' ');
};

const aggregationPath = (path: string): string => path.split('.').map(graphqlSegment).join('__');

const childName = (parent: string, name: string): string => {
  const segment = graphqlSegment(name);
  return parent + segment.charAt(0).toUpperCase() + segment.slice(1).toLowerCase();
};

const nodeFields = (parent: string, properties: Properties): string =>
  shown(properties)
    .map(([name, { type = 'object', properties: inner }]) => {
      const leaf = type === 'object' ? 'JSON' : (scalars[type] ?? 'String');
      return `${graphqlSegment(name)}: ${inner ? childName(parent, name) : leaf}`;
    })
    .join(' ');

const innerTypes = (parent: string, properties: Properties): string =>
  shown(properties)
    .map(([name, { type, properties: inner }]) => {
      if (!inner) return '';
      const own = childName(parent, name);
      if (type === 'nested') return connectionTypes(own, inner);
      return `type ${own} { ${nodeFields(own, inner)} } ${innerTypes(own, inner)}`;
    })
    .join('\n');

/** A stored object as the values of its node type, for a schema's default resolvers. */
export const nodeValues = (source: JsonObject, properties: Properties): Record<string, unknown> =>
  Object.fromEntries(
    shown(properties).map(([name, { type, properties: inner }]) => {
      const stored = source[name] ?? null;
      const first: unknown = Array.isArray(stored) ? (stored[0] ?? null) : stored;
      if (!inner || first === null) return [graphqlSegment(name), first];
      if (type !== 'nested') return [graphqlSegment(name), nodeValues(first as JsonObject, inner)];
      const objects = (Array.isArray(stored) ? stored : [stored]) as readonly JsonObject[];
      const edges = objects.map((one, index) => ({ node: { id: String(index), ...nodeValues(one, inner) } }));
      return [graphqlSegment(name), { hits: { total: edges.length, edges } }];
    }),
  );
