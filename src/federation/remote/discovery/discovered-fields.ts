import type { GraphQLNamedType, GraphQLObjectType, GraphQLSchema } from 'graphql';
import { getNamedType, getNullableType, isListType, isObjectType } from 'graphql';
import { z } from 'zod';
import { TributaryError } from '../../../lib/errors/errors.ts';
import { protocol, protocolIn, type Dialect } from '../../../lib/graphql/protocol.ts';
import type { Field, FieldKind, Fields } from '../../../introspection/fields/field.ts';
import { kindOf, aggregationName, hasOwnValues, pathsAbove } from '../../../introspection/fields/field.ts';
import { firstOf } from '../../../lib/text/escaped-text.ts';
import { readExtendedEntries } from '../node-statements.ts';
import type { FacetType } from '../../../search/facets/row/measure-row.ts';
import type { NodeFacts, RemoteCatalogue } from '../remote-catalogue.ts';
import { selectionPath } from '../hit-columns.ts';

const maxFields = 20_000;
const maxLevels = 20;

/** An entry of `configs { extended }`, which the established server supports too. */
const extendedEntries = z
  .array(
    z.object({
      fieldName: z.string().min(1).max(1_000),
      type: z.string().min(1).max(100),
      isArray: z.boolean().nullish(),
      hierarchy: z
        .object({ fingerprint: z.string().max(200) })
        .nullish()
        .catch(null),
    }),
  )
  .max(maxFields);

/** What a node's schema and configs show of a catalogue. */
export interface ReadCatalogue extends Pick<RemoteCatalogue, 'dialect' | 'fields' | 'aggregations'> {
  readonly extended: NodeFacts['extended'];
  readonly isNetwork: boolean;
  /** Whether the documents have an `id`; false: not reported. */
  readonly hasId: boolean;
}

/**
 * The catalogue behind a root field of a discovered schema.
 * @param extended the answer to `configs { extended }`, untrusted; undefined when the node has none
 * @throws TributaryError NODE_DISCOVERY_FAILED when the schema is not that of a catalogue
 */
export const readSchema = (schema: GraphQLSchema, documentType: string, extended: unknown): ReadCatalogue => {
  const { document, node, aggregations } = catalogueTypes(schema, documentType);
  const dialect = dialectOf(schema);
  const offered = readAggregations(aggregations);
  const selectable = walkNode(node, offered);
  const entries = extendedEntries.safeParse(extended);
  const edge = objectField(objectField(document, 'hits'), 'edges');
  return {
    dialect,
    // only the documents of networks have a key over all nodes
    isNetwork: dialect === 'tributary' && edge !== undefined && '_key' in edge.getFields(),
    aggregations: offered,
    fields: entries.success
      ? fieldsOf(entries.data, new Set(selectable.map(({ fieldName }) => fieldName)))
      : fieldsOf(selectable),
    extended: entries.success ? readExtendedEntries(extended) : null,
    // a mapped `id` is listed if the configuration names it, and never by servers of another kind
    hasId: entries.success && entries.data.some(({ fieldName }) => fieldName === 'id'),
  };
};

/**
 * What the server behind a schema understands; one without the mark of this software, the established server's GraphQL.
 * @throws TributaryError NODE_DISCOVERY_FAILED for a protocol other than this server's
 */
const dialectOf = (schema: GraphQLSchema): Dialect => {
  const spoken = protocolIn(schema);
  if (spoken === null) return 'established';
  if (spoken === protocol) return 'tributary';
  const older = spoken < protocol ? 'it' : 'this server';
  throw new TributaryError(
    'NODE_DISCOVERY_FAILED',
    `speaks protocol ${spoken}, this server ${protocol}: upgrade ${older}`,
  );
};

const catalogueTypes = (schema: GraphQLSchema, documentType: string) => {
  const root = schema.getQueryType() ?? undefined;
  const document = objectField(root, documentType);
  if (!document) throw noRootField(root, documentType);
  if (documentType === 'network' && 'nodes' in document.getFields())
    throw new TributaryError(
      'NODE_DISCOVERY_FAILED',
      '"network" is the merged field of a network, not a catalogue; documentType takes a catalogue of that server',
    );
  const node = connectionNode(document);
  const aggregations = objectField(document, 'aggregations');
  if (!node || !aggregations)
    throw new TributaryError(
      'NODE_DISCOVERY_FAILED',
      `"${documentType}" is not a catalogue: no hits or aggregations`,
    );
  return { document, node, aggregations };
};

const maxNamed = 20;

