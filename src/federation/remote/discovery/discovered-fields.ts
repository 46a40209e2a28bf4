import type { GraphQLNamedType, GraphQLObjectType, GraphQLSchema } from 'graphql';
import { getNamedType, getNullableType, isListType, isObjectType } from 'graphql';
import { z } from 'zod';
import { TributaryError } from '../../../errors/errors.ts';
import { protocol, protocolIn, type Dialect } from '../../../graphql/protocol.ts';
import type { Field, Fields } from '../../../introspection/fields/field.ts';
import {
  kindOf,
  aggregationName,
  graphqlSegment,
  hasOwnValues,
  pathsAbove,
} from '../../../introspection/fields/field.ts';
import { firstOf } from '../../../text/escaped-text.ts';
import { readExtendedEntries } from '../node-statements.ts';
import { withDocumentId, type OfferedFacet, type RemoteCatalogue } from '../remote-catalogue.ts';

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

/**
 * The catalogue behind a root field of a discovered schema.
 * @param extended the answer to `configs { extended }`, untrusted; undefined when the node has none
 * @throws TributaryError NODE_DISCOVERY_FAILED when the schema is not that of a catalogue
 */
export const readSchema = (
  schema: GraphQLSchema,
  documentType: string,
  extended: unknown,
): Omit<
  RemoteCatalogue,
  'schema' | 'cutFrom' | 'version' | 'key' | 'institutions' | 'withheld' | 'released'
> => {
  const { document, node, aggregations } = catalogueTypes(schema, documentType);
  const walked = walkNode(node, aggregations);
  const dialect = dialectOf(schema);
  const edge = objectField(objectField(document, 'hits'), 'edges');
  const entries = extendedEntries.safeParse(extended);
  const isIdListed = entries.success && entries.data.some(({ fieldName }) => fieldName === 'id');
  return {
    documentType,
    dialect,
    // only the documents of networks have a key over all nodes
    isNetwork: dialect === 'tributary' && edge !== undefined && '_key' in edge.getFields(),
    aggregations: readAggregations(aggregations),
    selectable: walked.selectable,
    objects: walked.objects,
    connections: walked.connections,
    fields: withDocumentId(fieldsOf(entries.success ? entries.data : walked.entries, walked.selectable)),
    extended: entries.success ? readExtendedEntries(extended) : [],
    inferred: !entries.success,
    // a mapped `id` is listed if the configuration names it, and never by servers of another kind
    idPath: isIdListed ? 'id' : 'unknown',
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

const fieldsOf = (entries: readonly Entry[], selectable: ReadonlySet<string>): Fields => {
  const nestedPaths = new Set(
    entries.filter(({ type }) => type === 'nested').map((entry) => entry.fieldName),
  );
  const hasValues = ({ type }: Entry): boolean => hasOwnValues(kindOf(type));
  const plain = new Set(entries.filter(hasValues).map((entry) => entry.fieldName));
  const isShown = ({ fieldName }: Entry): boolean =>
    fieldName === 'id' || selectable.has(fieldName.split('.').map(graphqlSegment).join('.'));
  return new Map(
    entries.map((entry): [string, Field] => {
      // not part of documents: a multi-field of the field above, or an alias whose target is not known
      const storedAt =
        hasValues(entry) && !isShown(entry)
          ? (pathsAbove(entry.fieldName).find((path) => plain.has(path)) ?? entry.fieldName)
          : undefined;
      const nestedIn = pathsAbove(entry.fieldName).filter((path) => nestedPaths.has(path));
      const { fieldName: path, type } = entry;
      const isArray = entry.isArray ?? false;
      return [
        path,
        {
          path,
          type,
          kind: kindOf(type),
          nestedIn,
          isArray,
          indexField: { path, type, nestedIn },
          ...(storedAt !== undefined && { storedAt }),
          ...(entry.hierarchy && { hierarchyFingerprint: entry.hierarchy.fingerprint }),
        },
      ];
    }),
  );
};

const objectField = (parent: GraphQLObjectType | undefined, name: string): GraphQLObjectType | undefined => {
  const field = parent?.getFields()[name];
  const type = field && getNamedType(field.type);
  return type && isObjectType(type) ? type : undefined;
};

/** The node type of `hits { edges { node } }`, if the type has one. */
const connectionNode = (type: GraphQLObjectType): GraphQLObjectType | undefined =>
  objectField(objectField(objectField(type, 'hits'), 'edges'), 'node');

const readAggregations = (type: GraphQLObjectType): RemoteCatalogue['aggregations'] => {
  const found = new Map<string, OfferedFacet>();
  for (const [name, field] of Object.entries(type.getFields())) {
    const facet = getNamedType(field.type);
    const offer = isObjectType(facet) ? offeredBy(facet) : null;
    if (offer !== null) found.set(name, offer);
  }
  return found;
};

const offeredBy = (facet: GraphQLObjectType): OfferedFacet | null => {
  const fields = facet.getFields();
  const type = 'stats' in fields ? 'numbers' : 'buckets' in fields ? 'values' : null;
  return type === null ? null : { type, fields: new Set(Object.keys(fields)) };
};

/** Paths and types as GraphQL shows them: both text and keyword are String. */
const walkNode = (root: GraphQLObjectType, aggregations: GraphQLObjectType) => {
  const entries: Entry[] = [];
  const selectable = new Set<string>();
  const objects = new Set<string>();
  const connections = new Set<string>();
  const numeric = readAggregations(aggregations);
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
      const nested = inner !== undefined && inner !== named;
      const isArray = isListType(getNullableType(field.type));
      const isDate = numeric.get(aggregationName(path))?.type === 'numbers';
      entries.push({ fieldName: path, isArray, type: nested ? 'nested' : typeName(named, isDate) });
      (inner ? objects : selectable).add(path);
      if (nested) connections.add(path);
      if (inner) visit(inner, `${path}.`, level + 1);
    }
    above.delete(type);
  };
  visit(root, '', 0);
  return { entries, selectable, objects, connections };
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
