import type { GraphQLSchema } from 'graphql';
import type { FacetType } from '../../search/facets/row/measure-row.ts';
import type {
  ExtendedEntry,
  ReleasedDimension,
  WithheldStatement,
} from '../../introspection/fields/catalogue-config.ts';
import type { Dialect } from '../../lib/graphql/protocol.ts';
import type { Field, Fields } from '../../introspection/fields/field.ts';
import type { Institution } from '../../search/nodes-answer.ts';
import type { CatalogueQuery } from '../../search/query.ts';
import type { Sqon } from '../../sqon/ast.ts';
import { mapConditions } from '../../sqon/rewrite.ts';

/** What is known about a remote catalogue. */
export interface RemoteCatalogue {
  /** What its server understands: a fixed list for each dialect. */
  readonly dialect: Dialect;
  /** With the `id` that every hit shows; its `indexField` is the documents' field, or their key `_id`. */
  readonly fields: Fields;
  /** What its facets are of, by aggregation name; paths that are absent have none. */
  readonly aggregations: ReadonlyMap<string, FacetType>;
  /** For a node that discloses only counts to this server's credential; null: records. */
  readonly disclosure: NodeDisclosure | null;
  readonly facts: NodeFacts;
  readonly schema: HeldSchema;
}

export interface NodeDisclosure {
  /** The form of its answers. */
  readonly withheld: WithheldStatement;
  /** The dimensions of its counts; null: not reported. */
  readonly released: readonly ReleasedDimension[] | null;
}

export interface NodeFacts {
  /**
   * What its configs state about the fields, by its own paths; null: nothing, and the paths were derived from GraphQL
   * names.
   */
  readonly extended: readonly ExtendedEntry[] | null;
  /** The server's version, if it states one. */
  readonly version: string | null;
  /** The key of the catalogue, equal wherever it is reached; null: not reported. */
  readonly key: string | null;
  /** For another network: the institutions behind it; null: it is a catalogue. */
  readonly institutions: readonly Institution[] | null;
  /** Whether it sorts by the documents' key, as an established server needs to for cursors. */
  readonly sortsByKey: boolean;
}

/** A node that is itself a network. */
export const isNetwork = ({ facts }: Pick<RemoteCatalogue, 'facts'>): boolean => facts.institutions !== null;

/**
 * A node's schema as kept after discovery. Built, it takes some hundred kilobytes, and only the supergraph needs it built:
 * of a thousand nodes most are never queried individually.
 */
export interface HeldSchema {
  /** Equal for equal schemas. */
  readonly fingerprint: string;
  /** How many types the node has, if only those of the catalogue are held. */
  readonly cutFrom: number | null;
  readonly isValid: boolean;
  /** Builds the schema again. */
  readonly read: () => GraphQLSchema;
}

/**
 * A node's fields with the `id` that every hit shows: the document's own, else its key. So every node can be filtered and
 * sorted by it, whether or not its mapping has and reports such a field.
 */
export const withDocumentId = (fields: Fields, source: 'id' | '_id'): Fields =>
  new Map([...fields, ['id', idFrom(source)]]);

const idFrom = (path: 'id' | '_id'): Field => ({
  path: 'id',
  type: 'keyword',
  kind: 'keyword',
  nestedIn: [],
  isArray: false,
  indexField: { path, type: 'keyword', nestedIn: [] },
});

/** Where hits have their `id` from. */
export const idSource = (fields: Fields): 'id' | '_id' =>
  fields.get('id')?.indexField.path === '_id' ? '_id' : 'id';

/** A query in which `id` refers to the document's key, if that is what hits of these fields show. */
export const byDocumentId = (query: CatalogueQuery, fields: Fields): CatalogueQuery =>
  idSource(fields) === 'id'
    ? query
    : {
        ...query,
        filters: query.filters && withKey(query.filters),
        hits: query.hits && {
          ...query.hits,
          sort: query.hits.sort.map((key) => ({ ...key, fieldName: keyOf(key.fieldName) })),
        },
      };

const keyOf = (path: string): string => (path === 'id' ? '_id' : path);

const withKey = (sqon: Sqon): Sqon =>
  mapConditions(sqon, (condition) =>
    condition.kind === 'leaf'
      ? { ...condition, fieldName: keyOf(condition.fieldName) }
      : { ...condition, fieldNames: condition.fieldNames.map(keyOf) },
  );
