import type { GraphQLSchema } from 'graphql';
import type { FacetType } from '../../facets/row/measure-row.ts';
import type { ExtendedEntry, ReleasedDimension } from '../../introspection/fields/catalogue-config.ts';
import type { Dialect } from '../../graphql/protocol.ts';
import { graphqlSegment, type Field, type Fields } from '../../introspection/fields/field.ts';
import type { Institution, WithheldStatement } from '../../search/nodes-answer.ts';
import type { CatalogueQuery } from '../../search/query.ts';
import type { Sqon } from '../../sqon/ast.ts';
import { mapConditions } from '../../sqon/rewrite.ts';

/**
 * A node's schema as kept after discovery. Built, it takes some hundred kilobytes, and only the supergraph needs it built:
 * of a thousand nodes most are never queried individually.
 */
export interface HeldSchema {
  /** Equal for equal schemas. */
  readonly fingerprint: string;
  readonly isValid: boolean;
  /** Builds the schema again. */
  readonly read: () => GraphQLSchema;
}

/** What is known about a remote catalogue. */
export interface RemoteCatalogue {
  readonly documentType: string;
  readonly schema: HeldSchema;
  /** How many types the node has, if `schema` holds only those of the catalogue. */
  readonly cutFrom: number | null;
  readonly fields: Fields;
  /** What its configs state about the fields, by its own paths. */
  readonly extended: readonly ExtendedEntry[];
  /** The paths were derived from GraphQL names because the node does not provide raw ones. */
  readonly inferred: boolean;
  /** The server's version, if it states one. */
  readonly version: string | null;
  /** What it understands. */
  readonly dialect: Dialect;
  /** It is another network. */
  readonly isNetwork: boolean;
  /** The key of the catalogue, equal wherever it is reached; null: not reported. */
  readonly key: string | null;
  /** For a network: the institutions behind it. */
  readonly institutions: readonly Institution[];
  /** The source of the `id` that every hit shows: the documents' own field, or their key if there is none. */
  readonly idPath: IdPath;
  /** How each path can be aggregated there, by aggregation name; paths that are absent cannot be. */
  readonly aggregations: ReadonlyMap<string, OfferedFacet>;
  /** Values selectable below `node`, as dotted GraphQL names. */
  readonly selectable: ReadonlySet<string>;
  /** Objects below `node`, nested ones too, in the same form. */
  readonly objects: ReadonlySet<string>;
  /** The nested objects among them, each a connection. */
  readonly connections: ReadonlySet<string>;
  /** The form of its answers if it discloses only counts to this server's credential; null: records. */
  readonly withheld: WithheldStatement | null;
  /** The dimensions of its counts in that case; null: not reported. */
  readonly released: readonly ReleasedDimension[] | null;
}

/** `unknown`: the node does not report a mapped field, but may have one. */
export type IdPath = 'id' | '_id' | 'unknown';

export interface OfferedFacet {
  readonly type: FacetType;
  /** The names of its GraphQL fields. */
  readonly fields: ReadonlySet<string>;
}

/** The dotted GraphQL name of a raw path. */
export const selectionPath = (path: string): string => path.split('.').map(graphqlSegment).join('.');

/**
 * Every hit shows an `id`: the document's own, else its key. So every node can be filtered and sorted by it, whether or
 * not its mapping has and reports such a field.
 */
const documentIdField: Field = {
  path: 'id',
  type: 'keyword',
  kind: 'keyword',
  nestedIn: [],
  isArray: false,
  indexField: { path: 'id', type: 'keyword', nestedIn: [] },
};

/** A node's fields including its `id`. */
export const withDocumentId = (fields: Fields): Fields =>
  fields.has(documentIdField.path) ? fields : new Map([...fields, [documentIdField.path, documentIdField]]);

/** A query in which `id` refers to the document's key, for a node whose documents have no `id` of their own. */
export const idAsKey = (query: CatalogueQuery): CatalogueQuery => ({
  ...query,
  filters: query.filters && withKey(query.filters),
  hits: query.hits && {
    ...query.hits,
    sort: query.hits.sort.map((key) => ({ ...key, fieldName: keyOf(key.fieldName) })),
  },
});

const keyOf = (path: string): string => (path === documentIdField.path ? '_id' : path);

const withKey = (sqon: Sqon): Sqon =>
  mapConditions(sqon, (one) =>
    one.kind === 'leaf'
      ? { ...one, fieldName: keyOf(one.fieldName) }
      : { ...one, fieldNames: one.fieldNames.map(keyOf) },
  );