/** Callers of the network learn nothing about a node's other catalogues; the operator who configures it does. */
const noRootField = (root: GraphQLObjectType | undefined, documentType: string): TributaryError => {
  const names = Object.keys(root?.getFields() ?? {}).filter(
    (name) => objectField(objectField(root, name), 'hits') !== undefined && name !== 'network',
  );
  const listed = firstOf(
    names.map((name) => `"${name.slice(0, 100)}"`),
    maxNamed,
  );
  return new TributaryError('NODE_DISCOVERY_FAILED', `has no root field "${documentType}" (documentType)`, {
    details: {
      hint: names.length === 0 ? 'none of its root fields is a catalogue' : `its catalogues are ${listed}`,
    },
  });
};

interface Entry {
  readonly fieldName: string;
  readonly type: string;
  readonly isArray?: boolean | null | undefined;
  readonly hierarchy?: { readonly fingerprint: string } | null | undefined;
}

/** @param selectable the GraphQL paths of the values that documents show; unset: all */
const fieldsOf = (entries: readonly Entry[], selectable?: ReadonlySet<string>): Fields => {
  const nestedPaths = new Set(
    entries.filter(({ type }) => type === 'nested').map((entry) => entry.fieldName),
  );
  const plain = new Set(
    entries.filter(({ type }) => hasOwnValues(kindOf(type))).map((entry) => entry.fieldName),
  );
  const isShown = (path: string): boolean => selectable === undefined || selectable.has(selectionPath(path));
  return new Map(
    entries.map(({ fieldName: path, type, ...entry }): [string, Field] => {
      const kind = kindOf(type);
      // not part of documents: a multi-field of the field above, or an alias whose target is not known
      const storedAt =
        isContainer(kind) || isShown(path)
          ? undefined
          : (pathsAbove(path).find((above) => plain.has(above)) ?? path);
      const nestedIn = pathsAbove(path).filter((above) => nestedPaths.has(above));
      const isArray = entry.isArray ?? false;
      return [
        path,
        {
          ...{ path, type, kind, nestedIn, isArray, indexField: { path, type, nestedIn } },
          ...(storedAt !== undefined && { storedAt }),
          ...(entry.hierarchy && { hierarchyFingerprint: entry.hierarchy.fingerprint }),
        },
      ];
    }),
  );
};

const isContainer = (kind: FieldKind): boolean => kind === 'object' || kind === 'nested';

const objectField = (parent: GraphQLObjectType | undefined, name: string): GraphQLObjectType | undefined => {
  const field = parent?.getFields()[name];
  const type = field && getNamedType(field.type);
  return type && isObjectType(type) ? type : undefined;
};

/** The node type of `hits { edges { node } }`, if the type has one. */
const connectionNode = (type: GraphQLObjectType): GraphQLObjectType | undefined =>
  objectField(objectField(objectField(type, 'hits'), 'edges'), 'node');

const readAggregations = (type: GraphQLObjectType): RemoteCatalogue['aggregations'] => {
  const facetTypes = new Map<string, FacetType>();
  for (const [name, field] of Object.entries(type.getFields())) {
    const facet = getNamedType(field.type);
    const fields = isObjectType(facet) ? facet.getFields() : {};
    if ('stats' in fields) facetTypes.set(name, 'numbers');
    else if ('buckets' in fields) facetTypes.set(name, 'values');
  }
  return facetTypes;
};

/** Paths and types as GraphQL shows them: both text and keyword are String. */
const walkNode = (
  root: GraphQLObjectType,
  aggregations: RemoteCatalogue['aggregations'],
): readonly Entry[] => {
  const entries: Entry[] = [];
  // a type nested inside itself adds nothing new, so recursion stops there
  const above = new Set<GraphQLObjectType>();
  const visit = (type: GraphQLObjectType, prefix: string, level: number): void => {
    above.add(type);
    for (const [name, field] of Object.entries(type.getFields())) {
      if (level === 0 && (name === 'score' || name === '_source')) continue;
      if (entries.length >= maxFields || level > maxLevels) break;
      const path = prefix + name;
      const named = getNamedType(field.type);
      const inner = isObjectType(named) ? (connectionNode(named) ?? named) : undefined;
      if (inner && above.has(inner)) continue;
      const isNested = inner !== undefined && inner !== named;
      const isArray = isListType(getNullableType(field.type));
      const isDate = aggregations.get(aggregationName(path)) === 'numbers';
      entries.push({ fieldName: path, isArray, type: isNested ? 'nested' : typeName(named, isDate) });
      if (inner) visit(inner, `${path}.`, level + 1);
    }
    above.delete(type);
  };
  visit(root, '', 0);
  return entries;
};

const typeName = (type: GraphQLNamedType, hasStats: boolean): string => {
  if (isObjectType(type)) return 'object';
  const types: Readonly<Record<string, string>> = {
    String: hasStats ? 'date' : 'keyword',
    ID: 'keyword',
    Float: 'double',
    Int: 'long',
    Number: 'long',
    Boolean: 'boolean',
  };
  return types[type.name] ?? 'json';
};
